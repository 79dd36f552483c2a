// Package games is the ordered list of the games that norn plays. A new game
// adds its folder and one line here.
package games

import (
	"norn/game"
	"norn/games/eclipse"
	"norn/games/edda"
	"norn/games/godbound"
	"norn/games/mage"
	"norn/games/spire"
)

// All are the games, in the order in which people are offered them.
var All = []*game.Game{
	spire.Game,
	mage.Game,
	edda.Game,
	godbound.Game,
	eclipse.Game,
}

// Find finds a game by its id.
func Find(id string) (*game.Game, bool) {
	for _, g := range All {
		if g.ID == id {
			return g, true
		}
	}
	return nil, false
}
