package server

import (
	"log/slog"

	"github.com/spf13/pflag"

	"norn/chat/bridge"
	"norn/chat/discord"
	"norn/cmd/norn/internal/cli"
)

// discordPath is the path for Discord's calls to norn.
const discordPath = "/discord"

// discordSettings configures the connection to Discord.
type discordSettings struct {
	gateway bool
	key     keyFlag
	token   tokenSettings
	api     webFlag
}

// on reports whether norn uses Discord at all.
func (d *discordSettings) on() bool { return d.gateway || d.key.text != "" }

func discordFlags(p *cli.Program, flags *pflag.FlagSet, d *discordSettings) {
	flags.BoolVar(&d.gateway, "discord", false, p.Say("norn.flag.discord"))
	d.token.file = cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	flags.Var(&d.token.file, "discord-token-file", p.Say("norn.flag.discord-token-file"))
	d.key = keyFlag{p: p}
	flags.Var(&d.key, "discord-public-key", p.Say("norn.flag.discord-public-key", "Path", discordPath))
	d.api = webFlag{p: p, text: discord.API, schemes: "http https"}
	flags.Var(&d.api, "discord-api", p.Say("norn.flag.discord-api"))
}

// discordProblems explains which settings don't fit together.
func discordProblems(p *cli.Program, d *discordSettings) []string {
	switch {
	case d.gateway:
		return d.token.check(p, "discord", "--discord", discord.IsToken, "norn.error.discord-token")
	case d.on():
		return d.token.check(p, "discord", "--discord-public-key", discord.IsToken, "norn.error.discord-token")
	}
	return nil
}

// openDiscord returns the configured Discord platform and the path for its calls, "" for none.
func openDiscord(p *cli.Program, d *discordSettings, base string, hearer *bridge.Bridge, log *slog.Logger) (path string,
	chat platform, err error,
) {
	if d.key.text != "" {
		path = base + discordPath
	}
	chat, err = discord.New(discord.Config{
		Token: d.token.read, PublicKey: d.key.text, Gateway: d.gateway, API: d.api.text, Hearer: hearer, Words: p.Words,
		Log: log,
	})
	return path, chat, err
}
