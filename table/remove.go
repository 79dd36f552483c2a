package table

import (
	"cmp"
	"slices"

	"norn/game"
)

// characterRemoved names those who get back what it held of theirs; earlier ones
// freed nothing.
type characterRemoved struct {
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Frees []string `json:"frees,omitempty"`
}

func (characterRemoved) Type() string { return "table.character-removed" }

func removeCharacter(e eye, id string) (draft, error) {
	if err := byGM(e); err != nil {
		return draft{}, err
	}
	c, err := own(e, "id", id)
	if err != nil {
		return draft{}, err
	}
	return draftActs(e, KindCharacter, characterRemoved{ID: id, Name: c.name, Frees: freedBy(e.st.state, c)})
}

func (ev characterRemoved) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	c, err := own(p.eye, "id", ev.ID)
	if err != nil {
		return err
	}
	if err := cmp.Or(same(ev.Name, c.name), isFree(p.eye, ev.ID)); err != nil {
		return err
	}
	if len(ev.Frees) > 0 || !p.old() { // earlier ones freed nothing
		if err := sameNames(ev.Frees, freedBy(p.st.state, c)); err != nil {
			return err
		}
	}
	for _, id := range ev.Frees {
		if err := isFree(p.eye, id); err != nil {
			return err
		}
	}
	return nil
}

func (ev characterRemoved) fold(st *state, r *record) {
	c := st.characters.of(ev.ID)
	if c == nil {
		return
	}
	frees := freesOf(st, c)
	st.touch(r, ev.ID, whole).removed = true
	for _, change := range frees {
		if id := change.Whose(); slices.Contains(ev.Frees, id) {
			held := st.touch(r, id, ofSheet)
			held.sheet = change.Apply(held.sheet)
		}
	}
}

func (ev characterRemoved) touches() ([]string, facet) {
	return append([]string{ev.ID}, ev.Frees...), whole
}

func (ev characterRemoved) lines(e eye) []Line {
	if !e.sees(ev.ID) {
		return nil
	}
	return append(e.line(ev, "character-removed", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name}), freedLines(e, ev)...)
}

// freedLines name those who got something back as a character was taken away.
func freedLines(e eye, ev characterRemoved) []Line {
	var names []string
	for _, id := range ev.Frees {
		if e.sees(id) {
			names = append(names, e.st.characters.of(id).name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return e.line(ev, "character-frees", data{"Name": ev.Name, "Who": e.voice.List(names)}, data{"id": ev.ID, "name": ev.Name})
}

// frees is what a character lets go of as it's taken away, on the sheets of those
// who are here.
func freesOf(st *state, c *character) []game.Change {
	kind, _ := st.game.Kind(c.kind)
	if kind.Frees == nil {
		return nil
	}
	var frees []game.Change
	for _, event := range kind.Frees(c.sheet) {
		change, ok := game.AsChange(event)
		if !ok {
			continue
		}
		if held := st.characters.of(change.Whose()); held != nil && !held.removed {
			frees = append(frees, change)
		}
	}
	return frees
}

// freed are those who get something back as a character is taken away.
func freedBy(st *state, c *character) []string {
	var who []string
	for _, change := range freesOf(st, c) {
		who = append(who, change.Whose())
	}
	return who
}
