package act

import (
	"cmp"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/internal/visibility"
)

// Arrange returns a form whose choices of characters are in the order in which a reader looks for
// them: the actor, heroes, NPCs, things, each in the order in which they were added. NPCs are
// marked, so that a page can fold many of them.
func Arrange(e *visibility.Eye, f *form.Form, actor string) *form.Form {
	type place struct{ rank, came int }
	var places map[string]place
	choices := form.Choices{}
	for path, field := range f.All() {
		if !field.Kind.IsRef() || len(field.Options) < 2 {
			continue
		}
		if places == nil {
			seen := e.Characters()
			places = make(map[string]place, len(seen))
			for i, c := range seen {
				kind, _ := e.Table.Game.Kind(c.Kind)
				places[c.ID] = place{rankOf(kind), i}
			}
			places[actor] = place{}
		}
		options := slices.Clone(field.Options)
		slices.SortStableFunc(options, func(a, b form.Option) int {
			at, to := places[a.Value], places[b.Value] // options that aren't characters come first
			return cmp.Or(cmp.Compare(at.rank, to.rank), cmp.Compare(at.came, to.came))
		})
		for i := range options {
			options[i].NPC = places[options[i].Value].rank == rankNPC
		}
		choices[path] = options
	}
	if len(choices) == 0 {
		return f
	}
	return f.Offering(choices)
}

// Ranks of characters, in the order in which they're offered.
const (
	rankHero = iota + 1
	rankNPC
	rankThing
)

func rankOf(k game.Kind) int {
	switch {
	case k.Thing:
		return rankThing
	case k.Player:
		return rankHero
	}
	return rankNPC
}
