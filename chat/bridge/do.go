package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/chat"
	"norn/chat/line"
	"norn/form"
	"norn/game"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Do does what somebody did in a chat: what it has done, the place is told by itself, so that the answer says no more than nobody would else hear.
// Told twice it's done once. What can't be done the answer says; errors are norn's own faults.
func (b *Bridge) Do(ctx context.Context, u Update) (Answer, error) {
	b.count(platformOf(u.By.ID), "update")
	var (
		a   Answer
		err error
	)
	switch {
	case u.Press != "":
		a, err = b.pressed(ctx, u)
	default:
		a, err = b.line(ctx, u)
	}
	if u.Private {
		a.Alone = false // nobody else reads there
	}
	return a, err
}

// line does what was written.
func (b *Bridge) line(ctx context.Context, u Update) (Answer, error) {
	u.Line = strings.TrimSpace(u.Line)
	if len(u.Line) > mostLine {
		u.Line = u.Line[:mostLine+1] // which is refused in words
	}
	first, rest, _ := strings.Cut(strings.TrimPrefix(u.Line, "/"), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case b.means(first, "table"):
		return b.join(ctx, u, rest, true)
	case b.means(first, "sit"):
		return b.join(ctx, u, rest, false)
	case b.means(first, "leave"):
		return b.leave(ctx, u)
	case u.Line == "" || b.means(first, "help"):
		return b.help(ctx, u)
	}
	at, err := b.seated(ctx, u.By, u.Place)
	if err != nil {
		return Answer{}, err
	}
	if at == nil {
		return b.unseated(ctx, u)
	}
	b.heard(at.tie)
	return b.written(ctx, u, at)
}

// seated is how somebody sees the table at which they sit; nil where they sit at none.
func (b *Bridge) seated(ctx context.Context, by Person, place string) (*sight, error) {
	t := b.of(by.ID, place)
	if t == nil {
		return nil, nil
	}
	return b.sits(ctx, t)
}

func (b *Bridge) sits(ctx context.Context, t *Tie) (*sight, error) {
	seat, err := b.Host.Enter(ctx, t.Table, t.Secret, t.Lang)
	if refusal.IsGone(err) {
		b.over(ctx, t, endedSeat)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return b.looking(ctx, t, seat)
}

// book is what the seat can say.
func (b *Bridge) book(ctx context.Context, at *sight) *chat.Book {
	return line.Book(ctx, b.Words, at.tie.Lang, &at.seat.Reader, at.view, "")
}

// written has the seat do what a line says.
func (b *Bridge) written(ctx context.Context, u Update, at *sight) (Answer, error) {
	book := b.book(ctx, at)
	text, how := u.Line, line.How{Key: keyOf(u)}
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case b.means(first, "say") && rest != "":
		text = rest
		if strings.HasPrefix(text, "/") {
			text = "/" + text
		}
	case b.means(first, "secret") && rest != "":
		if at.seat.Role() != game.Master {
			return alone(at.say.Say("bridge.not-secret")), nil
		}
		how.Secret, text = true, "/"+strings.TrimPrefix(rest, "/")
	case !strings.HasPrefix(text, "/") && book.Commands(text):
		text = "/" + text
	}
	c, err := book.Read(text)
	if err != nil {
		return b.notDone(at, u, c, how, err)
	}
	if at.seat.Role() == game.Spectator && c.Verb != chat.Odds {
		return alone(at.say.Say("bridge.spectator")), nil
	}
	if c.Verb == chat.Odds {
		return b.chances(ctx, u, at, c)
	}
	used, err := at.seat.Used(ctx, how.Key)
	if err != nil {
		return Answer{}, err
	}
	if used && c.Verb == chat.Undo { // what is newest now is another
		return Answer{}, nil
	}
	return b.did(ctx, u, at, c, how)
}

// did does a command, and says what nobody would else hear.
func (b *Bridge) did(ctx context.Context, u Update, at *sight, c chat.Command, how line.How) (Answer, error) {
	done, err := line.Do(ctx, at.seat, c, how)
	if err != nil {
		return b.notDone(at, u, c, how, err)
	}
	return b.after(ctx, u, at, done.Entry, done.Open)
}

