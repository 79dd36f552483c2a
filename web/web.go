// Package web serves the pages of norn: the start page, the table's page with its live stream, the
// other pages, and a given API.
//
// Every page works with plain forms; script only makes it quicker. No page has inline script or
// style, so the content security policy forbids them. A page, a part of one and an event of a
// stream contain only what the reader's seat may see, since all of it comes from table.Seat. A link
// that opens no table shows the same page whatever the reason. A secret is only in the address of
// its link, in no line of the log, and in no page but the one that hands it out. Another site in a
// reader's browser can neither take a seat nor give one up. Nobody can hold a connection by sending
// or reading slowly, except for a live stream that is read.
//
// This folder only connects the parts: middleware has what every request passes, odds the odds
// without a table, page the pages of tables with their stream, rules the rules, guide the guide,
// and html the templates.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"norn/game"
	"norn/internal/limit"
	"norn/lang"
	"norn/odds"
	"norn/table"
	"norn/web/guide"
	"norn/web/middleware"
	oddspages "norn/web/odds"
	"norn/web/page"
	"norn/web/rules"
)

// Config has what the pages need.
type Config struct {
	Host  *table.Host
	Words *lang.Words
	Games game.Library
	// Demo returns the path of the link to a demo table's seat in the speaker's language. If a new
	// table is needed, admit may refuse it. nil for no demos.
	Demo func(ctx context.Context, g *game.Game, s lang.Speaker, role game.Role, admit func() error) (path string,
		err error)
	// "https://norn.example", for links that people send; "" uses the request's
	Origin string
	Base   middleware.Base // the path below which everything is served, "/norn"; "" for none
	// returns addresses at which other devices reach this computer, the most likely first; may be
	// nil
	Reachable func() []string
	Gate      *odds.Gate              // limits the computations of odds; nil for one of the pages' own
	API       http.Handler            // serves /api/; nil for none
	Agents    http.Handler            // serves /mcp/{table}; nil for none
	Hooks     map[string]http.Handler // webhooks of chat platforms, by path
	Log       *slog.Logger

	Limiter *limit.Limiter // rejects clients with too many requests; nil for no limits
	// proxies whose forwarding headers are trusted
	Proxies []netip.Prefix

	LogAddresses bool                            // the log names clients by their address, not by a hash of it
	Notifier     page.Notifier                   // nil for no notifications
	Chats        page.Chats                      // nil for no chats
	Ready        func(ctx context.Context) error // returns why this server can't serve tables now; nil for always ready
	Meter        middleware.Meter                // counts; nil for nothing
}

type server struct {
	keeper *middleware.Keeper
	odds   *oddspages.Pages
	rules  *rules.Pages
	guide  *guide.Pages
	tables *page.Server
	ready  func(context.Context) error
}

// New returns the handler of all pages. It panics if the bundle is broken.
func New(c Config) http.Handler { return handler(c, middleware.Usual()) }

func handler(c Config, most middleware.Times) http.Handler {
	if c.Gate == nil {
		c.Gate = odds.UsualGate()
	}
	if c.Limiter == nil {
		c.Limiter = limit.New(limit.Limits{}, time.Now, nil)
	}
	if c.Meter == nil {
		c.Meter = middleware.Uncounted{}
	}
	keeper := middleware.New(middleware.Config{
		Words: c.Words, Games: c.Games, Origin: c.Origin, Base: c.Base, Reachable: c.Reachable, Log: c.Log,
		Limits: c.Limiter, Proxies: c.Proxies, Meter: c.Meter, LogAddresses: c.LogAddresses,
		Bundle: dist, Icon: favicon, Times: most, Hooks: c.Hooks,
	})
	pages := &oddspages.Pages{Keeper: keeper, Gate: c.Gate}
	s := &server{
		keeper: keeper, odds: pages, rules: &rules.Pages{Keeper: keeper}, guide: &guide.Pages{Keeper: keeper},
		tables: &page.Server{
			Keeper: keeper, Host: c.Host, Demo: c.Demo, Notifier: c.Notifier, Chats: c.Chats,
			Odds: pages,
		}, ready: c.Ready,
	}

	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(keeper.Deny))

	all := http.NewServeMux()
	for pattern, serve := range s.pages() {
		all.Handle(pattern, protection.Handler(serve))
	}
	for pattern, serve := range s.files() {
		all.HandleFunc(pattern, serve)
	}
	if c.API != nil {
		// it uses a bearer token instead of cookies, so other sites can't misuse it
		all.Handle(middleware.APIRoutes, c.API)
	}
	if c.Agents != nil {
		all.Handle(middleware.AgentRoute, c.Agents) // likewise
	}
	return keeper.Guard(all)
}
