package server

import (
	"log/slog"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"norn/chat/bridge"
	"norn/chat/telegram"
	"norn/cmd/norn/internal/cli"
)

// telegramSettings configures the connection to Telegram.
type telegramSettings struct {
	on           bool
	token        tokenSettings
	api, webhook webFlag
}

func telegramFlags(p *cli.Program, flags *pflag.FlagSet, t *telegramSettings) {
	flags.BoolVar(&t.on, "telegram", false, p.Say("norn.flag.telegram"))
	t.token.file = cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	flags.Var(&t.token.file, "telegram-token-file", p.Say("norn.flag.telegram-token-file"))
	t.api = webFlag{p: p, text: telegram.Usual, schemes: "http https"}
	flags.Var(&t.api, "telegram-api", p.Say("norn.flag.telegram-api"))
	t.webhook = webFlag{p: p, schemes: "https", none: true}
	flags.Var(&t.webhook, "telegram-webhook", p.Say("norn.flag.telegram-webhook"))
}

// botToken matches BotFather's tokens.
var botToken = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]{20,}$`)

// telegramProblems explains which settings don't fit together.
func telegramProblems(p *cli.Program, t *telegramSettings) (problems []string) {
	if !t.on {
		return nil
	}
	problems = t.token.check(p, "telegram", "--telegram", botToken.MatchString, "norn.error.telegram-token")
	if t.webhook.text != "" && strings.Trim(t.webhook.path(), "/") == "" {
		problems = append(problems, p.Say("norn.error.webhook-path", "Place", "--telegram-webhook", "Given",
			t.webhook.text))
	}
	return problems
}

// openTelegram returns the configured Telegram platform and the path for its calls, "" for none.
func openTelegram(p *cli.Program, t *telegramSettings, hearer *bridge.Bridge, log *slog.Logger) (path string,
	chat platform, err error,
) {
	chat, err = telegram.New(telegram.Config{
		Token: t.token.read, API: t.api.text, Webhook: t.webhook.text,
		Hearer: hearer, Words: p.Words, Log: log,
	})
	return t.webhook.path(), chat, err
}
