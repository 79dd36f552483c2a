package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"norn/chat"
	"norn/chat/dispatch"
	"norn/form"
	"norn/game"
	"norn/internal/lab"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// actor is a person who does something with their seat.
type actor struct {
	*Bridge
	u  Update
	at *seatView
}

// runLine makes the seat do what a line says.
func (a actor) runLine(ctx context.Context) (Answer, error) {
	book := book(ctx, a.Words, a.at)
	text, how := a.u.Line, dispatch.How{Key: keyOf(a.u)}
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case means(a.Words, first, "bridge.verb.say") && rest != "":
		text = rest
		if strings.HasPrefix(text, "/") {
			text = "/" + text
		}
	case means(a.Words, first, "bridge.verb.secret") && rest != "":
		if a.at.seat.Role() != game.Master {
			return aloneAnswer(a.at.say.Say("bridge.not-secret")), nil
		}
		how.Secret, text = true, "/"+strings.TrimPrefix(rest, "/")
	case !strings.HasPrefix(text, "/") && book.Commands(text):
		text = "/" + text
	case a.lacksCharacter(book, text):
		m := textMessage(a.at.say.Say("bridge.no-character", "Line", text, "Lead", a.at.lead))
		m.Link, m.LinkText = a.at.tie.Link, a.at.say.Say("bridge.open")
		return Answer{Message: m, Alone: true}, nil
	case !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "@"):
		if better := meantMove(book, text); better != "" {
			said := a.at.say.Say("bridge.said-or-done", "Line", strings.TrimPrefix(better, "/"))
			return a.offerLines(ctx, said, better, firstWord(a.at.say.Say("bridge.verb.say"))+" "+text)
		}
	}
	c, err := book.Read(text)
	how.Secret = how.Secret || c.Secret
	if wrong, is := errors.AsType[*chat.Error](err); is {
		if better := mend(book, text, wrong); better != "" {
			if how.Secret {
				better = firstWord(a.at.say.Say("bridge.verb.secret")) + " " + strings.TrimPrefix(better, "/")
			}
			return a.offerLines(ctx, wrong.Say(a.at.say), better)
		}
	}
	if err != nil {
		return a.notDone(ctx, c, how, err)
	}
	if a.at.seat.Role() == game.Spectator && c.Verb != chat.Odds {
		return aloneAnswer(a.at.say.Say("bridge.spectator")), nil
	}
	if c.Verb == chat.Odds {
		return a.chances(ctx, c)
	}
	used, err := a.at.seat.KeyUsed(ctx, how.Key)
	if err != nil {
		return Answer{}, err
	}
	if used && c.Verb == chat.Undo { // the newest entry is another one by now
		return Answer{}, nil
	}
	return a.run(ctx, c, how)
}

// run does a command and returns what the person wouldn't see otherwise.
func (a actor) run(ctx context.Context, c chat.Command, how dispatch.How) (Answer, error) {
	done, err := dispatch.Do(ctx, a.at.seat, c, how)
	if err != nil {
		return a.notDone(ctx, c, how, err)
	}
	return a.answerAfter(ctx, done.Entry, done.Open)
}

// answerAfter returns what a person must see after an act: their new question, and what isn't
// posted where they read.
func (a actor) answerAfter(ctx context.Context, e view.Entry, open []view.Question) (Answer, error) {
	if told, err := a.toldIn(ctx, e); err != nil {
		return Answer{}, err
	} else if told {
		if a.u.Private {
			return Answer{}, nil
		}
		if e.Secret { // its message has the question, too
			return Answer{}, nil
		}
		return a.askNext(open), nil
	}
	now, err := a.viewOfTie(ctx, a.at.tie, a.u.Place)
	if err != nil || now == nil {
		return Answer{}, err
	}
	if e.Move == "" {
		m := now.entry(e)
		if m.Empty() {
			m = textMessage(now.say.Say("bridge.done"))
		}
		return Answer{Message: m, Alone: true}, nil
	}
	return a.card(ctx, now, e.Move)
}

// toldIn reports whether an entry gets posted where the person has acted, or a secret one in their
// private chat.
func (a actor) toldIn(ctx context.Context, e view.Entry) (bool, error) {
	here := a.ties.ofPlace(a.u.Place)
	if here != nil && here.Table == a.at.tie.Table {
		if !e.Secret || !a.isFollowed() {
			return !e.Secret, nil
		}
		d, err := loadDelivery(ctx, a.Store, a.at.tie.ID)
		return err == nil && !d.Shut, err
	}
	if !a.u.Private {
		return false, nil
	}
	// the private chat gets everything, or what the channel doesn't get
	return (a.ties.beside(a.at.tie) == nil || e.Secret) && a.isFollowed(), nil
}

// isFollowed reports whether a node posts for this tie.
func (a actor) isFollowed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Shared || a.publishers[a.at.tie.ID] != nil
}

// notDone says why a command wasn't done. If a move lacks required values, it opens a dialog for
// them.
func (a actor) notDone(ctx context.Context, c chat.Command, how dispatch.How, err error) (Answer, error) {
	// it's done already, and the table has moved on
	if _, reused := errors.AsType[*refusal.KeyReusedError](err); reused {
		return Answer{}, nil
	}
	if problems, _ := refusal.Split(err, "args"); c.Verb == chat.Make && c.Form != nil &&
		slices.ContainsFunc(problems, func(p form.Problem) bool {
			return p.Code == form.Missing
		}) {
		if d, err := a.dialogFor(ctx, c, how); d != nil || err != nil {
			return Answer{Form: d}, err
		}
	}
	text := dispatch.Problem(a.at.voice, c, err, a.at.problem)
	if text == "" {
		return Answer{}, err
	}
	return aloneAnswer(text), nil
}

