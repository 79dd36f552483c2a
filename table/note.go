package table

import (
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

// notes are a table's, oldest first.
type notes []note

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

func keepNote(e eye, id, text string) (draft, error) {
	kept := noteKept{ID: id, Text: checkNote.kept(text)}
	if id == "" {
		kept.ID = e.st.nextNote()
	}
	return draftActs(e, KindNote, kept)
}

func (ev noteKept) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	if err := checkNote.hold(ev.Text); err != nil || p.st.notes.at(ev.ID) >= 0 {
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
	i := st.notes.at(ev.ID)
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

// at is where a note stands, -1 for nowhere.
func (all notes) at(id string) int {
	return slices.IndexFunc(all, func(n note) bool { return n.id == id })
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
func notesSeen(e eye) []NoteShown {
	if !e.viewer.IsGM() {
		return nil
	}
	shown := make([]NoteShown, len(e.st.notes))
	for i, n := range e.st.notes {
		shown[i] = NoteShown{ID: n.id, Text: n.text, Seq: n.seq, Time: n.at}
	}
	return shown
}
