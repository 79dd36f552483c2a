package telegram

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
)

// isPhoto ends the id of a message that is a picture, whose text is changed in another way.
const isPhoto = "p"

var yes = true

// Post implements bridge.Platform. Telegram knows no keys: what was posted already is told by memory, and where Telegram's answer got lost
// the message may stand there twice.
func (t *Chat) Post(ctx context.Context, place string, m bridge.Message, key string) (string, error) {
	t.mu.Lock()
	id, stands := t.posted[place+" "+key]
	t.mu.Unlock()
	if stands && key != "" {
		return id, nil
	}
	id, err := t.post(ctx, place, m, nil)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	t.posted.keep(place+" "+key, id)
	t.mu.Unlock()
	return id, nil
}

// post shows a message, as an answer to another one where that is given.
func (t *Chat) post(ctx context.Context, place string, m bridge.Message, to *models.ReplyParameters) (id string, err error) {
	err = t.sending(ctx, place, func(ctx context.Context, s spot) error {
		calls := t.called(ctx, s, m)
		quiet := m.Quiet || s.chat < 0 && len(calls) == 0 // groups are called for nobody in particular by nothing
		if m.Picture == nil {
			d := t.draw(m, mostText, calls)
			sent, err := t.bot.SendMessage(ctx, &bot.SendMessageParams{
				ChatID: s.chat, MessageThreadID: s.topic, Text: d.text.String(), Entities: d.entities,
				LinkPreviewOptions: &models.LinkPreviewOptions{IsDisabled: &yes}, DisableNotification: quiet, ReplyMarkup: d.markup(), ReplyParameters: to,
			})
			if err == nil {
				id = strconv.Itoa(sent.ID)
			}
			return err
		}
		d := t.draw(m, mostCaption, calls)
		sent, err := t.bot.SendPhoto(ctx, &bot.SendPhotoParams{
			ChatID: s.chat, MessageThreadID: s.topic, Photo: &models.InputFileUpload{Filename: "norn.png", Data: bytes.NewReader(m.Picture)},
			Caption: d.text.String(), CaptionEntities: d.entities, DisableNotification: quiet, ReplyMarkup: d.markup(), ReplyParameters: to,
		})
		if err == nil {
			id = strconv.Itoa(sent.ID) + isPhoto
		}
		return err
	})
	return id, err
}

// Edit implements bridge.Platform. A text stays a text, and a picture a picture.
func (t *Chat) Edit(ctx context.Context, place, id string, m bridge.Message) error {
	number, photo := strings.CutSuffix(id, isPhoto)
	message, err := strconv.Atoi(number)
	if err != nil {
		return &bridge.Gone{What: "no message of Telegram: " + id, Message: true}
	}
	return t.sending(ctx, place, func(ctx context.Context, s spot) error {
		calls := t.called(ctx, s, m)
		var err error
		switch {
		case !photo:
			m.Picture = nil
			d := t.draw(m, mostText, calls)
			_, err = t.bot.EditMessageText(ctx, &bot.EditMessageTextParams{
				ChatID: s.chat, MessageID: message, Text: d.text.String(), Entities: d.entities,
				LinkPreviewOptions: &models.LinkPreviewOptions{IsDisabled: &yes}, ReplyMarkup: d.markup(),
			})
		case m.Picture != nil:
			d := t.draw(m, mostCaption, calls)
			_, err = t.bot.EditMessageMedia(ctx, &bot.EditMessageMediaParams{
				ChatID: s.chat, MessageID: message, ReplyMarkup: d.markup(),
				Media: &models.InputMediaPhoto{Media: "attach://norn.png", MediaAttachment: bytes.NewReader(m.Picture), Caption: d.text.String(), CaptionEntities: d.entities},
			})
		default:
			d := t.draw(m, mostCaption, calls)
			_, err = t.bot.EditMessageCaption(ctx, &bot.EditMessageCaptionParams{
				ChatID: s.chat, MessageID: message, Caption: d.text.String(), CaptionEntities: d.entities, ReplyMarkup: d.markup(),
			})
		}
		return unchanged(err)
	})
}

// unchanged is an edit's error, nil where the message says it already.
func unchanged(err error) error {
	if err != nil && errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "message is not modified") {
		return nil
	}
	return err
}

// Private implements bridge.Platform: a person's own chat with the bot has the person's id.
func (t *Chat) Private(_ context.Context, person string) (string, error) {
	if s, err := t.at(person); err != nil || s.chat <= 0 || s.topic != 0 {
		return "", &bridge.Gone{What: "no person of Telegram: " + person}
	}
	return person, nil
}

// sending does something in a place, once more where the group has meanwhile become a supergroup.
func (t *Chat) sending(ctx context.Context, place string, do func(context.Context, spot) error) error {
	for again := true; ; again = false {
		s, err := t.at(place)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		limited, cancel := lasting(ctx)
		err = do(limited, s)
		cancel()
		moved, is := errors.AsType[*bot.MigrateError](err)
		if !is || !again {
			if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
				return errors.New("telegram took too long to answer")
			}
			return t.fault(err)
		}
		if err := t.moves(ctx, s.chat, int64(moved.MigrateToChatID)); err != nil {
			return err
		}
	}
}

// lasting bounds a call of Telegram. It outlasts its context by a little: a call cut in the middle may be done, without anybody knowing.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	over := context.AfterFunc(ctx, func() { time.AfterFunc(partTime, cancel) })
	return limited, func() {
		over()
		cancel()
	}
}

// called are those whom a message in a group calls, as far as their names can be found out.
func (t *Chat) called(ctx context.Context, s spot, m bridge.Message) (users []models.User) {
	if m.Quiet || s.chat > 0 {
		return nil
	}
	for _, person := range m.Calls {
		id, err := strconv.ParseInt(strings.TrimPrefix(person, name+":"), 10, 64)
		if err != nil || slices.ContainsFunc(users, func(u models.User) bool { return u.ID == id }) {
			continue
		}
		t.mu.Lock()
		called, known := t.names[person]
		t.mu.Unlock()
		if !known {
			if member, err := t.bot.GetChatMember(ctx, &bot.GetChatMemberParams{ChatID: s.chat, UserID: id}); err == nil {
				called = named(member)
				t.mu.Lock()
				t.names.keep(person, called)
				t.mu.Unlock()
			}
		}
		if called != "" {
			users = append(users, models.User{ID: id, FirstName: called})
		}
	}
	return users
}

// named is what somebody in a group is called, "" for who has gone.
func named(m *models.ChatMember) string {
	switch {
	case m.Owner != nil && m.Owner.User != nil:
		return m.Owner.User.FirstName
	case m.Administrator != nil:
		return m.Administrator.User.FirstName
	case m.Member != nil && m.Member.User != nil:
		return m.Member.User.FirstName
	case m.Restricted != nil && m.Restricted.User != nil:
		return m.Restricted.User.FirstName
	}
	return ""
}
