package table

import (
	"cmp"
	"encoding/json"
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
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

func (ev characterAdded) restore(st *state) (rule.Event, error) {
	var err error
	ev.sheet, err = st.restoreSheet(ev.Kind, ev.Sheet)
	return ev, err
}

func addCharacter(e eye, n NewCharacter) (draft, error) {
	n, err := readyCharacter(e, n)
	if err != nil {
		return draft{}, err
	}
	if n.Kind == "" {
		return draft{}, invalid("kind", form.Missing)
	}
	kind, err := kindToAdd(e, n.Kind)
	if err != nil {
		return draft{}, err
	}
	added := characterAdded{ID: e.st.characters.next(), Kind: kind.ID, Name: checkName.kept(n.Name), Owner: n.Owner}
	if !e.viewer.IsGM() && n.Owner == "" {
		added.Owner = e.seat.id
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
		return draft{}, within("sheet", labelled(e, err))
	}
	if added.Sheet, err = json.Marshal(added.sheet); err != nil {
		return draft{}, err
	}
	return draftActs(e, KindCharacter, added)
}

func (ev characterAdded) judge(p *proposal) error {
	if p.seat.role == game.Spectator {
		return &ForbiddenError{}
	}
	if err := cmp.Or(same(ev.ID, p.st.characters.next()), checkName.hold(ev.Name)); err != nil {
		return err
	}
	kind, err := kindToAdd(p.eye, ev.Kind)
	if err != nil {
		return err
	}
	if err := cmp.Or(mayOwn(p.eye, ev.Owner), drawable(p.eye, kind, ev.Sheet)); err != nil {
		return err
	}
	if err := p.rules(func() error { return untouched(p.eye, kind.Blank, ev.sheet, reservedFrom(p.eye, kind)) }); err != nil {
		return err
	}
	if people(p.eye) >= MaxCharacters {
		return &TooManyError{What: "characters", Max: MaxCharacters}
	}
	return p.fits("", ev.sheet, len(ev.Sheet))
}

func (ev characterAdded) fold(st *state, _ *record) {
	st.characters = append(slices.Clip(st.characters), &character{id: ev.ID, kind: ev.Kind, name: ev.Name, owner: ev.Owner, sheet: ev.sheet})
}

func (ev characterAdded) lines(e eye) []Line {
	if !e.sees(ev.ID) {
		return nil
	}
	return e.line(ev, "character-added", data{"Name": ev.Name, "Kind": e.word("kind", ev.Kind)},
		data{"id": ev.ID, "name": ev.Name, "kind": ev.Kind, "owner": ev.Owner})
}

// kind is a kind of sheet that the seat may add.
func kindToAdd(e eye, id string) (game.Kind, error) {
	var allowed []string
	for _, k := range e.st.game.Kinds {
		if e.viewer.IsGM() || k.Player {
			allowed = append(allowed, k.ID)
		}
	}
	kind, ok := e.st.game.Kind(id)
	if ok && !slices.Contains(allowed, id) {
		return game.Kind{}, &ForbiddenError{}
	}
	if !ok {
		return game.Kind{}, noChoice("kind", id, allowed)
	}
	return kind, nil
}

// reserved are the members of a new sheet that the seat can't set.
func reservedFrom(e eye, kind game.Kind) []string {
	if e.viewer.IsGM() {
		return nil
	}
	return kind.Reserved
}

// mayOwn tells whether the seat may give a character to a seat; "" is nobody.
func mayOwn(e eye, owner string) error {
	if !e.viewer.IsGM() {
		if owner != e.seat.id {
			return &ForbiddenError{}
		}
		return nil
	}
	allowed := []string{""}
	for _, seat := range e.st.seats.here() {
		if seat.role != game.Spectator {
			allowed = append(allowed, seat.id)
		}
	}
	if !slices.Contains(allowed, owner) {
		return noChoice("owner", owner, allowed)
	}
	return nil
}

// own finds a character that the seat plays.
func own(e eye, path, id string) (*character, error) {
	c := e.st.characters.of(id)
	if c == nil || c.removed || !e.sees(id) {
		var allowed []string
		for _, c := range e.seen() {
			if e.plays(c.id) {
				allowed = append(allowed, c.id)
			}
		}
		return nil, noChoice(path, id, allowed)
	}
	if !e.plays(id) {
		return nil, &ForbiddenError{}
	}
	return c, nil
}

// free tells whether a character is in no open move.
func isFree(e eye, id string) error {
	m := e.st.open.busy(id)
	if m == nil {
		return nil
	}
	return busyWith(e, id, m)
}
