// Package page serves the pages of tables: from the start page and a seat's link to the table's own
// page, its forms, the game master's screen and the live stream that keeps all of it as it is.
//
// What a page, a piece of one and a frame of its stream hold is what its seat may see, since all of
// it comes from table.Seat. The goroutines that it starts are those of live streams, which end with
// them.
package page

import (
	"context"

	"norn/chat/bridge"
	"norn/game"
	"norn/lang"
	"norn/notify"
	"norn/table"
	"norn/web/middleware"
	oddspages "norn/web/odds"
)

// Notifier calls people who don't look.
type Notifier interface {
	Key() string
	Subscribe(ctx context.Context, table string, s notify.Subscription) error
	Unsubscribe(ctx context.Context, table, seat, endpoint string) error
	Of(table, seat string) (browsers int, q notify.Quiet, err error)
	SetQuiet(ctx context.Context, table, seat string, q notify.Quiet) error
	Hooks(table string) ([]notify.Named, error)
	AddHook(ctx context.Context, table, address, format string) (notify.Named, error)
	DropHook(ctx context.Context, table, id string) error
}

// Chats bring tables to where people talk.
type Chats interface {
	Platforms() []string
	Code(ctx context.Context, table, secret string, whole bool, l lang.Lang, link string) (string, error)
	Join(platform, code string) string
	Of(table string) []bridge.TieShown
	End(ctx context.Context, seat *table.Seat, id string) error
}

// Server serves them.
type Server struct {
	*middleware.Keeper
	Host *table.Host
	Odds *oddspages.Pages
	// Demo returns the path of the link to a demo table's seat in the speaker's language. Where a
	// fresh table is needed, admit may refuse it. nil for no demos.
	Demo func(ctx context.Context, g *game.Game, s lang.Speaker, role game.Role, admit func() error) (path string,
		err error)
	Notifier Notifier // calls people who don't look; nil for nobody
	Chats    Chats    // brings tables to chats; nil for none

	audiences audiences
	events    eventCache
}
