package visibility

import (
	"maps"
	"reflect"
	"slices"

	"norn/game"
)

// known is a scene as far as the seat sees it: what odds, sources and advice are
// made of. Who isn't played from the seat and whose sheet it doesn't see whole
// is there without a sheet; rules then take what the move assumes.
func (e Eye) Known(s game.Scene) game.Scene {
	if e.Viewer.IsGM() {
		return s
	}
	cast := maps.Clone(s.Cast)
	for id, m := range s.Cast {
		if !e.Plays(id) && !e.whole(id, m.Sheet) {
			m.Sheet = nil
			cast[id] = m
		}
	}
	s.Cast = cast
	return s
}

// whole tells whether the seat sees a character's sheet as it is, perhaps with
// more that the game adds.
func (e Eye) whole(id string, sheet any) bool {
	seen := e.Table.Game.View.ShowSheet(e.Viewer, e.Table.Settings, id, sheet)
	return seen != nil && (reflect.DeepEqual(seen, sheet) || len(e.Unseen(nil, sheet, seen)) == 0)
}

// unseen are those of a known scene who are there without a sheet.
func Unseen(known game.Scene) []string {
	return slices.DeleteFunc(known.IDs(), func(id string) bool { return known.Cast[id].Sheet != nil })
}
