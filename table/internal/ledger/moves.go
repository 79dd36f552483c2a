package ledger

import (
	"slices"

	"norn/table/internal/state"
	"norn/table/view"
)

// Move returns the move with an id, or nil.
func (b Ledger) Move(id string) *state.Move {
	if u := b.OpenMoves.Of(id); u != nil {
		return u.Move
	}
	if r := b.Record(state.MoveSeq(id)); r != nil && r.Kind == view.KindMove {
		return r.Of
	}
	return nil
}

// RecordsAbout returns the records with a move's id, oldest first: its own and later ones about it.
func (b Ledger) RecordsAbout(m *state.Move) []*state.Record {
	// usually there is only this one
	if first := b.Record(m.Seq); first.Done && b.Undone.By(m.Seq) == 0 && !b.ShownMoves[m.ID] {
		return []*state.Record{first}
	}
	if m.Seq >= b.oldest() {
		return slices.DeleteFunc(slices.Clone(b.Span(m.Seq, b.Seq)), func(r *state.Record) bool {
			return r.Move != m.ID
		})
	}
	return b.rereadMove(m.ID)
}

// RecordsOf returns a move's own records.
func (b Ledger) RecordsOf(m *state.Move) []*state.Record {
	if first := b.Record(m.Seq); first.Done {
		return []*state.Record{first}
	}
	if m.Seq < b.oldest() { // usually they're close together and were just read
		var own []*state.Record
		for seq := m.Seq; b.Lookback.read[seq] != nil; seq++ {
			if r := b.Lookback.read[seq]; r.Of != nil && r.Of.ID == m.ID {
				if own = append(own, r); r.Done {
					return own
				}
			}
		}
	}
	return slices.DeleteFunc(b.RecordsAbout(m), func(r *state.Record) bool { return r.Of == nil })
}
