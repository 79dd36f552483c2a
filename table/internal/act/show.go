package act

import (
	"slices"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// moveShown opens a secret move that has ended to everybody.
type moveShown struct {
	Move string `json:"move"`
}

func (moveShown) Type() string { return "table.move-shown" }

func (ev moveShown) Subject(ledger.Ledger) (move string, secret bool) { return ev.Move, false }

// Show builds the opening of a secret move to everybody.
func Show(e visibility.Eye, id string) (ledger.Draft, error) {
	return draft(e, view.KindShown, moveShown{Move: id})
}

func (ev moveShown) judge(p *Proposal) error {
	if err := byGM(p.Eye); err != nil {
		return err
	}
	m := p.Table.Move(ev.Move)
	if m == nil || !p.Table.SecretMove(m) {
		return refusal.NoChoice("move", ev.Move, nil)
	}
	if p.Table.OpenMoves.Of(ev.Move) != nil {
		return refusal.Refuse("still-open", nil)
	}
	in := slices.Clone(m.Cast)
	for _, r := range p.Table.RecordsOf(m) {
		for _, step := range r.Steps {
			in = append(in, m.Def.Joining(step)...)
		}
	}
	for _, id := range in {
		if isHidden(p.Table.State, id) {
			return unseen(p.Name(id))
		}
	}
	return nil
}

// Find has what the move counts for told anew.
func (ev moveShown) Find(b ledger.Ledger, r *state.Record) error {
	if m := b.Move(ev.Move); m != nil {
		r.Uncounted = b.Counted(m)
	}
	return nil
}

func (ev moveShown) Fold(st *state.State, r *state.Record) {
	if len(r.Uncounted) > 0 {
		st.Tally(r.Uncounted[0].Of, -1, r.Uncounted...)
	}
	st.ShownMoves, st.Openly = state.Mark(st.ShownMoves, ev.Move, true), true
	st.Secrets = slices.DeleteFunc(slices.Clone(st.Secrets), func(seq uint64) bool { return state.MoveID(seq) == ev.Move })
	if len(r.Uncounted) > 0 {
		st.Tally(r.Uncounted[0].Of, 1, r.Uncounted...)
	}
}

func (ev moveShown) Lines(e visibility.Eye) []view.Line {
	m := e.Table.Move(ev.Move)
	if m == nil {
		return nil
	}
	return e.Line(ev, "move-shown", view.Data{"Move": e.MoveText(m)}, view.Data{"move": ev.Move})
}
