package table

import (
	"slices"
)

// moveShown opens a secret move that has ended to everybody.
type moveShown struct {
	Move string `json:"move"`
}

func (moveShown) Type() string { return "table.move-shown" }

func (ev moveShown) about(ledger) (move string, secret bool) { return ev.Move, false }

func show(e eye, id string) (draft, error) {
	return draftActs(e, KindShown, moveShown{Move: id})
}

func (ev moveShown) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	m := p.st.move(ev.Move)
	if m == nil || !p.st.secretMove(m) {
		return noChoice("move", ev.Move, nil)
	}
	if p.st.open.going(ev.Move) != nil {
		return refused("still-open", nil)
	}
	return nil
}

// find has what the move counts for told anew.
func (ev moveShown) find(b ledger, r *record) error {
	if m := b.move(ev.Move); m != nil {
		r.counts = b.counted(m)
	}
	return nil
}

func (ev moveShown) fold(st *state, r *record) {
	if len(r.counts) > 0 {
		st.count(r.counts[0].move, -1, r.counts...)
	}
	st.shown, st.openly = withMark(st.shown, ev.Move, true), true
	st.secrets = slices.DeleteFunc(slices.Clone(st.secrets), func(seq uint64) bool { return idOf(seq) == ev.Move })
	if len(r.counts) > 0 {
		st.count(r.counts[0].move, 1, r.counts...)
	}
}

func (ev moveShown) lines(e eye) []Line {
	m := e.st.move(ev.Move)
	if m == nil {
		return nil
	}
	return e.line(ev, "move-shown", data{"Move": e.moveText(m)}, data{"move": ev.Move})
}
