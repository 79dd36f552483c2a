package table

import (
	"context"
)

// moveShown opens a secret move that has ended to everybody.
type moveShown struct {
	Move string `json:"move"`
}

func (moveShown) Type() string { return "table.move-shown" }

func (ev moveShown) about(ledger) (move string, secret bool) { return ev.Move, false }

// Show opens a secret move that has ended to everybody at the table, as a GM
// may. Errors are *ForbiddenError, *InvalidError for a move that isn't there or
// isn't secret, and *RefusedError while it's still open.
func (s *Seat) Show(ctx context.Context, id, key string) (Entry, error) {
	return s.entry(ctx, key, "show", id, func(e eye) (draft, error) { return e.acts(KindShown, moveShown{Move: id}) })
}

func (ev moveShown) judge(p *proposal) error {
	if err := p.byGM(); err != nil {
		return err
	}
	m := p.st.move(ev.Move)
	if m == nil || !p.st.secretMove(m) {
		return noChoice("move", ev.Move, nil)
	}
	if p.st.going(ev.Move) != nil {
		return refused("still-open", nil)
	}
	return nil
}

func (ev moveShown) fold(st *state, _ *record) {
	st.shown = withMark(st.shown, ev.Move, true)
}

func (ev moveShown) lines(e eye) []Line {
	m := e.st.move(ev.Move)
	if m == nil {
		return nil
	}
	return e.line(ev, "move-shown", data{"Move": e.laterText(m.first)}, data{"move": ev.Move})
}
