package table

import (
	"context"
	"slices"
	"strconv"
	"time"

	"norn/form"
)

// Limits of notes.
const (
	MaxNotes = 200
	MaxNote  = 10000 // characters of one
)

// note is a GM's: nobody else at the table knows of it.
type note struct {
	id, text string
	seq      uint64 // of its last change
	at       time.Time
}

// noteKept is a note's new text, "" for one that is thrown away.
type noteKept struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func (noteKept) Type() string { return "table.note-kept" }

func (noteKept) about(ledger) (move string, secret bool) { return "", true }

var checkNote = checking("text", func(sent struct {
	Text string `json:"text" form:"prose,max=10000"`
},
) string {
	return sent.Text
})

// Note keeps a note of the GM's: a new one where id is "", else another text
// for that one; an empty text throws it away. Only GMs may, and only they see
// the entry and View.Notes. Errors are *InvalidError and *TooManyError.
func (s *Seat) Note(ctx context.Context, id, text, key string) (Entry, error) {
	return s.entry(ctx, key, "note", []string{id, text}, func(e eye) (draft, error) {
		kept := noteKept{ID: id, Text: checkNote.kept(text)}
		if id == "" {
			kept.ID = e.st.nextNote()
		}
		return e.acts(KindNote, kept)
	})
}

func (ev noteKept) judge(p *proposal) error {
	if err := p.byGM(); err != nil {
		return err
	}
	if err := checkNote.hold(ev.Text); err != nil || p.st.note(ev.ID) >= 0 {
		return err
	}
	switch {
	case ev.ID != p.st.nextNote():
		return noChoice("id", ev.ID, nil)
	case ev.Text == "":
		return invalid("text", form.Missing)
	case len(p.st.notes) >= MaxNotes:
		return &TooManyError{What: "notes", Max: MaxNotes}
	}
	return nil
}

func (ev noteKept) fold(st *state, r *record) {
	i := st.note(ev.ID)
	switch kept := (note{id: ev.ID, text: ev.Text, seq: r.Seq, at: r.Time}); {
	case ev.Text == "" && i >= 0:
		st.notes = slices.Delete(slices.Clone(st.notes), i, i+1)
	case ev.Text != "" && i >= 0:
		st.notes = slices.Clone(st.notes)
		st.notes[i] = kept
	case ev.Text != "":
		st.notes = append(slices.Clip(st.notes), kept)
	}
}

func (ev noteKept) lines(e eye) []Line {
	switch {
	case !e.viewer.IsGM():
		return nil
	case ev.Text == "":
		return e.line(ev, "note-dropped", nil, data{"id": ev.ID})
	}
	return e.line(ev, "note-kept", nil, data{"id": ev.ID, "text": ev.Text})
}

// note is where a note stands, -1 for nowhere.
func (st *state) note(id string) int {
	return slices.IndexFunc(st.notes, func(n note) bool { return n.id == id })
}

func (st *state) nextNote() string { return "n" + strconv.FormatUint(st.seq+1, 10) }

// NoteShown is a note as a GM sees it.
type NoteShown struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"` // of its last change
	Time time.Time `json:"time"`
}

// notes are the GM's; nobody else has any.
func (e eye) notes() []NoteShown {
	if !e.viewer.IsGM() {
		return nil
	}
	shown := make([]NoteShown, len(e.st.notes))
	for i, n := range e.st.notes {
		shown[i] = NoteShown{ID: n.id, Text: n.text, Seq: n.seq, Time: n.at}
	}
	return shown
}
