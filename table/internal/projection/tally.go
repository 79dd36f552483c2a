package projection

import (
	"slices"

	"norn/game"
	"norn/rule"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// addTally adds what the seat sees of a tally: what entries show.
func addTally(e *visibility.Eye, tallies []view.Tally, of *state.CharacterTally) []view.Tally {
	who := ""
	if e.Sees(of.Actor) {
		who = of.Actor
	}
	i := slices.IndexFunc(tallies, func(t view.Tally) bool { return t.Character == who })
	if i < 0 {
		i = len(tallies)
		tallies = append(tallies, view.Tally{Character: who, Tones: map[game.Tone]int{}})
	}
	t := &tallies[i]
	t.Moves += of.Moves
	for _, thrown := range of.Dice {
		if thrown.Plain || e.Table.Game.View.SeesThrow(e.Viewer, e.Table.Settings,
			rule.Throw{For: thrown.For, Sides: thrown.Sides}) {
			t.Dice += thrown.N
		}
	}
	for _, came := range of.Came {
		def, _ := e.Table.Game.Move(came.Move)
		told, ok := e.Resolution(&state.Move{Def: def},
			game.Resolved{Who: of.Actor, Outcome: rule.Outcome{ID: came.Outcome}})
		if ok && came.N > 0 {
			t.Tones[outcomeOf(e.Table.Game, def, told.Outcome.ID).Tone] += came.N
		}
	}
	return tallies
}

// Tallies sums up the current session of dice by what the seat may see: how much each character did
// and how that ended, in the order of their first moves.
func Tallies(e *visibility.Eye) []view.Tally {
	tallies := []view.Tally{}
	for _, t := range e.Table.Tallies {
		if !t.Secret || e.Viewer.IsGM() {
			tallies = addTally(e, tallies, t)
		}
	}
	return slices.DeleteFunc(tallies, func(t view.Tally) bool { return t.Moves == 0 })
}
