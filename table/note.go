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

type noteSent struct {
	Text string `json:"text" form:"prose,max=10000"`
}

var noteForm = form.Of[noteSent]()

// Note keeps a note of the GM's: a new one where id is "", else another text
// for that one; an empty text throws it away. Only GMs may, and only they see
// the entry and View.Notes. Errors are *InvalidError and *TooManyError.
func (s *Seat) Note(ctx context.Context, id, text, key string) (Entry, error) {
	return s.entry(ctx, key, "note", []string{id, text}, func(e eye) (draft, error) {
		if !e.viewer.IsGM() {
			return draft{}, &ForbiddenError{}
		}
		var sent noteSent
		if err := noteForm.Texts(map[string]string{"text": text}, &sent); err != nil {
			return draft{}, &InvalidError{Problems: err.(form.Problems)}
		}
		switch {
		case id == "" && sent.Text == "":
			return draft{}, invalid("text", form.Missing)
		case id == "" && len(e.st.notes) >= MaxNotes:
			return draft{}, &TooManyError{What: "notes", Max: MaxNotes}
		case id == "":
			id = "n" + strconv.FormatUint(e.st.seq+1, 10)
		case e.st.note(id) < 0:
			return draft{}, noChoice("id", id, nil)
		}
		d, err := own(KindNote, noteKept{ID: id, Text: sent.Text})
		d.body.Secret = true
		return d, err
	})
}

// note is where a note stands, -1 for nowhere.
func (st *state) note(id string) int {
	return slices.IndexFunc(st.notes, func(n note) bool { return n.id == id })
}

func (st *state) keepNote(r *record, e noteKept) {
	i := st.note(e.ID)
	switch kept := (note{id: e.ID, text: e.Text, seq: r.Seq, at: r.Time}); {
	case e.Text == "" && i >= 0:
		st.notes = slices.Delete(st.notes, i, i+1)
	case e.Text != "" && i >= 0:
		st.notes[i] = kept
	case e.Text != "":
		st.notes = append(st.notes, kept)
	}
}

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
