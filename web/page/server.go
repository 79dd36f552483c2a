// Package page serves the pages of tables: the start page, a seat's link, the table's own page, its
// forms, the game master's screen, and the live stream that updates all of it.
//
// Pages, parts of them and events of a stream contain only what their seat may see, since all of it
// comes from table.Seat. The package starts goroutines only for live streams, which end with them.
package page

import (
	"context"

	"norn/chat/bridge"
	"norn/game"
	"norn/internal/notify"
	"norn/lang"
	"norn/table"
	"norn/web/middleware"
	oddspages "norn/web/odds"
)

// Notifier notifies people who aren't looking.
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

// Chats links tables to chats.
type Chats interface {
	Platforms() []string
	Code(ctx context.Context, table, secret string, whole bool, l lang.Lang, link string) (string, error)
	Join(platform, code string) string
	Of(table string) []bridge.TieShown
	End(ctx context.Context, seat *table.Seat, id string) error
}

// Server serves the pages of tables.
type Server struct {
	*middleware.Keeper
	Host *table.Host
	Odds *oddspages.Pages
	// Demo returns the path of the link to a demo table's seat in the speaker's language. If a new
	// table is needed, admit may refuse it. nil for no demos.
	Demo func(ctx context.Context, g *game.Game, s lang.Speaker, role game.Role, admit func() error) (path string,
		err error)
	Notifier Notifier // nil for no notifications
	Chats    Chats    // nil for no chats

	audiences audiences
	events    eventCache
}
