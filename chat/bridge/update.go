package bridge

import (
	"context"
	"encoding/json"
	"strings"

	"norn/chat"
	"norn/chat/dispatch"
	"norn/table"
	"norn/table/refusal"
)

// Do does what a person did in a chat. The place gets the result by its publisher, so the answer
// has only what nobody would see otherwise. A repeated update is done once. A refusal is in the
// answer; errors are norn's own failures.
func (b *Bridge) Do(ctx context.Context, u Update) (Answer, error) {
	b.count(platformOf(u.By.ID), "update")
	var (
		a   Answer
		err = b.visit(u.By.ID)
	)
	switch {
	case err != nil:
		a, err = aloneAnswer(refusal.Say(table.VoiceOf(b.speaker(u)), err)), nil
	case u.Press != "":
		a, err = b.doPress(ctx, u)
	default:
		a, err = b.doLine(ctx, u)
	}
	if u.Private {
		a.Alone = false // it's a private chat anyway
	}
	return a, err
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
	}))
	if err != nil {
		return Answer{}, err
	}
	if at == nil {
		return aloneAnswer(b.speaker(u).Say("bridge.no-seat")), nil
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
	at, err := b.viewOfTie(ctx, b.ties.byID(d.Tie))
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
