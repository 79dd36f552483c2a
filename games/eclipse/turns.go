package eclipse

import (
	"cmp"
	"slices"

	"norn/game"
	"norn/rule"
)

// turnOrder has who bought the first place before all, then by what they threw. EP-23
func turnOrder(s game.Scene, thrown []game.OrderThrow) []game.Encounter {
	all := game.VisibleThrows(s, thrown)
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b game.OrderThrow) int {
		if first := a.Outcome.ID == "first"; first != (b.Outcome.ID == "first") {
			if first {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Outcome.N, a.Outcome.N)
	})
	return []game.Encounter{game.InTurn{All: all, Round: "eclipse.turns.round", Ends: "turn", With: EndTurn{}}}
}

// EndTurn ends somebody's turn. Nothing else counts turns: who defends makes a move, too. EP-23
type EndTurn struct{}

var turnMove = game.Define(game.MoveSpec[EndTurn]{
	ID: "turn", AtTable: true, Order: game.OrderActed, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "acted", Tone: game.Neutral}},
	Play:     func(*rule.Run, game.Scene, EndTurn) rule.Outcome { return rule.Outcome{ID: "acted"} },
})
