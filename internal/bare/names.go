package bare

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
)

// Names returns short names that distinguish throws, by the fields that differ: "Difficulty 1 ·
// Mastery: no". If none differ, a name lists the fields without their default. Where the throws are
// of several moves, each name begins with its move.
func Names(say lang.Speaker, throws []Throw) []string {
	names := make([]string, len(throws))
	if len(throws) == 0 {
		return names
	}
	if !OneMove(throws) {
		for i, t := range throws {
			if names[i] != "" {
				continue
			}
			var alike []Throw
			for _, other := range throws {
				if other.sameMove(t) {
					alike = append(alike, other)
				}
			}
			own := Names(t.Game.Speak(say), alike)
			for j, other := range throws {
				if other.sameMove(t) {
					names[j], own = other.titled(say, own[0], len(alike) > 1), own[1:]
				}
			}
		}
		return names
	}
	filled := make([]map[string]any, len(throws))
	for i, t := range throws {
		filled[i] = t.Form.Fill(t.Args)
	}
	differs := func(name string) bool {
		for _, values := range filled[1:] {
			if !reflect.DeepEqual(values[name], filled[0][name]) {
				return true
			}
		}
		return false
	}
	for i, t := range throws {
		var parts []string
		for _, field := range t.Form.Fields {
			if differs(field.Name) {
				parts = append(parts, describeValue(say, t.Game, field, filled[i][field.Name]))
			}
		}
		if names[i] = strings.Join(parts, " · "); parts == nil {
			names[i] = t.Name(say)
		}
	}
	return names
}

// Title returns the question that the throw's odds answer: "Check · Skill: yes", "3d6".
func (t Throw) Title(say lang.Speaker) string { return t.titled(say, t.Name(t.Game.Speak(say)), true) }

// titled returns a throw's name with its move before it; that of plain dice is the notation. own is
// the throw's name among throws of its move, of which there may be several.
func (t Throw) titled(say lang.Speaker, own string, several bool) string {
	if n, plain := t.Args.(game.Notation); plain {
		return say.Notation(n.Notation)
	}
	move := t.Game.Speak(say).Say(t.Game.Word("move", t.Move.ID))
	if own == say.Say("bare.usual") && !several {
		return move
	}
	return move + " · " + own
}

// Name lists the throw's fields that don't have their default.
func (t Throw) Name(say lang.Speaker) string {
	if details := t.Details(say); details != nil {
		return strings.Join(details, " · ")
	}
	return say.Say("bare.usual")
}

// Details returns the throw's fields that don't have their default: "Skill", "Difficulty 2".
func (t Throw) Details(say lang.Speaker) (parts []string) {
	query, values := t.Query(), t.Form.Fill(t.Args)
	for _, field := range t.Form.Fields {
		switch {
		case !query.Has(field.Name), t.Game.ID == Dice.ID && query.Get(field.Name) == dice.Newest:
		case values[field.Name] == true || values[field.Name] == form.Yes:
			parts = append(parts, t.Game.Label(say, field.Name))
		default:
			parts = append(parts, describeValue(say, t.Game, field, values[field.Name]))
		}
	}
	return parts
}

// describeValue returns a field's name and value in words.
func describeValue(say lang.Speaker, g *game.Game, f form.Field, value any) string {
	label := g.Label(say, f.Name)
	named := func(text string) string { return say.Say("bare.named", "Field", label, "Value", text) }
	switch value := value.(type) {
	case bool:
		return named(say.Whether(value))
	case int:
		return say.Say("bare.number", "Field", label, "N", value)
	case form.Trait:
		if value.Name() == "" {
			return named(say.Whether(value.Has()))
		}
		return named(option(say, g, f, value.Name()))
	case []int:
		texts := make([]string, len(value))
		for i, n := range value {
			texts[i] = say.Number(n)
		}
		if len(texts) == 0 {
			return named("—")
		}
		return named(strings.Join(texts, ", "))
	case string:
		if len(g.Moves) == 1 && g.ID == Dice.ID { // notation needs no label
			return cmp.Or(title(f, value), value)
		}
		return named(option(say, g, f, value))
	}
	return label
}

// title returns the name of a reading of notation, or "".
func title(f form.Field, value string) string {
	if f.Kind == form.KindChoice {
		return dice.Title(value)
	}
	return ""
}

// option returns the label of a value among a field's options.
func option(say lang.Speaker, g *game.Game, f form.Field, value string) string {
	i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == value })
	switch {
	case i >= 0:
		return g.Option(game.Voice{Speaker: say, Game: g.ID}, f, f.Options[i])
	case value == "":
		return "—"
	}
	return value // a name that people gave
}
