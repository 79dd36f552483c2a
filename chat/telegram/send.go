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

var (
	yes    = true
	nolink = &models.LinkPreviewOptions{IsDisabled: &yes}
)

// post shows a message, as a reply if to is given.
func (t *Chat) post(ctx context.Context, place string, m bridge.Message, to *models.ReplyParameters) (id string,
	err error,
) {
	err = t.sending(ctx, place, func(ctx context.Context, s placeID) error {
		calls := mentionedUsers(s, m)
		quiet := m.Quiet || s.chat < 0 && len(calls) == 0 // without mentions a group isn't notified
		var sent *models.Message
		var err error
		if m.Picture == nil {
			d := render(linkOf(t.self()), m, maxText, calls)
			sent, err = t.bot.SendMessage(ctx, &bot.SendMessageParams{
				ChatID: s.chat, MessageThreadID: s.topic, Text: d.text.String(), Entities: d.entities,
				LinkPreviewOptions: nolink, DisableNotification: quiet, ReplyMarkup: d.markup(), ReplyParameters: to,
			})
		} else {
			d := render(linkOf(t.self()), m, maxCaption, calls)
			sent, err = t.bot.SendPhoto(ctx, &bot.SendPhotoParams{
				ChatID: s.chat, MessageThreadID: s.topic,
				Photo:   &models.InputFileUpload{Filename: "norn.png", Data: bytes.NewReader(m.Picture)},
				Caption: d.text.String(), CaptionEntities: d.entities, DisableNotification: quiet,
				ReplyMarkup: d.markup(), ReplyParameters: to,
			})
		}
		if err == nil {
			id = strconv.Itoa(sent.ID)
		}
		return err
	})
	return id, err
}

// Edit implements bridge.Platform. Only texts are edited: a picture is an answer to a request and
// stays as it is.
func (t *Chat) Edit(ctx context.Context, place, id string, m bridge.Message) error {
	message, err := strconv.Atoi(id)
	if err != nil {
		return &bridge.Gone{What: "no message of Telegram: " + id, Message: true}
	}
	return t.sending(ctx, place, func(ctx context.Context, s placeID) error {
		d := render(linkOf(t.self()), m, maxText, mentionedUsers(s, m))
		_, err := t.bot.EditMessageText(ctx, &bot.EditMessageTextParams{
			ChatID: s.chat, MessageID: message, Text: d.text.String(), Entities: d.entities, LinkPreviewOptions: nolink,
			ReplyMarkup: d.markup(),
		})
		return ignoreUnchanged(err)
	})
}

// ignoreUnchanged returns the error of an edit, nil if the message was already so.
func ignoreUnchanged(err error) error {
	if err != nil && errors.Is(err, bot.ErrorBadRequest) && strings.Contains(err.Error(), "message is not modified") {
		return nil
	}
	return err
}

// sending does something in a place, once more if the group has become a supergroup, which has
// another id.
func (t *Chat) sending(ctx context.Context, place string, do func(context.Context, placeID) error) error {
	s, err := parsePlace(place)
	if err != nil {
		return err
	}
	if err = withTimeout(ctx, s, do); err == nil {
		return nil
	}
	if moved, is := errors.AsType[*bot.MigrateError](err); is {
		was := s
		s.chat = int64(moved.MigrateToChatID)
		if err = t.hearer.Moved(ctx, was.place(), s.place()); err == nil {
			err = withTimeout(ctx, s, do)
		}
	}
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return errors.New("telegram took too long to answer")
	}
	return t.hidden.fault(err)
}

// withTimeout bounds a call of Telegram. It continues for a short time after its context ends,
// because a call that is cut may have been done.
func withTimeout(ctx context.Context, s placeID, do func(context.Context, placeID) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(partTime, cancel) })()
	return do(limited, s)
}

// mentionedUsers returns the people that a message mentions in a group.
func mentionedUsers(s placeID, m bridge.Message) (users []models.User) {
	if m.Quiet || s.chat > 0 {
		return nil
	}
	for _, person := range m.Calls {
		at, err := parsePlace(person.ID)
		if err == nil && person.Name != "" && !slices.ContainsFunc(users, func(u models.User) bool {
			return u.ID == at.chat
		}) {
			users = append(users, models.User{ID: at.chat, FirstName: person.Name})
		}
	}
	return users
}

// Post implements bridge.Platform. Telegram has no keys: if its response is lost the message may
// appear twice.
func (t *Chat) Post(ctx context.Context, place string, m bridge.Message, _ string) (id string, err error) {
	return t.post(ctx, place, m, nil)
}
