// Package games lists the games that norn plays, in order. To add a game, add its folder and one
// line here. Only main programs and tests use the list and pass it on; no other package knows it.
package games

import (
	"norn/game"
	"norn/games/eclipse"
	"norn/games/edda"
	"norn/games/godbound"
	"norn/games/mage"
	"norn/games/spire"
)

// All returns the games in the order in which they're offered.
func All() game.Fixed {
	return game.Fixed{
		spire.New(),
		mage.New(),
		edda.New(),
		godbound.New(),
		eclipse.New(),
	}
}
