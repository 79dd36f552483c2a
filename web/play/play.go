// Package play serves the pages of tables: from the start page and a seat's link to the table's own page, its forms, the game
// master's screen and the live stream that keeps all of it as it is.
//
// What a page, a piece of one and a frame of its stream hold is what its seat may see, since all of it comes from table.Seat.
// The goroutines that it starts are those of live streams, which end with them.
package play

import (
	"context"

	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/web/door"
	oddspages "norn/web/odds"
)

// Server serves them.
type Server struct {
	*door.Keeper
	Host *table.Host
	Odds *oddspages.Pages
	// Demo gives the paths of the links that open a game's demo table in the
	// speaker's language; nil for no demos.
	Demo   func(ctx context.Context, g *game.Game, s lang.Speaker) (gm, player string, err error)
	Herald Herald // calls people who don't look; nil for nobody
	Chats  Chats  // brings tables to chats; nil for none

	crowds crowds
	stands stands
	drawn  drawnOnce
}
