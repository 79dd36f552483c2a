package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/lang"
)

// kinds are the updates that norn wants to be told.
var kinds = bot.AllowedUpdates{models.AllowedUpdateMessage, models.AllowedUpdateCallbackQuery, models.AllowedUpdateInlineQuery}

// anonymous is the account behind which Telegram puts a group's administrators who write as the group.
const anonymous = 1087968824

// mostOwed is how many answers wait for a chat that Telegram has had enough for; the oldest go first.
const mostOwed = 16

// told is an update, taken apart.
type told struct {
	bridge.Update
	at      spot
	from    models.User
	message int    // that was written, or below which was pressed
	query   string // the press to be answered
	answers int    // the message that asked for it, whose buttons are done with
}

// lane is where what an update does is done in its order: a chat, or a person who only asks.
func lane(u *models.Update) string {
	switch {
	case u.Message != nil:
		return personID(u.Message.Chat.ID)
	case u.CallbackQuery != nil:
		if m := u.CallbackQuery.Message; m.Message != nil {
			return personID(m.Message.Chat.ID)
		} else if m.InaccessibleMessage != nil {
			return personID(m.InaccessibleMessage.Chat.ID)
		}
		return personID(u.CallbackQuery.From.ID)
	case u.InlineQuery != nil && u.InlineQuery.From != nil:
		return personID(u.InlineQuery.From.ID)
	}
	return ""
}

// take does what an update says. The error is norn's own fault, for which the update is to be told again.
func (t *Chat) take(ctx context.Context, u *models.Update) error {
	id := fmt.Sprintf("%s:%d:%d", name, t.bot.ID(), u.ID)
	switch {
	case u.Message != nil:
		return t.written(ctx, id, u.Message)
	case u.CallbackQuery != nil:
		return t.pressed(ctx, id, u.CallbackQuery)
	case u.InlineQuery != nil && u.InlineQuery.From != nil:
		return t.inline(ctx, id, u.InlineQuery)
	}
	return nil
}

// person is who did something.
func (t *Chat) person(u models.User) bridge.Person {
	p := bridge.Person{ID: personID(u.ID), Name: strings.TrimSpace(u.FirstName + " " + u.LastName)}
	p.Lang, _ = lang.Parse(u.LanguageCode)
	t.mu.Lock()
	t.names.keep(p.ID, u.FirstName)
	t.mu.Unlock()
	return p
}

// say is a text in somebody's language.
func (t *Chat) say(by bridge.Person, id string, data ...any) string {
	if by.Lang == "" {
		by.Lang = lang.En
	}
	return t.words.In(by.Lang).Say("telegram."+id, data...)
}

// written is a message that somebody wrote.
func (t *Chat) written(ctx context.Context, id string, m *models.Message) error {
	if m.MigrateToChatID != 0 {
		return t.moves(ctx, m.Chat.ID, m.MigrateToChatID)
	}
	if m.MigrateFromChatID != 0 {
		return t.moves(ctx, m.MigrateFromChatID, m.Chat.ID)
	}
	if m.From == nil || m.Text == "" || m.From.IsBot && m.From.ID != anonymous {
		return nil
	}
	u := told{from: *m.From, message: m.ID}
	u.at.chat = m.Chat.ID
	if m.IsTopicMessage {
		u.at.topic = m.MessageThreadID
	}
	u.ID, u.By, u.Place, u.Private = id, t.person(*m.From), t.place(u.at), m.Chat.Type == models.ChatTypePrivate
	if c, ok := t.reply(m); ok {
		u.answers = m.ReplyToMessage.ID
		return t.filled(ctx, u, c, m.Text)
	}
	line, meant := t.line(m.Text, u.Private)
	if u.Private {
		t.mu.Lock()
		waits, ok := t.asked[u.Place]
		delete(t.asked, u.Place)
		t.mu.Unlock()
		if ok && !strings.HasPrefix(m.Text, "/") {
			return t.filled(ctx, u, waits, m.Text)
		}
	}
	if !meant {
		return nil
	}
	if m.SenderChat != nil || m.From.ID == anonymous {
		return t.answer(ctx, u, bridge.Answer{Message: aside(t.say(u.By, "anonymous"))})
	}
	u.Line = line
	return t.do(ctx, u)
}

