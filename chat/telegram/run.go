package telegram

import (
	"context"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/lang"
)

// Run works until ctx ends: it gets the bot's name, registers the commands, and then polls or
// registers the webhook. It repeats what fails.
func (t *Chat) Run(ctx context.Context) {
	if t.meet(ctx); ctx.Err() != nil {
		return
	}
	for _, l := range lang.All {
		for _, set := range commands(t.words, l) {
			limited, cancel := context.WithTimeout(ctx, answerTime)
			if _, err := t.bot.SetMyCommands(limited, set); err != nil {
				t.log.Warn("telegram takes no commands", "error", t.hidden.fault(err))
			}
			cancel()
		}
	}
	if t.webhook != "" {
		if t.until(ctx, "setWebhook", func(ctx context.Context) error {
			_, err := t.bot.SetWebhook(ctx,
				&bot.SetWebhookParams{
					URL: t.webhook, SecretToken: t.secret, AllowedUpdates: kinds,
					MaxConnections: maxCalls,
				})
			return err
		}) == nil {
			t.log.Info("telegram calls", "bot", t.self())
			<-ctx.Done()
		}
		t.lanes.wait()
		return
	}
	if t.until(ctx, "deleteWebhook", func(ctx context.Context) error {
		_, err := t.bot.DeleteWebhook(ctx, &bot.DeleteWebhookParams{})
		return err
	}) == nil {
		t.log.Info("telegram is asked", "bot", t.self())
		t.poll(ctx)
	}
}

// commands returns the commands in one language; English also applies to all others.
func commands(words *lang.Words, l lang.Lang) []*bot.SetMyCommandsParams {
	s := words.In(l)
	alone := []models.BotCommand{{Command: "norn", Description: s.Say("telegram.command.norn")}}
	for _, one := range []string{"roll", "odds", "help", "leave"} {
		alone = append(alone, models.BotCommand{Command: one, Description: s.Say("telegram.command." + one)})
	}
	as := string(l)
	if l == lang.En {
		as = ""
	}
	return []*bot.SetMyCommandsParams{
		{Commands: alone[:1], Scope: &models.BotCommandScopeAllGroupChats{}, LanguageCode: as},
		{Commands: alone, Scope: &models.BotCommandScopeAllPrivateChats{}, LanguageCode: as},
	}
}
