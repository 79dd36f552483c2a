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

// Note builds a note, a new one where id is "".
func Note(e visibility.Eye, id, text string) (ledger.Draft, error) {
	kept := noteKept{ID: id, Text: checkNote.kept(text)}
	if id == "" {
		kept.ID = nextNote(e.Table.State)
	}
	return draft(e, view.KindNote, kept)
}

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

// noteShared lets everybody, or some seats, read a note as it is now. Who could read it before still can, by the same words.
type noteShared struct {
	byMasters
	ID   string   `json:"id"`
	Text string   `json:"text"`
	To   []string `json:"to,omitempty"` // all seats that can read it from now on; none for all that there are and will be
}

// noteHidden takes a note back from all who could read it.
type noteHidden struct {
	byMasters
	ID string   `json:"id"`
	To []string `json:"to,omitempty"` // who they were
}

func (noteShared) Type() string { return "table.note-shared" }

func (noteHidden) Type() string { return "table.note-hidden" }

// ShareNote builds the sharing of a note with seats, none for all.
func ShareNote(e visibility.Eye, id string, to []string) (ledger.Draft, error) {
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

// HideNote builds the taking back of a note.
func HideNote(e visibility.Eye, id string) (ledger.Draft, error) {
	ev := noteHidden{ID: id}
	if shared, ok := e.Table.Handouts.Of(id); ok {
		ev.To = shared.To
	}
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
	st.Handouts = append(st.Handouts.Without(ev.ID), state.Handout{ID: ev.ID, Text: ev.Text, Seq: r.Seq, At: r.Time, To: ev.To})
}

func (ev noteHidden) Fold(st *state.State, _ *state.Record) {
	st.Handouts = st.Handouts.Without(ev.ID)
}

// Lines show a note to those who can read it.
func (ev noteShared) Lines(e visibility.Eye) []view.Line {
	if !shownTo(e, ev.To) {
		return nil
	}
	data := view.Data{"id": ev.ID, "text": ev.Text}
	if len(ev.To) > 0 {
		data["to"] = seatNames(e, ev.To)
	}
	return e.Line(ev, "note-shared", view.Data{"Text": ev.Text}, data)
}

// Lines tell those who could read a note that they can't any more.
func (ev noteHidden) Lines(e visibility.Eye) []view.Line {
	if !shownTo(e, ev.To) {
		return nil
	}
	return e.Line(ev, "note-hidden", nil, view.Data{"id": ev.ID})
}
