package table

import (
	"io"
	"strconv"
	"time"
)

// tableImported says that all entries up to here are from a file.
type tableImported struct {
	Exported time.Time `json:"exported"`
	Norn     string    `json:"norn"`
	Entries  int       `json:"entries"`
}

func (tableImported) Type() string { return "table.imported" }

// importTable says where a table is from, and seals new dice.
func importTable(nobody eye, exported time.Time, norn string, entries int, entropy io.Reader) (draft, error) {
	sealed, err := seal(entropy)
	if err != nil {
		return draft{}, err
	}
	return draftActs(nobody, KindImported, tableImported{Exported: exported, Norn: norn, Entries: entries}, sealed)
}

func (ev tableImported) judge(p *proposal) error {
	return same(strconv.Itoa(ev.Entries), strconv.FormatUint(p.st.seq, 10))
}

func (tableImported) fold(st *state, r *record) { st.alterNow(func(s *session) { s.to = r.Seq }) }

func (ev tableImported) lines(e eye) []Line {
	return e.line(ev, "imported", data{"N": ev.Entries, "Norn": ev.Norn}, data{"exported": ev.Exported, "norn": ev.Norn, "entries": ev.Entries})
}
