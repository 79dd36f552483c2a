package act

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// noteKept is a note's new text, "" for one that is thrown away.
type noteKept struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func (noteKept) Type() string { return "table.note-kept" }

func (noteKept) Subject(ledger.Ledger) (move string, secret bool) { return "", true }

var checkNote = checking("text", func(sent struct {
	Text string `json:"text" form:"prose,max=10000"`
},
) string {
	return sent.Text
})

// Note builds a note, a new one where id is "".
func Note(e visibility.Eye, id, text string) (ledger.Draft, error) {
	kept := noteKept{ID: id, Text: checkNote.kept(text)}
	if id == "" {
		kept.ID = nextNote(e.Table.State)
	}
	return draft(e, view.KindNote, kept)
}

func (ev noteKept) judge(p *Proposal) error {
	if err := byGM(p.Eye); err != nil {
		return err
	}
	if err := checkNote.hold(ev.Text); err != nil || p.Table.Notes.Index(ev.ID) >= 0 {
		return err
	}
	switch {
	case ev.ID != nextNote(p.Table.State):
		return refusal.NoChoice("id", ev.ID, nil)
	case ev.Text == "":
		return refusal.Invalid("text", form.Missing)
	case len(p.Table.Notes) >= request.MaxNotes:
		return &refusal.TooManyError{What: "notes", Max: request.MaxNotes}
	}
	return nil
}

func (ev noteKept) Fold(st *state.State, r *state.Record) {
	i := st.Notes.Index(ev.ID)
	switch kept := (state.Note{ID: ev.ID, Text: ev.Text, Seq: r.Seq, At: r.Time}); {
	case ev.Text == "" && i >= 0:
		st.Notes = slices.Delete(slices.Clone(st.Notes), i, i+1)
	case ev.Text != "" && i >= 0:
		st.Notes = slices.Clone(st.Notes)
		st.Notes[i] = kept
	case ev.Text != "":
		st.Notes = append(slices.Clip(st.Notes), kept)
	}
}

func (ev noteKept) Lines(e visibility.Eye) []view.Line {
	switch {
	case !e.Viewer.IsGM():
		return nil
	case ev.Text == "":
		return e.Line(ev, "note-dropped", nil, view.Data{"id": ev.ID})
	}
	return e.Line(ev, "note-kept", nil, view.Data{"id": ev.ID, "text": ev.Text})
}

// nextNote is the id of the note that the next entry keeps.
func nextNote(st *state.State) string { return "n" + strconv.FormatUint(st.Seq+1, 10) }
