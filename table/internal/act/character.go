package act

import (
	"cmp"
	"encoding/json"
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

type characterAdded struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`
	Name  string          `json:"name"`
	Owner string          `json:"owner,omitempty"`
	Sheet json.RawMessage `json:"sheet"`
	sheet any
}

func (characterAdded) Type() string { return "table.character-added" }

func (ev characterAdded) Restore(st *state.State) (rule.Event, error) {
	var err error
	ev.sheet, err = st.RestoreSheet(ev.Kind, ev.Sheet)
	return ev, err
}

func AddCharacter(e visibility.Eye, n request.NewCharacter) (ledger.Draft, error) {
	n, err := readyCharacter(e, n)
	if err != nil {
		return ledger.Draft{}, err
	}
	if n.Kind == "" {
		return ledger.Draft{}, refusal.Invalid("kind", form.Missing)
	}
	kind, err := kindToAdd(e, n.Kind)
	if err != nil {
		return ledger.Draft{}, err
	}
	added := characterAdded{ID: e.Table.Characters.Next(), Kind: kind.ID, Name: checkName.kept(n.Name), Owner: n.Owner}
	if !e.Viewer.IsGM() && n.Owner == "" {
		added.Owner = e.Seat.ID
	}
	reserved := reservedFrom(e, kind)
	switch {
	case n.Values != nil:
		added.sheet, err = kind.Values(kind.Blank, kind.Form.Without(known(kind.Form, reserved)...), n.Values)
	case n.Sheet != nil:
		added.sheet, err = kind.Patch(kind.Blank, n.Sheet, reserved...)
	default:
		added.sheet, err = kind.Patch(kind.Blank, []byte("{}"))
	}
	if err != nil {
		return ledger.Draft{}, refusal.Within("sheet", labelled(e, err))
	}
	if added.Sheet, err = json.Marshal(added.sheet); err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindCharacter, added)
}

func (ev characterAdded) judge(p *Proposal) error {
	if p.Seat.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	if err := cmp.Or(refusal.Same(ev.ID, p.Table.Characters.Next()), checkName.hold(ev.Name)); err != nil {
		return err
	}
	kind, err := kindToAdd(p.Eye, ev.Kind)
	if err != nil {
		return err
	}
	if err := cmp.Or(mayOwn(p.Eye, ev.Owner), drawable(p.Eye, kind, ev.Sheet)); err != nil {
		return err
	}
	if err := p.Rules(func() error { return untouched(p.Eye, kind.Blank, ev.sheet, reservedFrom(p.Eye, kind)) }); err != nil {
		return err
	}
	if people(p.Eye) >= request.MaxCharacters {
		return &refusal.TooManyError{What: "characters", Max: request.MaxCharacters}
	}
	return p.fits("", ev.sheet, len(ev.Sheet))
}

func (ev characterAdded) Fold(st *state.State, _ *state.Record) {
	st.Characters = append(slices.Clip(st.Characters), &state.Character{ID: ev.ID, Kind: ev.Kind, Name: ev.Name, Owner: ev.Owner, Sheet: ev.sheet})
}

func (ev characterAdded) Lines(e visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	return e.Line(ev, "character-added", view.Data{"Name": ev.Name, "Kind": e.Word("kind", ev.Kind)},
		view.Data{"id": ev.ID, "name": ev.Name, "kind": ev.Kind, "owner": ev.Owner})
}

// kind is a kind of sheet that the seat may add.
func kindToAdd(e visibility.Eye, id string) (game.Kind, error) {
	var allowed []string
	for _, k := range e.Table.Game.Kinds {
		if e.Viewer.IsGM() || k.Player {
			allowed = append(allowed, k.ID)
		}
	}
	kind, ok := e.Table.Game.Kind(id)
	if ok && !slices.Contains(allowed, id) {
		return game.Kind{}, &refusal.ForbiddenError{}
	}
	if !ok {
		return game.Kind{}, refusal.NoChoice("kind", id, allowed)
	}
	return kind, nil
}

// reserved are the members of a new sheet that the seat can't set.
func reservedFrom(e visibility.Eye, kind game.Kind) []string {
	if e.Viewer.IsGM() {
		return nil
	}
	return kind.Reserved
}

// mayOwn tells whether the seat may give a character to a seat; "" is nobody.
func mayOwn(e visibility.Eye, owner string) error {
	if !e.Viewer.IsGM() {
		if owner != e.Seat.ID {
			return &refusal.ForbiddenError{}
		}
		return nil
	}
	allowed := []string{""}
	for _, seat := range e.Table.Seats.Here() {
		if seat.Role != game.Spectator {
			allowed = append(allowed, seat.ID)
		}
	}
	if !slices.Contains(allowed, owner) {
		return refusal.NoChoice("owner", owner, allowed)
	}
	return nil
}

// own finds a character that the seat plays.
func own(e visibility.Eye, path, id string) (*state.Character, error) {
	c := e.Table.Characters.Of(id)
	if c == nil || c.Removed || !e.Sees(id) {
		var allowed []string
		for _, c := range e.Seen() {
			if e.Plays(c.ID) {
				allowed = append(allowed, c.ID)
			}
		}
		return nil, refusal.NoChoice(path, id, allowed)
	}
	if !e.Plays(id) {
		return nil, &refusal.ForbiddenError{}
	}
	return c, nil
}

// free tells whether a character is in no open move.
func Free(e visibility.Eye, id string) error {
	m := e.Table.Open.Busy(id)
	if m == nil {
		return nil
	}
	return busyWith(e, id, m)
}
