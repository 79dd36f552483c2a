package main

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/spf13/pflag"

	"norn/chat/bridge"
	"norn/chat/discord"
)

// discordPath is where Discord calls norn, where it does.
const discordPath = "/discord"

// discordSettings are how norn comes to Discord.
type discordSettings struct {
	gateway          bool
	key              keyFlag
	token, tokenFile textFlag
	api              webFlag
}

// on tells whether norn comes to Discord at all.
func (d *discordSettings) on() bool { return d.gateway || d.key.text != "" }

// discordFlags are the flags of it; the token is none, since any user of the machine sees a command line.
func (p *program) discordFlags(flags *pflag.FlagSet, d *discordSettings) {
	flags.BoolVar(&d.gateway, "discord", false, p.Say("norn.flag.discord"))
	d.tokenFile = textFlag{metavar: p.Say("norn.metavar.file")}
	flags.Var(&d.tokenFile, "discord-token-file", p.Say("norn.flag.discord-token-file"))
	d.key = keyFlag{p: p}
	flags.Var(&d.key, "discord-public-key", p.Say("norn.flag.discord-public-key", "Path", discordPath))
	d.api = webFlag{p: p, text: discord.API, schemes: "http https"}
	flags.Var(&d.api, "discord-api", p.Say("norn.flag.discord-api"))
}

// keyFlag is the public key of an application.
type keyFlag struct {
	p    *program
	text string
}

func (f *keyFlag) String() string { return f.text }
func (f *keyFlag) Type() string   { return f.p.Say("norn.metavar.key") }
func (f *keyFlag) Set(text string) error {
	if text != "" && !discord.IsPublicKey(text) {
		return &misfit{id: "norn.error.discord-key"} // a token, put here by mistake, isn't shown
	}
	f.text = text
	return nil
}

// discordProblems are what is wrong with the settings together, in words without the token.
func (p *program) discordProblems(d *discordSettings) []string {
	if !d.on() {
		return nil
	}
	token, err := secretOf(d.token, d.tokenFile)
	flag := "--discord"
	if !d.gateway {
		flag = "--discord-public-key"
	}
	switch {
	case err != nil:
		return []string{p.Say("norn.error.token-file", "Path", d.tokenFile.value, "Text", cause(err))}
	case token == "":
		return []string{p.Say("norn.error.token-missing", "Flag", flag, "Variable", "NORN_DISCORD_TOKEN", "File", "--discord-token-file")}
	case !discord.IsToken(token):
		return []string{p.Say("norn.error.discord-token")}
	}
	return nil
}

// discord begins to bring tables to Discord.
func (p *program) discord(d *discordSettings) beginning {
	return func(ctx context.Context, b *bridge.Bridge, log *slog.Logger) (path string, hook http.Handler, stop func(), err error) {
		token, err := secretOf(d.token, d.tokenFile)
		if err != nil { // it could be read a moment ago
			return "", nil, nil, p.fails("norn.error.token-file", "Path", d.tokenFile.value, "Text", cause(err))
		}
		chat, err := discord.New(discord.Config{
			Token: token, PublicKey: d.key.text, Gateway: d.gateway, API: d.api.text, Hearer: b, Words: p.words, Log: log,
		})
		if err != nil {
			return "", nil, nil, err
		}
		running, cancel := context.WithCancel(context.WithoutCancel(ctx))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			b.Lead(running, chat.Name(), chat.Run) // one node is connected: each would be told everything
		}()
		untold := b.Attach(ctx, chat)
		if d.key.text != "" {
			path, hook = discordPath, chat
		}
		return path, hook, func() {
			cancel()
			<-ended
			untold()
			chat.Close()
		}, nil
	}
}
