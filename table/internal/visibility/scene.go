package visibility

import (
	"maps"
	"reflect"
	"slices"

	"norn/game"
	"norn/rule"
	"norn/table/internal/state"
)

// KnownScene is a scene as far as the seat sees it: what odds, sources and advice are
// made of. Who isn't played from the seat and whose sheet it doesn't see whole
// is there without a sheet; rules then take what the move assumes.
func (e Eye) KnownScene(s game.Scene) game.Scene {
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

// partOf is what the seat sees of a sheet that it doesn't see whole, nil where rules can't read such a part.
func (e Eye) partOf(m game.Member) any {
	if kind, ok := e.Table.Game.Kind(m.Kind); !ok || !kind.Partly {
		return nil
	}
	shown := e.VisibleSheet(m.ID, m.Sheet)
	if reflect.TypeOf(shown) != reflect.TypeOf(m.Sheet) {
		return nil
	}
	return shown
}

// SeesWhole tells whether the seat sees a sheet as it is, perhaps with more that the game adds.
func (e Eye) SeesWhole(id string, sheet any) bool {
	seen := e.VisibleSheet(id, sheet)
	return seen != nil && (reflect.DeepEqual(seen, sheet) || len(RedactedMembers(nil, sheet, seen)) == 0)
}

// WithoutSheet are those of a known scene who are there without a sheet.
func WithoutSheet(known game.Scene) []string {
	ids := slices.DeleteFunc(known.IDs(), func(id string) bool { return known.Cast[id].Sheet != nil })
	for _, id := range slices.Sorted(maps.Keys(known.Apart())) {
		if known.Apart()[id].Sheet == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// OfferedQuestion is an open question as the seat may answer it: where the answer names who joins,
// with those whom the seat sees and who aren't in the move yet.
func (e Eye) OfferedQuestion(m *state.OpenMove, o rule.Open) rule.Open {
	if o.Names {
		here := slices.DeleteFunc(e.Characters(), func(c *state.Character) bool {
			return m.Has(c.ID) || c.Hidden && !m.Secret
		})
		o.Form = game.Nameable(o.Form, state.MembersOf(here), nil)
	}
	return o
}

// SceneAhead is a known scene for who looks ahead in a move's rule: whom its questions may yet name
// are those whose sheets the seat sees whole.
func (e Eye) SceneAhead(def *game.Move, known game.Scene) game.Scene {
	if len(def.Joins) == 0 {
		return known
	}
	here := slices.DeleteFunc(e.Characters(), func(c *state.Character) bool {
		_, in := known.Cast[c.ID]
		return in || !e.Plays(c.ID) && !e.SeesWhole(c.ID, c.Sheet)
	})
	return known.Nameable(state.MembersOf(here)...)
}
