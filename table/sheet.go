package table

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"norn/form"
	"norn/game"
)

// What a sheet may be, whoever changes it.

func (st *state) restoreSheet(kind string, data []byte) (any, error) {
	k, ok := st.game.Kind(kind)
	if !ok {
		return nil, unknown("the kind of sheet %q is not known", kind)
	}
	return k.Restore(data)
}

// drawable holds a stored sheet to what its form allows, so that no number in it
// is larger than a page can draw.
func drawable(e eye, kind game.Kind, sheet json.RawMessage) error {
	_, err := kind.Patch(kind.Blank, sheet)
	return within("sheet", err)
}

// untouched refuses a change of members that must stay.
func untouched(e eye, before, after any, locked []string) error {
	if len(locked) == 0 {
		return nil
	}
	for _, name := range changed(before, after) {
		if slices.Contains(locked, name) {
			return within("sheet", labelled(e, &game.Refusal{Word: "table.refusal.locked", Data: map[string]any{"Field": name}}))
		}
	}
	return nil
}

// fits refuses a character's sheet that is too large, by itself or with all others at the table; id is "" for a new one's, n its
// bytes as it's stored.
func (p *proposal) fits(id string, sheet any, n int) error {
	if p.old() {
		return nil
	}
	all := n
	if id != "" {
		all = weightOf(p.eye, id, sheet)
	}
	if all > MaxSheet {
		return &TooManyError{What: "bytes", Max: MaxSheet}
	}
	if all <= large {
		return nil
	}
	for _, c := range p.st.characters.here() {
		if c.id != id && p.seesCharacter(c) {
			all += weightOf(p.eye, c.id, c.sheet)
		}
	}
	if all > MaxSheets {
		return &TooManyError{What: "sheet-bytes", Max: MaxSheets}
	}
	return nil
}

// weight is how many bytes of a sheet the seat sees, as it's stored. What is hidden weighs nothing for who mustn't see it,
// and so can't be measured by what else there is room for; a GM, who sees all, is held to all.
func weightOf(e eye, id string, sheet any) int {
	if e.viewer.IsGM() {
		return len(encoded(sheet))
	}
	n := len("{}")
	shown := members(e.st.game.View.ShowSheet(e.viewer, e.st.settings, id, sheet))
	for name := range members(sheet) {
		if value, there := shown[name]; there {
			n += len(`"":,`) + len(name) + len(encoded(value))
		}
	}
	return n
}

// people are how many characters at the table the seat sees: who else is there takes nobody's room.
func people(e eye) (n int) {
	for _, c := range e.st.characters.here() {
		if e.seesCharacter(c) {
			n++
		}
	}
	return n
}

// labelled words the field in a refusal of a locked one.
func labelled(e eye, err error) error {
	r, ok := game.AsRefusal(err)
	if !ok {
		return err
	}
	if name, ok := r.Data["Field"].(string); ok && r.Word == "table.refusal.locked" {
		return &game.Refusal{Word: r.Word, Data: map[string]any{"Field": game.Word(e.st.game.Word("field", name))}}
	}
	return err
}

// known are the names that the form has a field for.
func known(f *form.Form, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, ok := f.Field(name)
		return !ok
	})
}

// changed names the members in which two values differ, in alphabetical order.
func changed(before, after any) []string {
	was, is := members(before), members(after)
	all := map[string]bool{}
	for name := range was {
		all[name] = true
	}
	for name := range is {
		all[name] = true
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		return reflect.DeepEqual(bare(was[name]), bare(is[name]))
	})
}

// naming offers characters wherever a sheet names one; those that were removed
// too, for it may hold them still.
func naming(e eye, f *form.Form) *form.Form {
	choices := form.Choices{}
	for path, field := range f.All() {
		if field.Kind != form.KindRef || field.Options != nil {
			continue
		}
		for _, c := range e.st.characters {
			if e.seesCharacter(c) {
				choices[path] = append(choices[path], form.Option{Value: c.id, Text: c.name})
			}
		}
	}
	return f.Offering(choices)
}

// sheetForm is the part of a character's sheet that the seat may change, as a form.
func sheetForm(e eye, id string) (SheetForm, error) {
	c, err := own(e, "character", id)
	if err != nil {
		return SheetForm{}, err
	}
	kind, _ := e.st.game.Kind(c.kind)
	f := naming(e, kind.Form.Without(known(kind.Form, e.locked(c))...)).From(c.sheet)
	return SheetForm{Kind: kind.ID, Form: f, Values: f.Inputs(c.sheet), sheet: f.Fill(c.sheet)}, nil
}
