package visibility

import (
	"maps"
	"reflect"
	"slices"

	"norn/game"
	"norn/rule"
	"norn/table/internal/state"
)

// KnownScene returns what the seat sees of a scene, for odds, sources and advice. A character that
// the seat doesn't play and whose sheet it doesn't see completely has no sheet; rules then use what
// the move assumes.
func (e *Eye) KnownScene(s game.Scene) game.Scene {
	if e.Viewer.IsGM() {
		return s
	}
	return s.MapMembers(func(m game.Member) game.Member {
		if !e.Plays(m.ID) && !e.SeesWhole(m.ID, m.Sheet) {
			m.Sheet = e.partOf(m)
		}
		return m
	})
}

// partOf returns what the seat sees of a partly visible sheet, nil where rules can't read such a
// part.
func (e *Eye) partOf(m game.Member) any {
	if kind, ok := e.Table.Game.Kind(m.Kind); !ok || !kind.Partly {
		return nil
	}
	shown := e.VisibleSheet(m.ID, m.Sheet)
	if reflect.TypeOf(shown) != reflect.TypeOf(m.Sheet) {
		return nil
	}
	return shown
}

// SeesWhole reports whether the seat sees all of a sheet, perhaps with additions by the game.
func (e *Eye) SeesWhole(id string, sheet any) bool {
	seen := e.VisibleSheet(id, sheet)
	return seen != nil && (reflect.DeepEqual(seen, sheet) || len(RedactedMembers(nil, sheet, seen)) == 0)
}

// WithoutSheet returns the characters of a known scene that have no sheet.
func WithoutSheet(known game.Scene) []string {
	ids := slices.DeleteFunc(known.IDs(), func(id string) bool { return known.Cast[id].Sheet != nil })
	for _, id := range slices.Sorted(maps.Keys(known.Apart())) {
		if known.Apart()[id].Sheet == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// OfferedQuestion returns an open question as the seat may answer it. If the answer names
// characters that join, the options are those that the seat sees and that aren't in the move.
func (e *Eye) OfferedQuestion(m *state.OpenMove, o rule.Open) rule.Open {
	if o.Names {
		here := game.Without(e.Characters(), func(c *state.Character) bool {
			return m.Has(c.ID) || c.Hidden && !m.Secret
		})
		o.Form = game.Nameable(o.Form, state.MembersOf(here), nil)
	}
	return o
}

// SceneAhead returns a known scene for looking ahead in a move's rule. Its questions may name the
// characters whose sheets the seat sees completely.
func (e *Eye) SceneAhead(def *game.Move, known game.Scene) game.Scene {
	if len(def.Joins) == 0 {
		return known
	}
	here := game.Without(e.Characters(), func(c *state.Character) bool {
		_, in := known.Cast[c.ID]
		return in || !e.Plays(c.ID) && !e.SeesWhole(c.ID, c.Sheet)
	})
	return known.Nameable(state.MembersOf(here)...)
}
