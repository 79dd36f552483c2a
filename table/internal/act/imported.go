package act

import (
	"io"
	"strconv"
	"time"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// tableImported says that all entries up to here are from a file.
type tableImported struct {
	Exported time.Time `json:"exported"`
	Norn     string    `json:"norn"`
	Entries  int       `json:"entries"`
}

func (tableImported) Type() string { return "table.imported" }

// Import says where a table is from, and seals new dice.
func Import(nobody visibility.Eye, exported time.Time, norn string, entries int, entropy io.Reader) (ledger.Draft, error) {
	sealed, err := seal(entropy)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(nobody, view.KindImported, tableImported{Exported: exported, Norn: norn, Entries: entries}, sealed)
}

func (ev tableImported) judge(p *Proposal) error {
	return refusal.Same(strconv.Itoa(ev.Entries), strconv.FormatUint(p.Table.Seq, 10))
}

func (tableImported) Fold(st *state.State, r *state.Record) {
	st.AlterSession(func(s *state.Session) { s.To = r.Seq })
}

func (ev tableImported) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "imported", view.Data{"N": ev.Entries, "Norn": ev.Norn}, view.Data{"exported": ev.Exported, "norn": ev.Norn, "entries": ev.Entries})
}
