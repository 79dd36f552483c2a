package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/internal/rescue"
)

// kinds are the kinds of updates that norn needs.
var kinds = bot.AllowedUpdates{
	models.AllowedUpdateMessage, models.AllowedUpdateCallbackQuery,
	models.AllowedUpdateInlineQuery,
}

// anonymous is the account of a group's administrators who write as the group.
const anonymous = 1087968824

// laneOf returns the lane of an update: its chat, or the person of an inline query.
func laneOf(u *models.Update) string {
	switch {
	case u.Message != nil:
		return idOf(u.Message.Chat.ID)
	case u.CallbackQuery != nil:
		if m := u.CallbackQuery.Message; m.Message != nil {
			return idOf(m.Message.Chat.ID)
		} else if m.InaccessibleMessage != nil {
			return idOf(m.InaccessibleMessage.Chat.ID)
		}
		return idOf(u.CallbackQuery.From.ID)
	case u.InlineQuery != nil && u.InlineQuery.From != nil:
		return idOf(u.InlineQuery.From.ID)
	}
	return ""
}

// take does an update. An error is norn's own failure, and the update must be repeated. An update
// that panics would panic again, so it's given up, and the person gets a message.
func (t *Chat) take(ctx context.Context, u *models.Update) error {
	err := rescue.Run(t.log, "telegram update", func() error { return t.handle(ctx, u) })
	if _, broken := errors.AsType[*rescue.Error](err); broken {
		t.giveUp(ctx, u, "broken")
		return nil
	}
	return err
}

func (t *Chat) handle(ctx context.Context, u *models.Update) error {
	id := fmt.Sprintf("%s:%d:%d", name, t.bot.ID(), u.ID)
	switch {
	case u.Message != nil:
		return t.written(ctx, id, u.Message)
	case u.CallbackQuery != nil:
		return t.handlePress(ctx, id, u.CallbackQuery)
	case u.InlineQuery != nil && u.InlineQuery.From != nil:
		return t.inline(ctx, id, u.InlineQuery)
	}
	return nil
}

// written handles a message.
func (t *Chat) written(ctx context.Context, id string, m *models.Message) error {
	if m.MigrateToChatID != 0 {
		return t.hearer.Moved(ctx, idOf(m.Chat.ID), idOf(m.MigrateToChatID))
	}
	if m.MigrateFromChatID != 0 {
		return t.hearer.Moved(ctx, idOf(m.MigrateFromChatID), idOf(m.Chat.ID))
	}
	if m.From == nil || m.Text == "" || m.From.IsBot && m.From.ID != anonymous {
		return nil
	}
	u := incoming{from: m.From.ID, message: m.ID}
	u.at.chat = m.Chat.ID
	if m.IsTopicMessage {
		u.at.topic = m.MessageThreadID
	}
	u.ID, u.By, u.Place, u.Private = id, person(*m.From), u.at.place(), m.Chat.Type == models.ChatTypePrivate
	if c, ok := reply(t.bot.ID(), m); ok {
		u.answers = m.ReplyToMessage.ID
		return t.answerField(ctx, u, c, m.Text)
	}
	line, meant := lineFor(t.self(), m.Text, u.Private)
	if u.Private {
		if waits, ok := t.waiting(u.Place); ok && !strings.HasPrefix(m.Text, "/") {
			return t.answerField(ctx, u, waits, m.Text)
		}
	}
	if !meant {
		return nil
	}
	if m.SenderChat != nil || m.From.ID == anonymous {
		return t.answer(ctx, u, bridge.Answer{Message: aside(say(t.words, u.By, "anonymous"))})
	}
	u.Line = line
	return t.handOn(ctx, u)
}

// reply returns the state in a message of the bot to which a person replies.
func reply(bot int64, m *models.Message) (carried, bool) {
	to := m.ReplyToMessage
	if to == nil || to.From == nil || to.From.ID != bot {
		return carried{}, false
	}
	c, ok := outOfLink(slices.Concat(to.Entities, to.CaptionEntities))
	return c, ok && c.Form != ""
}

// lineFor returns a message without the platform's own words. In a group only commands are for
// norn: everything else is between people, or for other bots.
func lineFor(bot, text string, private bool) (line string, meant bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "/") {
		return text, private
	}
	word, rest, _ := strings.Cut(text, " ")
	if head, more, ok := strings.Cut(word, "\n"); ok {
		word, rest = head, more+" "+rest
	}
	rest = strings.TrimSpace(rest)
	command, whose, named := strings.Cut(word[1:], "@")
	if named && !strings.EqualFold(whose, bot) {
		return "", false
	}
	switch command = strings.ToLower(command); {
	case command == "norn" && rest == "", command == "start" && rest == "":
		return "help", private || named || command == "norn"
	case command == "norn":
		return rest, true
	case command == "start":
		return "sit " + rest, private || named
	default: // the slash stays, so that an unknown command isn't taken for a message
		return strings.TrimSpace("/" + command + " " + rest), private || named
	}
}

// handlePress handles a pressed button.
func (t *Chat) handlePress(ctx context.Context, id string, q *models.CallbackQuery) error {
	u := incoming{from: q.From.ID, query: q.ID}
	u.ID, u.By = id, person(q.From)
	m := q.Message.Message
	switch {
	case m != nil:
		u.at.chat, u.message, u.Private = m.Chat.ID, m.ID, m.Chat.Type == models.ChatTypePrivate
		if m.IsTopicMessage {
			u.at.topic = m.MessageThreadID
		}
	case q.Message.InaccessibleMessage != nil: // too old: its topic isn't known
		gone := q.Message.InaccessibleMessage
		u.at.chat, u.message, u.Private = gone.Chat.ID, gone.MessageID, gone.Chat.Type == models.ChatTypePrivate
	default:
		return t.answerPress(ctx, u, "", false)
	}
	u.Place = u.at.place()
	var keeps carried
	var keyboard *models.InlineKeyboardMarkup
	if m != nil {
		keeps, _ = outOfLink(slices.Concat(m.Entities, m.CaptionEntities))
		keyboard = m.ReplyMarkup
	}
	if data, ok := strings.CutPrefix(q.Data, isForm); ok {
		u.answers = u.message
		return t.pressedForm(ctx, u, keeps, data)
	}
	control, chosen, toggles, sent := choice(q.Data, keeps.Values)
	switch {
	case keyboard == nil && (toggles || sent):
		return t.answerPress(ctx, u, "", false)
	case toggles:
		_, err := t.bot.EditMessageReplyMarkup(ctx,
			&bot.EditMessageReplyMarkupParams{
				ChatID: u.at.chat, MessageID: u.message,
				ReplyMarkup: toggle(keyboard, q.Data),
			})
		if err := t.hidden.fault(ignoreUnchanged(err)); err != nil {
			t.log.Debug("telegram takes no mark", "error", err)
		}
		return t.answerPress(ctx, u, "", false)
	case sent:
		chosen = marks(keyboard, control, keeps.Values)
	}
	u.Press, u.Values = control, chosen
	return t.handOn(ctx, u)
}

// handOn passes an update to the bridge and shows the answer.
func (t *Chat) handOn(ctx context.Context, u incoming) error {
	a, err := t.hearer.Do(ctx, u.Update)
	if err != nil {
		return err
	}
	if a.Form != nil {
		d := dialog{Chat: t, u: u, form: a.Form, all: fields(a.Form), carried: carried{Form: a.Form.ID, Who: u.from}}
		return d.ask(ctx, a.Alone, "")
	}
	return t.answer(ctx, u, a)
}
