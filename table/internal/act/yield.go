package act

import (
	"slices"

	"norn/rule"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
)

// An open move holds its cast. A secret one would show by that: a player would
// be told that their character is busy, with nothing. So it gives way to what a
// player does: the player's entry names it, and takes it back as if it had been
// cancelled. Only game masters are told.

// makeWayFor is the table as the seat finds it where these characters may act, and
// the secret moves that give way for that. Changing what it shows changes
// nothing else. The error is a *BusyError.
func makeWayFor(e visibility.Eye, characters ...string) (visibility.Eye, []*state.Move, error) {
	var gone []*state.Move
	for _, id := range characters {
		m := e.Table.OpenMoves.Holding(id)
		if m == nil || slices.ContainsFunc(gone, func(other *state.Move) bool { return other.ID == m.ID }) {
			continue
		}
		if !m.Secret || e.Viewer.IsGM() {
			return e, nil, busyWith(e, id, m)
		}
		gone = append(gone, m.Move)
	}
	if len(gone) == 0 {
		return e, nil, nil
	}
	return visibility.Of(e.Table.Without(gone), e.Seat, e.Voice.Speaker), gone, nil
}

// busyWith says that a character is in an open move, and whom that waits for if
// nothing in it is the seat's own to answer.
func busyWith(e visibility.Eye, id string, m *state.OpenMove) *refusal.BusyError {
	err := &refusal.BusyError{Character: id, Move: m.ID, Name: m.Def.ID, Stranded: m.Fault != nil}
	for _, o := range m.Pending {
		if e.Mine(m.Move, o.To) {
			err.Waits = nil
			return err
		}
		if to := e.Addressee(o.To); !slices.Contains(err.Waits, to) {
			err.Waits = append(err.Waits, to)
		}
	}
	return err
}

// givesWay tells whether what stands on something of a player's own makes room
// for its undoing.
func givesWay(e visibility.Eye, r *state.Record) bool {
	return !e.Viewer.IsGM() && r.Of != nil && r.Of.Secret && e.Table.OpenMoves.Of(r.Of.ID) != nil
}

// MoveYielded is what a line about a move that gave way tells of; it stands in
// no journal.
type MoveYielded struct{}

func (MoveYielded) Type() string { return "table.move-yielded" }

var _ rule.Event = MoveYielded{}
