package telegram

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/lang"
)

// maxOwed limits the answers that wait for a chat whose limit at Telegram is reached.
const maxOwed = 16

// incoming is a decoded update.
type incoming struct {
	bridge.Update
	at      placeID
	from    int64  // of the person
	message int    // that was written, or whose button was pressed
	query   string // id of the press to be answered
	answers int    // the message that asked for it, whose buttons can be removed
}

// say returns a text in a person's language.
func say(words *lang.Words, by bridge.Person, id string, data ...any) string {
	if by.Lang == "" {
		by.Lang = lang.En
	}
	return words.In(by.Lang).Say("telegram."+id, data...)
}

// answerPress ends the progress indicator of a press, with a text if there is one. Telegram forgets
// presses soon, so being too late is no error.
func (t *Chat) answerPress(ctx context.Context, u incoming, text string, alert bool) error {
	if u.query == "" {
		return nil
	}
	text = bridge.Cut(text, maxAlert)
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if _, err := t.bot.AnswerCallbackQuery(limited,
		&bot.AnswerCallbackQueryParams{CallbackQueryID: u.query, Text: text, ShowAlert: alert}); err != nil {
		t.log.Debug("telegram takes no answer to a press", "error", t.hidden.fault(err))
		if alert {
			return t.hidden.fault(err)
		}
	}
	return nil
}

// answer shows an answer: to one person as a popup after a press, or in their private chat; to all
// in the same chat. What Telegram doesn't accept now is sent later, without delaying anything.
func (t *Chat) answer(ctx context.Context, u incoming, a bridge.Answer) error {
	m := a.Message
	if m.Empty() {
		return t.answerPress(ctx, u, "", false)
	}
	if a.Alone && !u.Private {
		if text, short := short(m); short && u.query != "" && t.answerPress(ctx, u, text, true) == nil {
			return nil
		}
		return t.apart(ctx, u, func(place string) error { return t.tell(ctx, u, place, m, a.Written) })
	}
	if u.query != "" && t.isFull(u.Place) &&
		t.answerPress(ctx, u, say(t.words, u.By, "missed", "Name", u.By.Name), true) == nil {
		return nil
	}
	if err := t.answerPress(ctx, u, "", false); err != nil {
		return err
	}
	return logUndelivered(t.log, u, t.tell(ctx, u, u.Place, m, a.Written))
}

// apart sends something to a person's private chat. If that isn't open to norn, a text explains how
// to open it, without the contents.
func (t *Chat) apart(ctx context.Context, u incoming, tell func(place string) error) error {
	err := tell(idOf(u.from))
	_, shut := err.(*bridge.Gone)
	switch {
	case shut && u.query != "":
		return t.answerPress(ctx, u, say(t.words, u.By, "closed", "Name", u.By.Name)+" "+linkOf(t.self()), true)
	case shut:
		m := aside(say(t.words, u.By, "closed", "Name", u.By.Name))
		m.Link, m.LinkText = linkOf(t.self()), say(t.words, u.By, "open")
		return logUndelivered(t.log, u, t.tell(ctx, u, u.Place, m, nil))
	case err == nil:
		return t.answerPress(ctx, u, say(t.words, u.By, "there"), false)
	}
	return logUndelivered(t.log, u, err)
}

// tell sends a message in answer to an update. written, which may be nil, gets a function that
// edits it.
func (t *Chat) tell(ctx context.Context, u incoming, place string, m bridge.Message,
	written func(edit func(context.Context, bridge.Message) error),
) error {
	const tries = 3 // after cut connections
	return t.deliver(ctx, u, place, tries, func(ctx context.Context, owed bool) error {
		var to *models.ReplyParameters
		if place == u.Place && u.query == "" && !u.Private && !owed {
			to = &models.ReplyParameters{MessageID: u.message, AllowSendingWithoutReply: true}
		}
		id, err := t.post(ctx, place, m, to)
		if err == nil && written != nil {
			written(func(ctx context.Context, m bridge.Message) error { return t.Edit(ctx, place, id, m) })
		}
		return err
	})
}

// deliver writes something in answer to an update. If Telegram's limit is reached it's sent later,
// in order. A flooded chat loses answers, but never what it did, and people without an answer are
// informed.
func (t *Chat) deliver(ctx context.Context, u incoming, place string, tries int,
	write func(ctx context.Context, owed bool) error,
) error {
	chat := chatOf(place)
	if t.owed.length(chat) == 0 {
		err := ctx.Err()
		for try := range bridge.Tries(ctx, firstPause, maxPause) {
			err = write(ctx, false)
			_, gone := err.(*bridge.Gone)
			if err == nil || gone || retryAfter(err) > 0 || try == tries {
				break
			}
		}
		if retryAfter(err) == 0 {
			return err
		}
	}
	if t.isFull(place) {
		t.miss(u, place)
		return nil
	}
	t.owe(u, chat, func() error { return write(t.running, true) })
	return nil
}

// owe queues a message for a chat, to be sent as soon as Telegram accepts it.
func (t *Chat) owe(u incoming, chat string, write func() error) {
	t.owed.run(chat, func() {
		err := write()
		for retryAfter(err) > 0 && bridge.Wait(t.running, retryAfter(err)) == nil {
			err = write()
		}
		_ = logUndelivered(t.log, u, err)
	})
}

// isFull reports whether the maximum of answers waits for a place's chat.
func (t *Chat) isFull(place string) bool { return t.owed.length(chatOf(place)) >= maxOwed }

// miss notes that a person gets no answer in a place. One message after all waiting ones informs
// all of them.
func (t *Chat) miss(u incoming, place string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	missed, noted := t.missed[place]
	if !slices.ContainsFunc(missed, func(p bridge.Person) bool { return p.ID == u.By.ID }) {
		t.missed[place] = append(missed, u.By)
	}
	if noted {
		return
	}
	var m bridge.Message
	t.owe(u, chatOf(place), func() error {
		if m.Lines == nil {
			t.mu.Lock()
			for _, person := range t.missed[place] {
				m.Lines = append(m.Lines, bridge.Line{Text: say(t.words, person, "missed", "Name", person.Name)})
			}
			delete(t.missed, place) // others from now on get another message
			t.mu.Unlock()
		}
		_, err := t.post(t.running, place, m, nil)
		return err
	})
}

// chatOf returns the chat of a place, which includes all its topics.
func chatOf(place string) string { return strings.Join(strings.SplitN(place, ":", 3)[:2], ":") }

// logUndelivered logs an answer that couldn't be sent. The update is done, so it must not be
// repeated, unless norn stops meanwhile.
func logUndelivered(log *slog.Logger, u incoming, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		log.Warn("telegram takes no answer", "update", u.ID, "error", err)
	}
	return nil
}

// short returns a message as a popup text, if everything fits.
func short(m bridge.Message) (text string, ok bool) {
	texts := []string{m.Head}
	for _, line := range m.Lines {
		texts = append(texts, line.Text)
	}
	text = strings.TrimSpace(strings.Join(texts, "\n"))
	return text, text != "" && bridge.Units(text) <= maxAlert && m.Picture == nil && m.Link == "" &&
		len(m.Controls) == 0
}

// aside returns a message of one line.
func aside(text string) bridge.Message {
	return bridge.Message{Lines: []bridge.Line{{Text: text}}, Quiet: true}
}
