package ledger

import (
	"maps"
	"slices"

	"norn/table/internal/state"
)

// CountedRecords are the records of a move that has ended, if they count in the session that lasts:
// those of a move that ended in it.
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

// Later are the first records of what stands on what a record is about, oldest first.
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

// Remembers tells whether the state knows how all was before what a record is about, which wasn't
// undone: also those whom answers have named since.
func (b Ledger) Remembers(r *state.Record) bool {
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

// CheckRemembered is an error where a record takes back what the state has forgotten, as norns did that forgot nothing.
func (b Ledger) CheckRemembered(r *state.Record) error {
	if b.Seq < b.WholeBefore || b.Remembers(r.Undoes) {
		return nil
	}
	return &refoldError{r.Seq}
}

// refoldError says that a table is to be folded from the first entry on, with all that there was before an entry.
type refoldError struct{ seq uint64 }

func (e *refoldError) Error() string { return "it takes back what is too old" }

// Without is the table as it would be without some open moves, to judge by: it
// shares what hasn't to change.
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
