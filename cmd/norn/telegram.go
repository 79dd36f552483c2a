package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"norn/chat/bridge"
	"norn/chat/telegram"
)

// telegramSettings are how norn comes to Telegram.
type telegramSettings struct {
	on               bool
	token, tokenFile textFlag
	api, webhook     webFlag
}

// telegramFlags are the flags of it; the token is none, since any user of the machine sees a command line.
func (p *program) telegramFlags(flags *pflag.FlagSet, t *telegramSettings) {
	flags.BoolVar(&t.on, "telegram", false, p.Say("norn.flag.telegram"))
	t.tokenFile = textFlag{metavar: p.Say("norn.metavar.file")}
	flags.Var(&t.tokenFile, "telegram-token-file", p.Say("norn.flag.telegram-token-file"))
	t.api = webFlag{p: p, text: telegram.Usual, schemes: "http https"}
	flags.Var(&t.api, "telegram-api", p.Say("norn.flag.telegram-api"))
	t.webhook = webFlag{p: p, schemes: "https", none: true}
	flags.Var(&t.webhook, "telegram-webhook", p.Say("norn.flag.telegram-webhook"))
}

// botToken is how BotFather writes tokens.
var botToken = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]{20,}$`)

// telegramProblems are what is wrong with the settings together, in words without the token.
func (p *program) telegramProblems(t *telegramSettings) (problems []string) {
	if !t.on {
		return nil
	}
	token, err := secretOf(t.token, t.tokenFile)
	switch {
	case err != nil:
		problems = append(problems, p.Say("norn.error.token-file", "Path", t.tokenFile.value, "Text", cause(err)))
	case token == "":
		problems = append(problems, p.Say("norn.error.token-missing", "Flag", "--telegram", "Variable", "NORN_TELEGRAM_TOKEN", "File", "--telegram-token-file"))
	case !botToken.MatchString(token):
		problems = append(problems, p.Say("norn.error.telegram-token"))
	}
	if at, _ := url.Parse(t.webhook.text); t.webhook.text != "" && strings.Trim(at.Path, "/") == "" {
		problems = append(problems, p.Say("norn.error.webhook-path", "Place", "--telegram-webhook", "Given", t.webhook.text))
	}
	return problems
}

// telegram begins to bring tables to Telegram.
func (p *program) telegram(t *telegramSettings) beginning {
	return func(ctx context.Context, b *bridge.Bridge, log *slog.Logger) (path string, hook http.Handler, stop func(), err error) {
		token, err := secretOf(t.token, t.tokenFile)
		if err != nil { // it could be read a moment ago
			return "", nil, nil, p.fails("norn.error.token-file", "Path", t.tokenFile.value, "Text", cause(err))
		}
		chat, err := telegram.New(telegram.Config{Token: token, API: t.api.text, Webhook: t.webhook.text, Hearer: b, Words: p.words, Log: log})
		if err != nil {
			return "", nil, nil, err
		}
		running, cancel := context.WithCancel(context.WithoutCancel(ctx))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			chat.Meet(running) // each node gives links and hears calls; one asks
			b.Lead(running, chat.Name(), chat.Run)
		}()
		untold := b.Attach(running, chat)
		if t.webhook.text != "" {
			at, _ := url.Parse(t.webhook.text) // its flag has checked it
			path = at.Path
		}
		return path, chat, func() {
			cancel()
			<-ended
			untold()
		}, nil
	}
}
