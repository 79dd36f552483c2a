package act

import (
	"cmp"
	"slices"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// readingChosen sets how plain dice are read at the table: by one of game.TableReadings. Rolls keep the
// reading that they were made by.
type readingChosen struct {
	byMasters
	As string `json:"as"`
}

func (readingChosen) Type() string { return "table.reading-chosen" }

// ReadingRequest asks to read plain dice as norn or another program does.
type ReadingRequest struct {
	As string `json:"as" form:"choice=norn-2,set=reading,required" doc:"a reading of notation, by its name or its short name"`
}

// ChooseReading sets how plain dice are read at the table: in the line, in moves of plain dice, in chats
// and by API clients.
var ChooseReading = offerReadings(Define(Spec[ReadingRequest, view.Entry]{
	Name: "choose-reading", Op: "reading",
	Route: Route{
		Method: "POST", Path: "/reading", Tag: "tables", Body: "ReadingRequest",
		Summary: "Choose how dice notation is read",
		Text:    "Only a game master may. Dice written at this table are read as that program reads them. Earlier rolls keep their reading.",
		Example: map[string]any{"as": "roll20-3", "key": "41de"},
	},
	Key:     func(r ReadingRequest) any { return r.As },
	Setting: true,
	Now:     func(v view.Values) ReadingRequest { return ReadingRequest{cmp.Or(v.Notation, dice.Second)} },
	Build: func(c Call, r ReadingRequest) (ledger.Draft, error) {
		return draft(c.Eye, view.KindSettings, readingChosen{As: dice.Named(r.As)})
	},
}))

// offerReadings makes the readings of notation, which are a table of package dice, options of the
// act's form.
func offerReadings(a Act[ReadingRequest, view.Entry]) Act[ReadingRequest, view.Entry] {
	a.Form = a.Form.With("as", game.TableReadings()...)
	return a
}

func (ev readingChosen) judge(*Proposal) error {
	readings := game.TableReadings()
	if slices.ContainsFunc(readings, func(o form.Option) bool { return o.Value == ev.As }) {
		return nil
	}
	return refusal.NoChoice("as", ev.As, game.Each(readings, func(o form.Option) string { return o.Alias }))
}

func (ev readingChosen) Fold(st *state.State, r *state.Record) {
	st.NoteSettings(r)
	st.Values.Notation = ev.As
}

func (ev readingChosen) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "reading-chosen", view.Data{"Program": dice.Title(ev.As)}, view.Data{"as": ev.As})
}