// after is what somebody hears of what they did: what is asked of them now, and what is told nowhere where they read.
func (b *Bridge) after(ctx context.Context, u Update, at *sight, e view.Entry, open []view.Question) (Answer, error) {
	if b.toldIn(u, at.tie, e) {
		if u.Private {
			return Answer{}, nil
		}
		for _, q := range open {
			if q.Mine {
				return Answer{Message: at.question(q), Alone: true}, nil
			}
		}
		return Answer{}, nil
	}
	now, err := b.sits(ctx, at.tie)
	if err != nil || now == nil {
		return Answer{}, err
	}
	if e.Move == "" {
		m := now.entry(e)
		if m.Empty() {
			m = said(now.say.Say("bridge.done"))
		}
		return Answer{Message: m, Alone: true}, nil
	}
	entries, err := now.seat.Whole(ctx, e.Move)
	if err != nil || len(entries) == 0 {
		return Answer{}, err
	}
	return Answer{Message: now.move(e.Move, entries), Alone: true}, nil
}

// toldIn tells whether the place where somebody acts is told of an entry by itself.
func (b *Bridge) toldIn(u Update, own *Tie, e view.Entry) bool {
	here := b.at(u.Place)
	if here != nil && here.Table == own.Table {
		return !e.Secret
	}
	if !u.Private {
		return false
	}
	place := b.find(func(t *Tie) bool { return t.Place != "" && t.Platform == own.Platform && t.Table == own.Table })
	return (place == nil || e.Secret) && b.teller(own) // all of it, or what the place doesn't hear, is told in private
}

// teller tells whether a tie is being told, by this node or another.
func (b *Bridge) teller(t *Tie) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Shared || b.tellers[t.ID] != nil
}

// notDone says why not. A move that lacks what must be given is asked for by a dialog.
func (b *Bridge) notDone(at *sight, u Update, c chat.Command, how line.How, err error) (Answer, error) {
	if _, reused := errors.AsType[*refusal.KeyReusedError](err); reused { // it's done; the table has moved on since
		return Answer{}, nil
	}
	if problems, _ := refusal.Split(err, "args"); c.Verb == chat.Make && c.Form != nil && slices.ContainsFunc(problems, func(p form.Problem) bool { return p.Code == form.Missing }) {
		if d := b.asksFor(at, u, c, how); d != nil {
			return Answer{Form: d}, nil
		}
	}
	text := line.Problem(at.voice, c, err, at.problem)
	if text == "" {
		return Answer{}, err
	}
	return alone(text), nil
}

// refused words a refusal for a seat.
func (b *Bridge) refused(ctx context.Context, at *table.Reader, err error) string {
	voice, _ := at.Voice(ctx) // it speaks without names, too
	return refusal.Say(voice, err)
}

// draft is a move for which a dialog was handed out.
type draft struct {
	by     string
	tie    string
	spot   chat.Spot
	args   json.RawMessage
	secret bool
	until  time.Time
}

const mostDrafts = 2000

// asksFor is a dialog for what a move still needs.
func (b *Bridge) asksFor(at *sight, u Update, c chat.Command, how line.How) *Form {
	all, whole := spots(c.Form.Fields, "")
	if !whole || len(all) == 0 {
		return nil
	}
	given := map[string]any{}
	_ = json.Unmarshal(c.Args, &given) // what the line gave was written by it
	id := short(12, u.ID)
	now := b.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	for key, d := range b.drafts {
		if now.After(d.until) {
			delete(b.drafts, key)
		}
	}
	if len(b.drafts) >= mostDrafts {
		return nil
	}
	b.drafts[id] = draft{by: u.By.ID, tie: at.tie.ID, spot: c.Spot, args: c.Args, secret: how.Secret, until: now.Add(15 * time.Minute)}
	return at.dialog(joinID("move", id), at.say.Say(at.seat.Game().Word("move", c.Move)), all, given)
}