// reply is what a message of the bot's own keeps to which somebody replies.
func (t *Chat) reply(m *models.Message) (carried, bool) {
	to := m.ReplyToMessage
	if to == nil || to.From == nil || to.From.ID != t.bot.ID() {
		return carried{}, false
	}
	c, ok := outOfLink(slices.Concat(to.Entities, to.CaptionEntities))
	return c, ok && c.Form != ""
}

// line is what somebody wrote without the platform's own words. In a group norn is meant by its command alone: all else is talk among
// people, or for other bots.
func (t *Chat) line(text string, private bool) (line string, meant bool) {
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
	if named && !strings.EqualFold(whose, t.self().Username) {
		return "", false
	}
	switch command = strings.ToLower(command); {
	case command == "norn" && rest == "", command == "start" && rest == "":
		return "help", private || named || command == "norn"
	case command == "norn":
		return rest, true
	case command == "start":
		return "sit " + rest, private || named
	default: // the stroke stays, so that what is no command isn't taken for talk
		return strings.TrimSpace("/" + command + " " + rest), private || named
	}
}

// pressed is a button that somebody pressed.
func (t *Chat) pressed(ctx context.Context, id string, q *models.CallbackQuery) error {
	u := told{from: q.From, query: q.ID}
	u.ID, u.By = id, t.person(q.From)
	m := q.Message.Message
	switch {
	case m != nil:
		u.at.chat, u.message, u.Private = m.Chat.ID, m.ID, m.Chat.Type == models.ChatTypePrivate
		if m.IsTopicMessage {
			u.at.topic = m.MessageThreadID
		}
	case q.Message.InaccessibleMessage != nil: // too old to be told: its topic isn't known
		gone := q.Message.InaccessibleMessage
		u.at.chat, u.message, u.Private = gone.Chat.ID, gone.MessageID, gone.Chat.Type == models.ChatTypePrivate
	default:
		return t.heardPress(ctx, u, "", false)
	}
	u.Place = t.place(u.at)
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
		return t.heardPress(ctx, u, "", false)
	case toggles:
		_, err := t.bot.EditMessageReplyMarkup(ctx, &bot.EditMessageReplyMarkupParams{ChatID: u.at.chat, MessageID: u.message, ReplyMarkup: toggled(keyboard, q.Data)})
		if err := t.fault(unchanged(err)); err != nil {
			t.log.Debug("telegram takes no mark", "error", err)
		}
		return t.heardPress(ctx, u, "", false)
	case sent:
		chosen = marks(keyboard, control, keeps.Values)
	}
	u.Press, u.Values = control, chosen
	return t.do(ctx, u)
}

// heardPress ends the waiting of whoever pressed, with a word where there's one. Telegram forgets presses soon, so it's no fault where that comes
// too late.
func (t *Chat) heardPress(ctx context.Context, u told, text string, alert bool) error {
	if u.query == "" {
		return nil
	}
	text = cut(text, mostAlert)
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if _, err := t.bot.AnswerCallbackQuery(limited, &bot.AnswerCallbackQueryParams{CallbackQueryID: u.query, Text: text, ShowAlert: alert}); err != nil {
		t.log.Debug("telegram takes no answer to a press", "error", t.fault(err))
		if alert {
			return t.fault(err)
		}
	}
	return nil
}

// do has the bridge do it, and says what it answers.
func (t *Chat) do(ctx context.Context, u told) error {
	a, err := t.hearer.Do(ctx, u.Update)
	if err != nil {
		return err
	}
	if a.Form != nil {
		c := carried{Press: u.Press, Line: u.Line, Form: a.Form.ID, Who: u.from.ID}
		t.opens(a.Form)
		return t.ask(ctx, u, a.Form, c, a.Alone, "")
	}
	return t.answer(ctx, u, a)
}

// answer says what the bridge answers: to one alone by a word on the screen that was pressed, else in that person's own chat, to all in
// place. What Telegram doesn't take now is said later; that holds up nothing.
func (t *Chat) answer(ctx context.Context, u told, a bridge.Answer) error {
	m := a.Message
	if m.Empty() {
		return t.heardPress(ctx, u, "", false)
	}
	if a.Alone && !u.Private {
		if text, short := short(m); short && u.query != "" && t.heardPress(ctx, u, text, true) == nil {
			return nil
		}
		return t.apart(ctx, u, func(place string) error { return t.tell(ctx, u, place, m) })
	}
	if err := t.heardPress(ctx, u, "", false); err != nil {
		return err
	}
	return t.undelivered(u, t.tell(ctx, u, u.Place, m))
}

