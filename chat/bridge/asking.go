package bridge

import (
	"context"
	"slices"
	"time"

	"norn/internal/rescue"
	"norn/table/view"
)

// asking is a message that only one person sees, as an answer to a press or a line: a question, or
// the card of an unfinished move. No publisher edits it, so it follows the table here, and what is
// answered on it needs no second message.
type asking struct {
	end      context.CancelFunc
	move     string
	question string // "" for the card
	said     string // the answer that the person gave
}

const (
	askingLasts = 14 * time.Minute // Discord lets such a message be edited for fifteen
	maxAsking   = 8                // of a person; older messages keep their buttons
)

// ask shows a question to one person. Its buttons disappear once it has been answered anywhere.
func (b *Bridge) ask(at *seatView, q view.Question) Answer {
	m := at.question(q)
	a := Answer{Message: m, Alone: true}
	if len(m.Controls) == 0 {
		return a
	}
	return b.following(a, at, asking{move: q.Move, question: q.ID}, func(now *seatView, said string) (Message, bool) {
		if slices.ContainsFunc(now.view.Questions, func(one view.Question) bool { return one.ID == q.ID && one.Mine }) {
			return m, false
		}
		done := m
		if said == "" {
			said = at.say.Say("bridge.went-on")
		}
		done.Controls, done.Lines = nil, append(slices.Clone(m.Lines), Line{Text: said, Weight: Small})
		return done, true
	})
}

// card shows a move to one person. It is edited until the move waits for nobody.
func (b *Bridge) card(ctx context.Context, at *seatView, move string) (Answer, error) {
	entries, err := at.seat.EntriesOfMove(ctx, move)
	if err != nil || len(entries) == 0 {
		return Answer{}, err
	}
	a := Answer{Message: at.move(move, entries), Alone: true}
	if !at.waits(move) {
		return a, nil
	}
	stands := a.Message
	return b.following(a, at, asking{move: move}, func(now *seatView, _ string) (Message, bool) {
		if entries, err := now.seat.EntriesOfMove(b.ctx, move); err == nil && len(entries) > 0 {
			stands = now.move(move, entries)
		}
		return stands, !now.waits(move)
	}), nil
}

// waits reports whether a move waits for somebody.
func (s *seatView) waits(move string) bool {
	return slices.ContainsFunc(s.view.Questions, func(q view.Question) bool { return q.Move == move }) ||
		slices.ContainsFunc(s.view.Waiting, func(w view.Waiting) bool { return w.Move == move })
}

// following returns an answer whose message becomes what now makes of the table, until that says
// that it's the last one.
func (b *Bridge) following(a Answer, at *seatView, of asking,
	now func(at *seatView, said string) (Message, bool),
) Answer {
	a.Written = func(edit func(context.Context, Message) error) {
		ctx, cancel := context.WithTimeout(b.ctx, askingLasts)
		one := &of
		one.end = cancel
		person := at.tie.Person
		b.mu.Lock()
		if all := b.asked[person]; len(all) >= maxAsking {
			all[0].end()
		}
		b.asked[person] = append(b.asked[person], one)
		b.mu.Unlock()
		b.done.Go(rescue.Wrap(b.Log, "chat question", func() {
			defer cancel()
			defer func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.asked[person] = slices.DeleteFunc(b.asked[person], func(a *asking) bool { return a == one })
				if len(b.asked[person]) == 0 {
					delete(b.asked, person)
				}
			}()
			shown := encodeJSON(a.Message)
			for _, err := range at.seat.Follow(ctx, at.view.Seq) {
				if err != nil {
					return
				}
				still, err := b.look(ctx, at.tie, at.seat, at.lead)
				if err != nil {
					return
				}
				b.mu.Lock()
				said := one.said
				b.mu.Unlock()
				m, last := now(still, said)
				if sum := encodeJSON(m); sum != shown {
					shown = sum
					b.logFailure("an answered question keeps its buttons", edit(ctx, m))
				}
				if last {
					return
				}
			}
		}))
	}
	return a
}

// answers notes on a person's messages about a question what they answer, and reports whether one of
// them shows the question alone, or the whole move.
func (b *Bridge) answers(person string, q view.Question, said string) (alone, whole bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.asked[person] {
		switch {
		case one.question == q.ID:
			one.said, alone = said, true
		case one.question == "" && one.move == q.Move:
			whole = true
		}
	}
	return alone, whole
}