// pressed does what a control says.
func (b *Bridge) pressed(ctx context.Context, u Update) (Answer, error) {
	parts := partsOf(u.Press)
	if parts[0] == "move" && len(parts) == 2 {
		return b.filled(ctx, u, parts[1])
	}
	if len(parts) < 3 {
		return alone(b.speaker(b.langOf(u)).Say("bridge.old")), nil
	}
	t := b.find(func(t *Tie) bool { return t.Person == u.By.ID && short(8, t.Table) == parts[1] })
	if t == nil {
		return alone(b.speaker(b.langOf(u)).Say("bridge.no-seat")), nil
	}
	b.heard(t)
	at, err := b.sits(ctx, t)
	if err != nil {
		return Answer{}, err
	}
	if at == nil {
		return alone(b.speaker(b.langOf(u)).Say("bridge.no-seat")), nil
	}
	if parts[0] == "ask" {
		for _, q := range at.view.Questions {
			if q.Move == parts[2] && q.Mine {
				return Answer{Message: at.question(q), Alone: true}, nil
			}
		}
		return alone(at.say.Say("bridge.not-asked")), nil
	}
	for _, q := range at.view.Questions {
		name, now := at.asking(q)
		if name != parts[2] {
			continue
		}
		if len(parts) < 4 || parts[3] != now { // other choices since
			return Answer{Message: at.question(q), Alone: true}, nil
		}
		return b.answered(ctx, u, at, q, parts)
	}
	if used, err := at.seat.Used(ctx, keyOf(u)); err != nil || used {
		return Answer{}, err
	}
	return alone(at.say.Say("bridge.not-asked")), nil
}

// answered answers a question by a control, or hands out its dialog.
func (b *Bridge) answered(ctx context.Context, u Update, at *sight, q view.Question, parts []string) (Answer, error) {
	all, _ := spots(q.Form.Fields, "")
	answer := standing(q)
	switch {
	case parts[0] == "std":
	case parts[0] == "form" && u.Fields == nil:
		return Answer{Form: at.dialog(u.Press, q.Text, all, answer)}, nil
	case parts[0] == "form":
		for _, f := range all {
			if text, given := u.Fields[cut(f.path, 60)]; given {
				put(answer, f.path, value(at, f.Field, []string{text}))
			}
		}
	case parts[0] == "one" && len(parts) == 5 && len(u.Values) > 0:
		i, err := strconv.Atoi(parts[4])
		if err != nil || i < 0 || i >= len(all) {
			return alone(at.say.Say("bridge.old")), nil
		}
		put(answer, all[i].path, value(at, all[i].Field, u.Values))
	case parts[0] == "pick" && len(parts) == 5 && len(all) == 1:
		values := u.Values
		if len(values) == 0 {
			values = []string{parts[4]}
		}
		put(answer, all[0].path, value(at, all[0].Field, values))
	default:
		return alone(at.say.Say("bridge.old")), nil
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return Answer{}, err
	}
	made, err := at.seat.Answer(ctx, request.Answer{Question: q.ID, Answer: data, Key: keyOf(u)})
	if err != nil {
		return b.notDone(at, u, chat.Command{Verb: chat.Answer, Form: q.Form}, line.How{}, err)
	}
	a, err := b.after(ctx, u, at, made.Entry, made.Open)
	if err == nil && a.Message.Empty() && !u.Private {
		text := at.say.Say("bridge.done")
		if said := at.seat.Game().Choices(at.voice, q.Form, answer); len(said) > 0 {
			text = at.say.Say("bridge.answered", "Text", strings.Join(said, " · "))
		}
		a = alone(text)
	}
	return a, err
}

// filled makes the move for which a dialog was filled in.
func (b *Bridge) filled(ctx context.Context, u Update, id string) (Answer, error) {
	b.mu.Lock()
	d, there := b.drafts[id]
	t := b.ties[d.tie]
	b.mu.Unlock()
	if !there || d.by != u.By.ID || t == nil {
		return alone(b.speaker(b.langOf(u)).Say("bridge.old")), nil
	}
	at, err := b.sits(ctx, t)
	if err != nil || at == nil {
		return Answer{}, err
	}
	f, err := at.seat.MoveForm(ctx, d.spot.Move, d.spot.Actor)
	c := chat.Command{Verb: chat.Make, Spot: d.spot, Form: f}
	if err != nil {
		return b.notDone(at, u, c, line.How{}, err)
	}
	args := map[string]any{}
	_ = json.Unmarshal(d.args, &args) // written by the line
	all, _ := spots(f.Fields, "")
	for _, one := range all {
		if text, given := u.Fields[cut(one.path, 60)]; given {
			put(args, one.path, value(at, one.Field, []string{text}))
		}
	}
	if c.Args, err = json.Marshal(args); err != nil {
		return Answer{}, err
	}
	done, err := line.Do(ctx, at.seat, c, line.How{Key: keyOf(u), Secret: d.secret})
	if err != nil {
		if text := line.Problem(at.voice, c, err, at.problem); text != "" {
			return alone(text), nil
		}
		return Answer{}, err
	}
	return b.after(ctx, u, at, done.Entry, done.Open)
}
