package bridge

import (
	"context"
	"slices"
	"time"

	"norn/internal/rescue"
	"norn/table/view"
)

// asking is a message with a question that only one person sees, as an answer to a press or a line.
// No publisher edits it, so it's watched here until the question is answered.
type asking struct{ end context.CancelFunc }

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
	a.Written = func(edit func(context.Context, Message) error) {
		ctx, cancel := context.WithTimeout(b.ctx, askingLasts)
		one := &asking{cancel}
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
			if b.awaitAnswer(ctx, at, q.ID) {
				m.Controls = nil
				m.Lines = append(slices.Clone(m.Lines), Line{Text: at.say.Say("bridge.went-on"), Weight: Small})
				b.logFailure("an answered question keeps its buttons", edit(ctx, m))
			}
		}))
	}
	return a
}

// awaitAnswer waits until a question is no longer open for its seat. It returns false if ctx ends
// first.
func (b *Bridge) awaitAnswer(ctx context.Context, at *seatView, question string) bool {
	for _, err := range at.seat.Follow(ctx, at.view.Seq) {
		if err != nil {
			return false
		}
		now, err := b.look(ctx, at.tie, at.seat, at.lead)
		if err != nil {
			return false
		}
		if !slices.ContainsFunc(now.view.Questions, func(q view.Question) bool { return q.ID == question && q.Mine }) {
			return true
		}
	}
	return false
}
