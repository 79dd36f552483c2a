package act

import (
	"encoding/json"
	"slices"
	"time"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// DeletionWaits is the time in which game masters can call back a table that one of them deleted.
// Until then everybody can read it and save files, and nobody can write.
const DeletionWaits = deletionDays * 24 * time.Hour

const deletionDays = 7

// tableDeleted says that the table will be deleted for good.
type tableDeleted struct{ byMasters }

// tableCalledBack says that the table stays.
type tableCalledBack struct{ byMasters }

func (tableDeleted) Type() string { return "table.deleted" }

func (tableCalledBack) Type() string { return "table.called-back" }

// DeleteTable asks to delete the table. It's removed for good after DeletionWaits.
var DeleteTable = Define(Spec[Nothing, view.Entry]{
	Name: "delete-table", Op: "delete-table",
	Route: Route{
		Method: "POST", Path: "/deletion", Tag: "tables", Body: keyOnly,
		Summary: "Delete the table",
		Text: "Only a game master may. For seven days everybody can still read it and save files, nobody can write, and a game " +
			"master can restore it; then it's deleted for good.",
		Example: map[string]any{"key": "d1e7"},
	},
	Key:   nothing,
	Build: func(c Call, _ Nothing) (ledger.Draft, error) { return draft(c.Eye, view.KindDeletion, tableDeleted{}) },
})

// CallTableBack keeps a table that a game master has deleted.
var CallTableBack = Define(Spec[Nothing, view.Entry]{
	Name: "call-table-back", Op: "call-table-back",
	Route: Route{
		Method: "POST", Path: "/deletion/back", Tag: "tables", Body: keyOnly,
		Summary: "Call back a deleted table",
		Text:    "Only a game master may, within seven days.",
		Example: map[string]any{"key": "d1e8"},
	},
	Key: nothing,
	Build: func(c Call, _ Nothing) (ledger.Draft, error) {
		return draft(c.Eye, view.KindDeletion, tableCalledBack{})
	},
})

func (tableDeleted) judge(*Proposal) error { return nil } // CheckStays refuses a second one

func (tableCalledBack) judge(p *Proposal) error {
	if p.Table.Values.Deleted == nil {
		return refusal.Refuse("not-deleted", nil)
	}
	return nil
}

func (tableDeleted) Fold(st *state.State, r *state.Record) {
	st.Values.Deleted = &view.Deleted{Seq: r.Seq, At: r.Time, Until: r.Time.Add(DeletionWaits)}
}

func (tableCalledBack) Fold(st *state.State, _ *state.Record) { st.Values.Deleted = nil }

func (ev tableDeleted) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "table-deleted", view.Data{"Days": deletionDays}, nil)
}

func (ev tableCalledBack) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "table-called-back", nil, nil)
}

// whileDeleted lists the kinds of entries that a deleted table takes: a game master may need a new
// link to call it back.
var whileDeleted = []string{view.KindDeletion, view.KindRestored, view.KindRecovery, view.KindImported}

// CheckStays refuses an entry of a kind at a table that a game master has deleted. again says that
// it would delete the table once more.
func CheckStays(st *state.State, kind string, again bool) error {
	if st.Values.Deleted == nil || slices.Contains(whileDeleted, kind) && !again {
		return nil
	}
	return refusal.Refuse("table-deleted", nil)
}

// deletes reports whether a record deletes the table.
func deletes(r *state.Record) bool {
	if r.Kind != view.KindDeletion || len(r.Decoded) == 0 {
		return false
	}
	_, ok := r.Decoded[0].(tableDeleted)
	return ok
}

// ReadDeletion reports whether a stored entry says that a game master has deleted the table. If
// older is set, an entry before it may say so.
func ReadDeletion(stored []byte) (deleted, older bool) {
	var body state.EntryBody
	if json.Unmarshal(stored, &body) != nil {
		return false, false
	}
	switch body.Kind {
	case view.KindDeletion:
		return len(body.Events) > 0 && body.Events[0].Type == (tableDeleted{}).Type(), false
	case view.KindRestored, view.KindRecovery:
		return false, true
	}
	return false, false
}
