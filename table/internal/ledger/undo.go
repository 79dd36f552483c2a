package ledger

import (
	"maps"
	"slices"

	"norn/table/internal/state"
)

// CountedRecords returns the records of a finished move if the tallies of the current session count
// it: if it ended in that session.
func (b Ledger) CountedRecords(m *state.Move) []*state.Record {
	if b.OpenMoves.Of(m.ID) != nil {
		return nil
	}
	records := b.RecordsOf(m)
	if len(records) == 0 || records[len(records)-1].Of.Session.N != b.Sessions.Now().N {
		return nil
	}
	return records
}

// Later returns the first record of each change that depends on what a record is about, oldest
// first.
func (b Ledger) Later(r *state.Record) []*state.Record {
	seqs := map[uint64]bool{}
	for t := range b.Above(r) {
		seqs[t.By] = true
	}
	var later []*state.Record
	for _, seq := range slices.Sorted(maps.Keys(seqs)) {
		later = append(later, b.Record(seq))
	}
	return later
}

// Remembers reports whether the state knows everything as it was before what a record is about,
// including characters that answers added, and what it's entangled with. It must not be undone.
func (b Ledger) Remembers(r *state.Record) bool {
	for _, since := range b.Entangled(r.Since()) {
		one := r
		if since != r.Since() {
			one = b.Record(since)
		}
		if !b.remembers(one) {
			return false
		}
	}
	return true
}

func (b Ledger) remembers(r *state.Record) bool {
	if r.Of != nil && len(r.Of.Def.Joins) > 0 {
		for _, of := range b.RecordsOf(r.Of) {
			for _, step := range of.Steps {
				for _, id := range r.Of.Def.Joining(step) {
					if c := b.Characters.Of(id); c != nil && c.TouchedBy(r.Since()) < 0 {
						return false
					}
				}
			}
		}
	}
	return b.State.Remembers(r)
}

// CheckRemembered returns a refoldError if a record undoes what the state no longer remembers.
// Older norns remembered everything.
func (b Ledger) CheckRemembered(r *state.Record) error {
	if b.Seq < b.WholeBefore || b.Remembers(r.Undoes) {
		return nil
	}
	return &refoldError{r.Seq}
}

// refoldError says that the table must be folded again from the first entry, remembering everything
// before an entry.
type refoldError struct{ seq uint64 }

func (e *refoldError) Error() string { return "it takes back what is too old" }

// Without returns the table as it would be without some open moves. It shares what doesn't change.
func (b Ledger) Without(moves []*state.Move) Ledger {
	st := *b.State
	for _, m := range moves {
		for _, id := range st.Characters.TouchedSince(m.Seq) {
			c := st.Alter(id)
			c.Revert(c.Past[c.TouchedBy(m.Seq)], st.Seats)
		}
		st.End(m.ID)
	}
	b.State = &st
	return b
}
