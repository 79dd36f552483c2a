package act

import (
	"cmp"
	"encoding/json"
	"slices"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// BlankedText replaces what a blanked person said.
const BlankedText = "—"

// seatBlanked says that a person's name and words were blanked in all entries before it. They have
// the new name there, so a log still verifies.
type seatBlanked struct {
	byMasters
	ID   string `json:"id"`
	Name string `json:"name"` // from now on, and in all older entries
}

func (seatBlanked) Type() string { return "table.seat-blanked" }

// BlankSeat blanks what the person of a seat has said, and replaces the name of the seat in the
// whole log.
var BlankSeat = Define(Spec[RenameRequest, view.Entry]{
	Name: "blank-seat", Op: "blank",
	Route: Route{
		Method: "POST", Path: "/seats/{sid}/blank", Missing: "seat", Tag: "seats", Body: "SeatChange",
		Summary: "Blank a person’s name and words",
		Text: "Only a game master may. All earlier entries get the new name and lose what the seat has said, in talk and whispers; " +
			"the log says so and can still be verified. It can’t be undone. Characters stay as they are.",
		Example: map[string]any{"name": "Former player", "key": "b1a7"},
	},
	Key: func(r RenameRequest) any { return []string{r.Seat, r.Name} },
	Build: func(c Call, r RenameRequest) (ledger.Draft, error) {
		target, err := anySeat(c.Eye, r.Seat)
		if err != nil {
			return ledger.Draft{}, err
		}
		if err := checkOwnName(c.Eye, r.Name, ""); err != nil && r.Name != target.Name {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindBlanked, seatBlanked{ID: target.ID, Name: checkName.keep(r.Name)})
	},
})

// anySeat returns a seat, also a revoked one: people may have left.
func anySeat(e *visibility.Eye, id string) (*state.Seat, error) {
	if target := e.Table.Seats.Of(id); target != nil {
		return target, nil
	}
	return nil, refusal.NoChoice("seat", id, e.Table.Seats.IDs())
}

func (ev seatBlanked) judge(p *Proposal) error {
	_, err := anySeat(p.Eye, ev.ID)
	return cmp.Or(err, checkName.hold(ev.Name))
}

func (ev seatBlanked) Fold(st *state.State, _ *state.Record) {
	st.Seats = st.Seats.With(ev.ID, func(s *state.Seat) { s.Name = ev.Name })
}

func (ev seatBlanked) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "seat-blanked", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}

// Blanks reports whether a stored entry blanks others.
func Blanks(stored []byte) bool {
	var body struct {
		Kind string `json:"kind"`
	}
	return json.Unmarshal(stored, &body) == nil && body.Kind == view.KindBlanked
}

// named lists the events that have a seat's name.
var named = []string{
	SeatAdded{}.Type(), SeatRenewed{}.Type(), SeatRestored{}.Type(), SeatRecovered{}.Type(), seatRenamed{}.Type(),
	seatRevoked{}.Type(), codeMade{}.Type(), codeRemoved{}.Type(), seatBlanked{}.Type(),
}

// Blank returns the body of a stored entry without the name and the words that a draft blanks; nil
// if it has none. author is the entry's seat.
func Blank(d ledger.Draft, author string, stored []byte) ([]byte, error) {
	ev := d.Events[0].(seatBlanked)
	var body state.EntryBody
	if err := json.Unmarshal(stored, &body); err != nil {
		return nil, err
	}
	blanked := false
	for i, event := range body.Events {
		var data map[string]json.RawMessage
		switch {
		case event.Type == (talkSaid{}).Type() && author == ev.ID:
		case slices.Contains(named, event.Type):
		default:
			continue
		}
		if err := json.Unmarshal(event.Data, &data); err != nil {
			return nil, err
		}
		if event.Type == (talkSaid{}).Type() {
			data["text"] = state.JSON(BlankedText)
		} else {
			var id string
			if json.Unmarshal(data["id"], &id) != nil || id != ev.ID {
				continue
			}
			for _, member := range []string{"name", "was"} {
				if _, has := data[member]; has {
					data[member] = state.JSON(ev.Name)
				}
			}
		}
		made, err := json.Marshal(data)
		if err != nil {
			return nil, err
		}
		body.Events[i].Data, blanked = made, true
	}
	if !blanked {
		return nil, nil
	}
	body.Request = "" // a hash of the words
	return json.Marshal(&body)
}
