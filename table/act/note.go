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

// noteKept sets a note's text; "" deletes the note.
type noteKept struct {
	byMasters
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

// NoteRequest asks to set a note's text; without an id, of a new note. An empty text deletes it.
type NoteRequest struct {
	ID   string `json:"id" form:"text"`
	Text string `json:"text" form:"prose,max=10000"`
}

// KeepNote stores a note that only game masters see.
var KeepNote = Define(Spec[NoteRequest, view.Entry]{
	Name: "keep-note", Op: "note",
	Route: Route{
		Method: "POST", Path: "/notes", Tag: "tables", Body: "NoteRequest",
		Summary: "Keep a note that only game masters see",
		Text:    "A new one without an id, else another text for that one; an empty text throws it away. Notes stand in a game master's view.",
		Example: map[string]any{"text": "The steward has the second key.", "key": "a3e5"},
	},
	Key: func(r NoteRequest) any { return []string{r.ID, r.Text} },
	Build: func(c Call, r NoteRequest) (ledger.Draft, error) {
		if r.ID == "" {
			r.ID = nextNote(c.Table.State)
		}
		return draft(c.Eye, view.KindNote, noteKept{ID: r.ID, Text: checkNote.keep(r.Text)})
	},
})

func (ev noteKept) judge(p *Proposal) error {
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

func (ev noteKept) Lines(e *visibility.Eye) []view.Line {
	switch {
	case !e.Viewer.IsGM():
		return nil
	case ev.Text == "":
		return e.Line(ev, "note-dropped", nil, view.Data{"id": ev.ID})
	}
	return e.Line(ev, "note-kept", nil, view.Data{"id": ev.ID, "text": ev.Text})
}

// nextNote returns the id of a note that the next entry adds.
func nextNote(st *state.State) string { return "n" + strconv.FormatUint(st.Seq+1, 10) }

// noteShared lets all or some seats read a note as it is now. Seats that could read an earlier text
// of it get this one, too.
type noteShared struct {
	byMasters
	ID   string   `json:"id"`
	Text string   `json:"text"`
	To   []string `json:"to,omitempty"` // all seats that can read it now; empty for all present and future seats
}

// noteHidden withdraws a shared note.
type noteHidden struct {
	byMasters
	ID string   `json:"id"`
	To []string `json:"to,omitempty"` // the seats that could read it
}

func (noteShared) Type() string { return "table.note-shared" }

func (noteHidden) Type() string { return "table.note-hidden" }

// ShareNoteRequest names a note and more seats that may read it, none for all.
type ShareNoteRequest struct {
	Note string   `json:"note" form:"text,required"`
	To   []string `json:"-" part:"to"`
}

// HideNoteRequest names a note.
type HideNoteRequest struct {
	Note string `json:"note" form:"text,required"`
}

// ShareNote lets seats read a note as it is now.
var ShareNote = Define(Spec[ShareNoteRequest, view.Entry]{
	Name: "share-note", Op: "handout",
	Route: Route{
		Method: "POST", Path: "/handouts", Tag: "pictures", Body: "HandoutRequest", Parts: toSeats,
		Summary: "Share a note with everybody, or with some seats",
		Text:    "Only a game master may. It's read as it is now, also by those who could read it before; a change of the note is seen once it's shared again.",
		Example: map[string]any{"note": "n12", "key": "52ac"},
	},
	Key:   func(r ShareNoteRequest) any { return []any{r.Note, r.To} },
	Build: func(c Call, r ShareNoteRequest) (ledger.Draft, error) { return shareNote(c.Eye, r.Note, r.To) },
})

// HideNote withdraws a shared note from all seats. They may have read and saved it.
var HideNote = Define(Spec[HideNoteRequest, view.Entry]{
	Name: "hide-note", Op: "hide",
	Route: Route{
		Method: "POST", Path: "/handouts/hide", Tag: "pictures", Body: "HideRequest",
		Summary: "Take a shared note back from all", Text: "Only a game master may. Who has read it has read it.",
		Example: map[string]any{"note": "n12", "key": "52ad"},
	},
	Key: func(r HideNoteRequest) any { return r.Note },
	Build: func(c Call, r HideNoteRequest) (ledger.Draft, error) {
		ev := noteHidden{ID: r.Note}
		if shared, ok := c.Table.Handouts.Of(r.Note); ok {
			ev.To = shared.To
		}
		return draft(c.Eye, view.KindHandout, ev)
	},
})

func shareNote(e *visibility.Eye, id string, to []string) (ledger.Draft, error) {
	ev := noteShared{ID: id, To: to}
	if i := e.Table.Notes.Index(id); i >= 0 {
		ev.Text = e.Table.Notes[i].Text
	}
	if shared, ok := e.Table.Handouts.Of(id); ok && len(to) > 0 && len(shared.To) > 0 {
		ev.To = slices.Concat(shared.To, to)
	} else if ok {
		ev.To = nil
	}
	ev.To = seatsInOrder(e.Table.State, ev.To)
	return draft(e, view.KindHandout, ev)
}

func (ev noteShared) judge(p *Proposal) error {
	i := p.Table.Notes.Index(ev.ID)
	if i < 0 {
		return refusal.NoChoice("id", ev.ID, nil)
	}
	if err := refusal.Same(ev.Text, p.Table.Notes[i].Text); err != nil {
		return err
	}
	before, shared := p.Table.Handouts.Of(ev.ID)
	fresh := slices.DeleteFunc(slices.Clone(ev.To), func(id string) bool { return slices.Contains(before.To, id) })
	if shared && len(ev.To) > 0 && (len(before.To) == 0 || len(ev.To) != len(before.To)+len(fresh)) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	}
	return mayHear(p, fresh)
}

func (ev noteHidden) judge(p *Proposal) error {
	shared, ok := p.Table.Handouts.Of(ev.ID)
	if !ok {
		return refusal.NoChoice("id", ev.ID, nil)
	}
	if !slices.Equal(shared.To, ev.To) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	}
	return nil
}

func (ev noteShared) Fold(st *state.State, r *state.Record) {
	st.Handouts = append(st.Handouts.Without(ev.ID),
		state.Handout{ID: ev.ID, Text: ev.Text, Seq: r.Seq, At: r.Time, To: ev.To})
}

func (ev noteHidden) Fold(st *state.State, _ *state.Record) {
	st.Handouts = st.Handouts.Without(ev.ID)
}

// Lines shows a note to the seats that can read it.
func (ev noteShared) Lines(e *visibility.Eye) []view.Line {
	if !shownTo(e, ev.To) {
		return nil
	}
	data := view.Data{"id": ev.ID, "text": ev.Text}
	if len(ev.To) > 0 {
		data["to"] = seatNames(e, ev.To)
	}
	return e.Line(ev, "note-shared", view.Data{"Text": ev.Text}, data)
}

// Lines informs the seats that could read the note.
func (ev noteHidden) Lines(e *visibility.Eye) []view.Line {
	if !shownTo(e, ev.To) {
		return nil
	}
	return e.Line(ev, "note-hidden", nil, view.Data{"id": ev.ID})
}

// NoteShared returns the note that a record shares, "" for another record.
func NoteShared(r *state.Record) (id, text string) {
	ev, _ := r.Decoded[0].(noteShared)
	return ev.ID, ev.Text
}