// dialogFor returns a dialog for a move's missing values, nil if a chat can't ask for them.
func (a actor) dialogFor(ctx context.Context, c chat.Command, how dispatch.How) (*Form, error) {
	all, whole := formFields(c.Form.Fields, "")
	if !whole || len(all) == 0 {
		return nil, nil
	}
	given := map[string]any{}
	_ = json.Unmarshal(c.Args, &given) // the line reader wrote it
	id := shortHash(12, a.u.ID)
	if err := a.drafts.keep(ctx, id,
		draft{By: a.u.By.ID, Tie: a.at.tie.ID, Spot: c.Spot, Args: c.Args, Secret: how.Secret}); err != nil {
		return nil, err
	}
	return a.at.dialog(joinID("move", id), a.at.word("move", c.Move), all, given), nil
}

// answerQuestion answers a question with a control, or opens its dialog.
func (a actor) answerQuestion(ctx context.Context, q view.Question, parts []string) (Answer, error) {
	all, _ := formFields(q.Form.Fields, "")
	answer := standardAnswer(q)
	switch {
	case parts[0] == "std":
	case parts[0] == "roll" && q.Dice != nil:
		answer["roll"] = true
	case parts[0] == "form" && a.u.Fields == nil:
		return Answer{Form: a.at.dialog(a.u.Press, q.Text, all, answer)}, nil
	case parts[0] == "form":
		a.at.fill(answer, all, a.u.Fields)
	case parts[0] == "one" && len(parts) == 5 && len(a.u.Values) > 0:
		i, err := strconv.Atoi(parts[4])
		if err != nil || i < 0 || i >= len(all) {
			return aloneAnswer(a.at.say.Say("bridge.old")), nil
		}
		setAt(answer, all[i].path, value(a.at, all[i].Field, a.u.Values))
	case parts[0] == "pick" && len(parts) == 5 && len(all) == 1:
		values := a.u.Values
		if len(values) == 0 {
			values = []string{parts[4]}
		}
		setAt(answer, all[0].path, value(a.at, all[0].Field, values))
	default:
		return aloneAnswer(a.at.say.Say("bridge.old")), nil
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return Answer{}, err
	}
	text := a.at.say.Say("bridge.done")
	clear(answer)
	_ = json.Unmarshal(data, &answer) // as JSON has it
	if chosen := a.at.valueTexts(q.Form.Fields, answer); len(chosen) > 0 {
		text = a.at.say.Say("bridge.answered", "Text", strings.Join(chosen, ", "))
	}
	alone, whole := a.answers(a.u.By.ID, q, text)
	made, err := a.at.seat.Answer(ctx, request.Answer{Question: q.ID, Answer: data, Key: keyOf(a.u)})
	if err != nil {
		a.answers(a.u.By.ID, q, "")
		return a.notDone(ctx, chat.Command{Verb: chat.Answer, Form: q.Form}, dispatch.How{}, err)
	}
	if whole { // the card itself goes on
		return Answer{}, nil
	}
	if alone {
		return a.askNext(made.Open), nil
	}
	said, err := a.answerAfter(ctx, made.Entry, made.Open)
	if err == nil && said.Message.Empty() && !a.u.Private {
		said = aloneAnswer(text)
	}
	return said, err
}

// askNext shows the person's next question, if there is one.
func (a actor) askNext(open []view.Question) Answer {
	for _, q := range open {
		if q.Mine {
			return a.ask(a.at, q)
		}
	}
	return Answer{}
}

// chances shows the odds of a move at the table, only to the person who asked.
func (a actor) chances(ctx context.Context, c chat.Command) (Answer, error) {
	g := a.at.seat.Game()
	m, ok := g.Move(c.Move)
	if !ok && c.Move == game.PlainDice {
		m, ok = &game.Plain, true
	}
	if !ok {
		return aloneAnswer(a.at.say.Say("bridge.unknown", "Lead", a.at.lead)), nil
	}
	title := a.at.word("move", c.Move)
	if c.Actor != "" {
		title = a.at.voice.Name(c.Actor) + " · " + title
	}
	if len(c.Given) > 0 {
		title += " · " + strings.Join(c.Given, ", ")
	}
	var plain game.Notation
	if c.Move == game.PlainDice {
		_ = json.Unmarshal(c.Args, &plain) // invalid notation has no names
		plain.As = cmp.Or(plain.As, a.at.view.Values.Notation)
	}
	w := lab.WordingOf(a.at.voice, g, m, plain)
	said, err := a.oddsAnswer(ctx, a.u, a.at.say, title, func(ctx context.Context) (lab.Description, error) {
		found, err := a.at.seat.Odds(ctx, request.Move{Move: c.Move, Character: c.Actor, Args: c.Args})
		if err != nil {
			return lab.Description{}, err
		}
		return w.Describe(found, lab.MaxRows), nil
	})
	if err != nil {
		return a.notDone(ctx, c, dispatch.How{}, err)
	}
	return said, nil
}
