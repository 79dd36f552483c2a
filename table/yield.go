package table

import (
	"errors"
	"fmt"
	"slices"

	"norn/rule"
)

// An open move holds its cast. A secret one would show by that: a player would
// be told that their character is busy, with nothing. So it gives way to what a
// player does: the player's entry names it, and takes it back as if it had been
// cancelled. Only game masters are told.

// freed is the table as the seat finds it where these characters may act, and
// the secret moves that give way for that. Changing what it shows changes
// nothing else. The error is a *BusyError.
func freedFor(e eye, characters ...string) (eye, []*move, error) {
	var gone []*move
	for _, id := range characters {
		m := e.st.open.busy(id)
		if m == nil || slices.ContainsFunc(gone, func(other *move) bool { return other.id == m.id }) {
			continue
		}
		if !m.secret || e.viewer.IsGM() {
			return e, nil, busyWith(e, id, m)
		}
		gone = append(gone, m.move)
	}
	if len(gone) == 0 {
		return e, nil, nil
	}
	return eyeOf(e.st.without(gone), e.seat, e.voice.Speaker), gone, nil
}

// busy says that a character is in an open move, and whom that waits for if
// nothing in it is the seat's own to answer.
func busyWith(e eye, id string, m *underway) *BusyError {
	err := &BusyError{Character: id, Move: m.id, Name: m.def.ID, Stranded: m.fault != nil}
	for _, o := range m.open {
		if e.mine(m.move, o.To) {
			err.Waits = nil
			return err
		}
		if to := e.addressee(o.To); !slices.Contains(err.Waits, to) {
			err.Waits = append(err.Waits, to)
		}
	}
	return err
}

// givesWay tells whether what stands on something of a player's own makes room
// for its undoing.
func givesWay(e eye, r *record) bool {
	return !e.viewer.IsGM() && r.move != nil && r.move.secret && e.st.open.going(r.move.id) != nil
}

// without is the table as it would be without some open moves, to judge by: it
// shares what hasn't to change.
func (b ledger) without(moves []*move) ledger {
	st := *b.state
	for _, m := range moves {
		for _, id := range st.characters.touched(m.seq) {
			c := st.change(id)
			st.restore(c, c.past[c.touchedBy(m.seq)])
		}
		st.end(m.id)
	}
	b.state = &st
	return b
}

// gaveWay tells whether a move gives way to a record.
func gaveWay(r *record, id string) bool {
	return slices.ContainsFunc(r.yields, func(m *move) bool { return m.id == id })
}

// names are moves by their ids, as an entry holds those that give way to it.
func names(moves []*move) []string {
	var ids []string
	for _, m := range moves {
		ids = append(ids, m.id)
	}
	return ids
}

// decodeYields finds the moves that give way to a record.
func (b ledger) decodeYields(r *record) error {
	if len(r.Yields) == 0 {
		return nil
	}
	if r.Kind != KindMove && !b.words.kinds[r.Kind].yields {
		return errors.New("nothing gives way to it")
	}
	for _, id := range r.Yields {
		m := b.open.going(id)
		if m == nil || !m.secret && r.Kind != KindEdition || gaveWay(r, id) {
			return fmt.Errorf("the move %s can't give way", id)
		}
		r.yields = append(r.yields, m.move)
	}
	return nil
}

// yielding judges that moves give way to a player's entry that needs what they
// hold, and to nothing else.
func (p *proposal) yielding() error {
	var needed []string
	switch r := p.r; {
	case r.Opening != nil:
		needed = r.Opening.Cast
	case r.undoes != nil:
		needed = p.st.characters.touched(r.undoes.Seq)
	default:
		for _, event := range r.events {
			if changed, ok := event.(characterChanged); ok {
				needed = append(needed, changed.ID)
			}
		}
	}
	for _, m := range p.r.yields {
		if p.viewer.IsGM() || !slices.ContainsFunc(m.cast, func(id string) bool { return slices.Contains(needed, id) }) {
			return misfit(MisfitRefused, data{"Problem": m.id})
		}
	}
	return nil
}

// withYields adds to what is shown of an entry what gave way to it, for game
// masters; what couldn't go on by a newer edition, for all who know of it.
func withYields(e eye, r *record, shown Entry) Entry {
	if r.Kind == KindEdition {
		for _, m := range yieldsSeen(e, r) {
			shown.Yields = append(shown.Yields, m.id)
			shown.Lines = append(shown.Lines, e.line(moveYielded{}, "edition-cancels", data{"Move": e.moveText(m)}, data{"move": m.id})...)
		}
		return shown
	}
	if e.viewer.IsGM() {
		shown.Yields = r.Yields
		shown.Lines = append(shown.Lines, yieldedLines(e, r)...)
	}
	return shown
}

// yielded are the lines that tell game masters what gave way to an entry.
func yieldedLines(e eye, r *record) []Line {
	var lines []Line
	for _, m := range r.yields {
		lines = append(lines, e.line(moveYielded{}, "move-yielded", data{"Move": e.moveText(m)}, data{"move": m.id})...)
	}
	return lines
}

// moveYielded is what a line about a move that gave way tells of; it stands in
// no journal.
type moveYielded struct{}

func (moveYielded) Type() string { return "table.move-yielded" }

var _ rule.Event = moveYielded{}
