package eclipse

import (
	"cmp"
	"slices"

	"norn/game"
	"norn/rule"
)

// turnOrder returns the turn order: those who paid to go first, then by the throws. EP-23
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

// EndTurn holds the arguments of the move that ends a turn; there are none. No other move does,
// since those who defend make moves, too. EP-23
type EndTurn struct{}

var turnMove = game.Define(game.MoveSpec[EndTurn]{
	ID: "turn", AtTable: true, Order: game.OrderActed, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "acted", Tone: game.Neutral}},
	Play:     func(*rule.Run, game.Scene, EndTurn) rule.Outcome { return rule.Outcome{ID: "acted"} },
})
