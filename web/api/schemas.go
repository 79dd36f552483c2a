package api

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/lang"
)

// members are the members of a JSON object, or their schemas.
type members = map[string]any

// gameSchemas has the schemas of every game's sheets, settings and arguments, by component name,
// and the ways in which they combine in bodies.
type gameSchemas struct {
	named                           map[string]members
	moves, priced, sheets, settings []any
	bare                            members // arguments of any move without a table
}

func schemasOf(games []*game.Game) gameSchemas {
	of := gameSchemas{named: map[string]members{}}
	var throws []any
	for _, g := range append(slices.Clone(games), bare.Dice) {
		for i := range g.Moves {
			m := &g.Moves[i]
			if m.Bare && m.Price != nil {
				of.named[bareName(g, m)] = schema(m.Form.For(form.Bare))
				throws = append(throws, reference(bareName(g, m)))
			}
			if !m.AtTable {
				continue
			}
			name := g.Word(m.ID, "args")
			of.named[name] = schema(argsForm(m))
			choice := way(g.ID+" "+m.ID, "move", m.ID, "args", name, of.named[name])
			of.moves = append(of.moves, choice)
			if m.Price != nil {
				of.priced = append(of.priced, choice)
			}
		}
		for _, k := range g.Kinds {
			name := g.Word(k.ID, "sheet")
			of.named[name] = schema(k.Form)
			of.sheets = append(of.sheets, way(g.ID+" "+k.ID, "kind", k.ID, "sheet", name, of.named[name]))
		}
		if g == bare.Dice { // it has no table
			continue
		}
		name := g.Word("settings")
		of.named[name] = schema(g.Settings.Form)
		of.settings = append(of.settings, members{
			"title": g.ID, "properties": members{"settings": reference(name)},
		})
	}
	plain := game.PlainDice + ".args"
	of.named[plain] = schema(argsForm(&game.Plain))
	choice := way("any game, plain dice", "move", game.PlainDice, "args", plain, of.named[plain])
	of.moves, of.priced = append(of.moves, choice), append(of.priced, choice)
	of.bare = members{"type": "object", "description": "the arguments of the move in the address", "anyOf": throws}
	return of
}

// bareName returns the name of the schema of a move's arguments without a table.
func bareName(g *game.Game, m *game.Move) string { return g.Word(m.ID, "bare") }

// way returns one combination of a body's members: if by is id, then member follows the named
// schema.
func way(title, by, id, member, name string, schema members) members {
	w := members{
		"title": title, "properties": members{by: members{"const": id}, member: reference(name)},
	}
	if schema["required"] != nil {
		w["required"] = []string{member}
	}
	return w
}

func reference(name string) members {
	return members{"$ref": "#/components/schemas/" + name}
}

// argsForm returns a move's form as the API uses it.
func argsForm(m *game.Move) *form.Form { return m.Form.For(form.AtTable) }

// schema returns a form's JSON Schema for use inside another document.
func schema(f *form.Form) members {
	s := f.Schema()
	delete(s, "$schema")
	return s
}

// labelledSchema returns a form's schema with the game's labels of its fields and choices; labels is the set of
// words.
func labelledSchema(g *game.Game, say lang.Speaker, labels string, f *form.Form) members {
	s := f.LabelSchema(g.Labels(say, labels), g.ChoiceLabels(say))
	delete(s, "$schema")
	return s
}
