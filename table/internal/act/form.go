package act

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// MoveForm is a move's form with this table's choices: what the game offers,
// among the characters that are there for the seat.
func MoveForm(e visibility.Eye, def *game.Move, actor string) *form.Form {
	seen := e.Characters()
	scene := e.Table.Scene(actor, seen)
	scene.Ruled.All = e.Viewer.IsGM()
	return offering(def, scene, seen)
}

func offering(def *game.Move, s game.Scene, seen []*state.Character) *form.Form {
	options := make([]form.Option, len(seen))
	for i, c := range seen {
		options[i] = form.Option{Value: c.ID, Text: c.Name}
	}
	f := def.Fit(s, def.Form.For(form.AtTable))
	choices := form.Choices{}
	for path, field := range f.All() { // a game may have said already who comes into question
		if (field.Kind == form.KindRef || field.Kind == form.KindRefs) && field.Options == nil {
			choices[path] = options
		}
	}
	if len(choices) == 0 {
		return f
	}
	return f.Offering(choices)
}

// SheetForm is the part of a character's sheet that the seat may change, as a form.
func SheetForm(e visibility.Eye, id string) (view.SheetForm, error) {
	c, err := own(e, "character", id)
	if err != nil {
		return view.SheetForm{}, err
	}
	kind, _ := e.Table.Game.Kind(c.Kind)
	f := naming(e, kind.Form.Without(known(kind.Form, e.Locked(c))...)).From(c.Sheet)
	return view.SheetForm{Kind: kind.ID, Form: f, Values: f.Inputs(c.Sheet), Sheet: f.Fill(c.Sheet)}, nil
}

// naming offers characters wherever a sheet names one; those that were removed
// too, for it may hold them still.
func naming(e visibility.Eye, f *form.Form) *form.Form {
	choices := form.Choices{}
	for path, field := range f.All() {
		if field.Kind != form.KindRef || field.Options != nil {
			continue
		}
		for _, c := range e.Table.Characters {
			if e.SeesCharacter(c) {
				choices[path] = append(choices[path], form.Option{Value: c.ID, Text: c.Name})
			}
		}
	}
	return f.Offering(choices)
}

// known are the names that the form has a field for.
func known(f *form.Form, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, ok := f.Field(name)
		return !ok
	})
}
