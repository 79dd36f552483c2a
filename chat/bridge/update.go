package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"norn/chat"
	"norn/chat/dispatch"
	"norn/internal/rescue"
	"norn/table"
	"norn/table/refusal"
)

// Do does what a person did in a chat. The place gets the result by its publisher, so the answer
// has only what nobody would see otherwise. A repeated update is done once. A refusal is in the
// answer; errors are norn's own failures.
func (b *Bridge) Do(ctx context.Context, u Update) (Answer, error) {
	b.count(platformOf(u.By.ID), "update")
	if err := b.visit(u.By.ID); err != nil {
		return personal(u, refusal.Say(table.VoiceOf(b.speaker(u)), err)), nil
	}
	first, err := b.attempts.begin(ctx, u.ID)
	if err != nil {
		return Answer{}, err
	}
	if !first { // norn ended while it did this, and mustn't do it again
		b.Log.ErrorContext(ctx, "chat: an update that norn had begun before it ended isn't repeated", "update", u.ID)
		return personal(u, b.speaker(u).Say("bridge.broken")), nil
	}
	defer b.attempts.end(context.WithoutCancel(ctx), u.ID)
	var a Answer
	err = rescue.Run(b.Log, "chat command", func() (err error) {
		if u.Press != "" {
			a, err = b.doPress(ctx, u)
		} else {
			a, err = b.doLine(ctx, u)
		}
		return err
	})
	if _, broken := errors.AsType[*rescue.Error](err); broken { // its host knows; trying again wouldn't help
		return personal(u, b.speaker(u).Say("bridge.broken")), nil
	}
	if u.Private {
		a.Alone = false // it's a private chat anyway
	}
	return a, err
}

// personal returns an answer that only the person sees.
func personal(u Update, text string) Answer {
	a := aloneAnswer(text)
	a.Alone = !u.Private
	return a
}

// doLine does what was written.
func (b *Bridge) doLine(ctx context.Context, u Update) (Answer, error) {
	u.Line = strings.TrimSpace(u.Line)
	if len(u.Line) > chat.MaxLine {
		u.Line = u.Line[:chat.MaxLine+1] // too long, so it's refused with an explanation
	}
	first, rest, _ := strings.Cut(strings.TrimPrefix(u.Line, "/"), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case means(b.Words, first, "bridge.verb.table"):
		return b.join(ctx, u, rest, true)
	case means(b.Words, first, "bridge.verb.sit"):
		return b.join(ctx, u, rest, false)
	case means(b.Words, first, "bridge.verb.leave"):
		return b.leave(ctx, u)
	case u.Line == "" || means(b.Words, first, "bridge.verb.help"):
		return b.help(ctx, u)
	}
	at, err := b.viewOfPerson(ctx, u.By, u.Place)
	if err != nil {
		return Answer{}, err
	}
	if at == nil {
		return b.serveUnseated(ctx, u)
	}
	b.reopen(at.tie)
	return actor{b, u, at}.runLine(ctx)
}

// doPress does what a control means.
func (b *Bridge) doPress(ctx context.Context, u Update) (Answer, error) {
	parts := partsOf(u.Press)
	if len(parts) == 2 {
		switch parts[0] {
		case "move":
			return b.doForm(ctx, u, parts[1])
		case "line":
			return b.runOfferedLine(ctx, u, parts[1])
		}
	}
	if len(parts) < 3 {
		return aloneAnswer(b.speaker(u).Say("bridge.old")), nil
	}
	at, err := b.viewOfTie(ctx, b.ties.newest(func(t Tie) bool {
		return t.Person == u.By.ID && shortHash(8, t.Table) == parts[1]
	}), u.Place)
	if err != nil {
		return Answer{}, err
	}
	if at == nil {
		return aloneAnswer(b.speaker(u).Say("bridge.no-seat", "Lead", b.lead(u.Place))), nil
	}
	b.reopen(at.tie)
	if parts[0] == "ask" {
		if q := at.myQuestion(parts[2]); q != nil {
			return b.ask(at, *q), nil
		}
		return aloneAnswer(at.say.Say("bridge.not-asked")), nil
	}
	if parts[0] == "take" {
		return actor{b, u, at}.run(ctx, chat.Command{Verb: chat.Take, Offer: parts[2]}, dispatch.How{Key: keyOf(u)})
	}
	for _, q := range at.view.Questions {
		name, now := at.questionKeys(q)
		if name != parts[2] {
			continue
		}
		if len(parts) < 4 || parts[3] != now { // the options have changed
			return b.ask(at, q), nil
		}
		return actor{b, u, at}.answerQuestion(ctx, q, parts)
	}
	if used, err := at.seat.KeyUsed(ctx, keyOf(u)); err != nil || used {
		return Answer{}, err
	}
	return aloneAnswer(at.say.Say("bridge.not-asked")), nil
}

// doForm makes the move of a submitted dialog.
func (b *Bridge) doForm(ctx context.Context, u Update, id string) (Answer, error) {
	d, err := b.drafts.of(ctx, u.By.ID, id)
	if err != nil {
		return Answer{}, err
	}
	if d == nil {
		return aloneAnswer(b.speaker(u).Say("bridge.old")), nil
	}
	at, err := b.viewOfTie(ctx, b.ties.byID(d.Tie), u.Place)
	if err != nil {
		return Answer{}, err
	}
	if at == nil {
		return aloneAnswer(b.speaker(u).Say("bridge.old")), nil
	}
	f, err := at.seat.MoveForm(ctx, d.Spot.Move, d.Spot.Actor)
	c := chat.Command{Verb: chat.Make, Spot: d.Spot, Form: f}
	if err != nil {
		return actor{b, u, at}.notDone(ctx, c, dispatch.How{}, err)
	}
	args := map[string]any{}
	_ = json.Unmarshal(d.Args, &args) // encoded by the line reader
	all, _ := formFields(f.Fields, "")
	if u.Fields == nil { // the dialog is opened again
		return Answer{Form: at.dialog(u.Press, at.word("move", c.Move), all, args)}, nil
	}
	at.fill(args, all, u.Fields)
	if c.Args, err = json.Marshal(args); err != nil {
		return Answer{}, err
	}
	return actor{b, u, at}.run(ctx, c, dispatch.How{Key: keyOf(u), Secret: d.Secret})
}

// keyOf returns the key that makes a repeated update harmless.
func keyOf(u Update) string { return "chat-" + shortHash(24, u.ID) }
