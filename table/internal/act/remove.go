package act

import (
	"cmp"
	"slices"

	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// characterRemoved names those who get back what it held of theirs; earlier ones
// freed nothing.
type characterRemoved struct {
	byMasters
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Frees []string `json:"frees,omitempty"`
}

func (characterRemoved) Type() string { return "table.character-removed" }

// Subject: of who is hidden only game masters know.
func (ev characterRemoved) Subject(b ledger.Ledger) (move string, secret bool) {
	return "", isHidden(b.State, ev.ID)
}

// RemoveCharacter builds the removal of a character, with those who get something back by it.
func RemoveCharacter(e visibility.Eye, id string) (ledger.Draft, error) {
	if err := byGM(e); err != nil {
		return ledger.Draft{}, err
	}
	c, err := own(e, "id", id)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindCharacter, characterRemoved{ID: id, Name: c.Name, Frees: freedIDs(e.Table.State, c)})
}

func (ev characterRemoved) judge(p *Proposal) error {
	c, err := own(p.Eye, "id", ev.ID)
	if err != nil {
		return err
	}
	err = cmp.Or(refusal.Same(ev.Name, c.Name), CheckFree(p.Eye, ev.ID))
	if len(ev.Frees) > 0 || !p.old() { // earlier ones freed nothing
		err = cmp.Or(err, refusal.SameNames(ev.Frees, freedIDs(p.Table.State, c)))
	}
	for _, id := range ev.Frees {
		err = cmp.Or(err, CheckFree(p.Eye, id))
	}
	return err
}

func (ev characterRemoved) Fold(st *state.State, r *state.Record) {
	c := st.Characters.Of(ev.ID)
	if c == nil {
		return
	}
	frees := freesOf(st, c)
	st.Touch(r, ev.ID, state.Whole).Removed = true
	for _, change := range frees {
		if id := change.Whose(); slices.Contains(ev.Frees, id) {
			held := st.Touch(r, id, state.OfSheet)
			held.Write(change.Apply(held.Sheet))
		}
	}
}

func (ev characterRemoved) Touches() ([]string, state.Facet) {
	return append([]string{ev.ID}, ev.Frees...), state.Whole
}

func (ev characterRemoved) Lines(e visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	return append(e.Line(ev, "character-removed", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name}), freedLines(e, ev)...)
}

// freedLines name those who got something back as a character was taken away.
func freedLines(e visibility.Eye, ev characterRemoved) []view.Line {
	var names []string
	for _, id := range ev.Frees {
		if e.Sees(id) {
			names = append(names, e.Table.Characters.Of(id).Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return e.Line(ev, "character-frees", view.Data{"Name": ev.Name, "Who": e.Voice.List(names)}, view.Data{"id": ev.ID, "name": ev.Name})
}

// freesOf is what a character lets go of as it's taken away, on the sheets of those
// who are here.
func freesOf(st *state.State, c *state.Character) []game.Change {
	kind, _ := st.Game.Kind(c.Kind)
	if kind.Frees == nil {
		return nil
	}
	var frees []game.Change
	for _, event := range kind.Frees(c.Sheet) {
		change, ok := game.AsChange(event)
		if !ok {
			continue
		}
		if held := st.Characters.Of(change.Whose()); held != nil && !held.Removed {
			frees = append(frees, change)
		}
	}
	return frees
}

// freedIDs are those who get something back as a character is taken away.
func freedIDs(st *state.State, c *state.Character) []string {
	return game.Each(freesOf(st, c), game.Change.Whose)
}
