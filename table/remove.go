package table

import (
	"cmp"
	"context"
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

// RemoveCharacter takes a character away; only a GM may. It can't be in an
// open move, and neither can who gets something back by it. Errors are *InvalidError, *RefusedError
// and *BusyError.
func (s *Seat) RemoveCharacter(ctx context.Context, id, key string) (Entry, error) {
	return s.entry(ctx, key, "remove", id, func(e eye) (draft, error) {
		if err := e.byGM(); err != nil {
			return draft{}, err
		}
		c, err := e.own("id", id)
		if err != nil {
			return draft{}, err
		}
		return e.acts(KindCharacter, characterRemoved{ID: id, Name: c.name, Frees: e.st.freed(c)})
	})
}

func (ev characterRemoved) judge(p *proposal) error {
	if err := p.byGM(); err != nil {
		return err
	}
	c, err := p.own("id", ev.ID)
	if err != nil {
		return err
	}
	if err := cmp.Or(same(ev.Name, c.name), p.free(ev.ID)); err != nil {
		return err
	}
	if len(ev.Frees) > 0 || !p.old() { // earlier ones freed nothing
		if err := sameNames(ev.Frees, p.st.freed(c)); err != nil {
			return err
		}
	}
	for _, id := range ev.Frees {
		if err := p.free(id); err != nil {
			return err
		}
	}
	return nil
}

func (ev characterRemoved) fold(st *state, r *record) {
	c := st.character(ev.ID)
	if c == nil {
		return
	}
	frees := st.frees(c)
	st.touch(r, ev.ID, whole).removed = true
	for _, change := range frees {
		if id := change.Whose(); slices.Contains(ev.Frees, id) {
			held := st.touch(r, id, ofSheet)
			held.sheet = change.Apply(held.sheet)
		}
	}
}

func (ev characterRemoved) lines(e eye) []Line {
	if !e.sees(ev.ID) {
		return nil
	}
	return append(e.line(ev, "character-removed", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name}), e.freedLines(ev)...)
}

// freedLines name those who got something back as a character was taken away.
func (e eye) freedLines(ev characterRemoved) []Line {
	var names []string
	for _, id := range ev.Frees {
		if e.sees(id) {
			names = append(names, e.st.character(id).name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return e.line(ev, "character-frees", data{"Name": ev.Name, "Who": e.voice.List(names)}, data{"id": ev.ID, "name": ev.Name})
}

// frees is what a character lets go of as it's taken away, on the sheets of those
// who are here.
func (st *state) frees(c *character) []game.Change {
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
		if held := st.character(change.Whose()); held != nil && !held.removed {
			frees = append(frees, change)
		}
	}
	return frees
}

// freed are those who get something back as a character is taken away.
func (st *state) freed(c *character) []string {
	var who []string
	for _, change := range st.frees(c) {
		who = append(who, change.Whose())
	}
	return who
}