// apart says something in a person's own chat rather than before all. Where that chat isn't open to norn, a word says how to open it, and nothing of
// what is to be said.
func (t *Chat) apart(ctx context.Context, u told, say func(place string) error) error {
	err := say(personID(u.from.ID))
	_, shut := err.(*bridge.Gone)
	switch {
	case shut && u.query != "":
		return t.heardPress(ctx, u, t.say(u.By, "closed", "Name", u.By.Name)+" "+t.link(), true)
	case shut:
		m := aside(t.say(u.By, "closed", "Name", u.By.Name))
		m.Link, m.LinkText = t.link(), t.say(u.By, "open")
		return t.undelivered(u, t.tell(ctx, u, u.Place, m))
	case err == nil:
		return t.heardPress(ctx, u, t.say(u.By, "there"), false)
	}
	return t.undelivered(u, err)
}

// tell says something in answer to an update.
func (t *Chat) tell(ctx context.Context, u told, place string, m bridge.Message) error {
	if t.owes(place) {
		t.owe(ctx, u, place, m)
		return nil
	}
	var to *models.ReplyParameters
	if place == u.Place && u.query == "" && !u.Private {
		to = &models.ReplyParameters{MessageID: u.message, AllowSendingWithoutReply: true}
	}
	for try := 0; ; try++ { // a connection may be cut
		_, err := t.post(ctx, place, m, to)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if _, is := err.(*bridge.Later); is {
			t.owe(ctx, u, place, m)
			return nil
		}
		if _, is := err.(*bridge.Gone); is || try == 2 || rest(ctx, firstPause<<try) != nil {
			return err
		}
	}
}

// undelivered notes what couldn't be said; what was done stays done, so it's no reason to be told again, unless norn stops meanwhile.
func (t *Chat) undelivered(u told, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		t.log.Warn("telegram takes no answer", "update", u.ID, "error", err)
	}
	return nil
}

// short is a message as a word on the screen, where that holds all of it.
func short(m bridge.Message) (text string, ok bool) {
	texts := []string{m.Head}
	for _, line := range m.Lines {
		texts = append(texts, line.Text)
	}
	text = strings.TrimSpace(strings.Join(texts, "\n"))
	return text, text != "" && units(text) <= mostAlert && m.Picture == nil && m.Link == "" && len(m.Controls) == 0
}

// aside is a message of one line.
func aside(text string) bridge.Message {
	return bridge.Message{Lines: []bridge.Line{{Text: text}}, Quiet: true}
}

// owing is what is to be said when Telegram takes it.
type owing struct {
	u     told
	place string
	m     bridge.Message
}

// owes tells whether something waits already, so that order is kept.
func (t *Chat) owes(place string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.owed[base(place)]) > 0
}

// owe keeps an answer until Telegram takes it. A chat that asks too much loses its oldest answers, never what it did.
func (t *Chat) owe(ctx context.Context, u told, place string, m bridge.Message) {
	key := base(place)
	t.mu.Lock()
	first := len(t.owed[key]) == 0
	t.owed[key] = append(t.owed[key], owing{u, place, m})
	if over := len(t.owed[key]) - mostOwed; over > 0 {
		t.owed[key] = slices.Clone(t.owed[key][over:])
	}
	t.mu.Unlock()
	if first {
		t.lanes.run("owed "+key, func() { t.pay(ctx, key) })
	}
}

// pay says what waits for a chat.
func (t *Chat) pay(ctx context.Context, key string) {
	for pause := time.Duration(0); rest(ctx, pause) == nil; {
		t.mu.Lock()
		if len(t.owed[key]) == 0 {
			delete(t.owed, key)
			t.mu.Unlock()
			return
		}
		next := t.owed[key][0]
		t.mu.Unlock()
		_, err := t.post(ctx, next.place, next.m, nil)
		if pause = after(err); pause > 0 {
			continue
		}
		t.undelivered(next.u, err)
		t.mu.Lock()
		if now := t.owed[key]; len(now) > 0 && now[0].u.ID == next.u.ID {
			t.owed[key] = slices.Clone(now[1:])
		}
		t.mu.Unlock()
	}
}
