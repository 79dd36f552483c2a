// Package web serves the pages of norn: the start page, the table's page with
// its live stream, and beside them the API that it is given.
//
// Promised: every page works by plain forms; script only makes it quicker. No
// page has inline script or style, so the content security policy forbids
// them. A page, a fragment and a live frame hold what the reader's seat may
// see and nothing else, since all of it comes from table.Seat. A link that
// doesn't open a table shows the same page whatever the reason. No secret
// stands in an address but where its link arrives, in a log line, or in a page
// but the one that hands it out. What another site does in a reader's browser
// takes no seat and gives none up. Nobody can hold a connection by sending or reading
// slowly, but for a live stream that is read.
//
// This folder only wires: what every request passes is in middleware, odds without a table in odds,
// a table's pages and their stream in page, rules in rules, the guide in guide, what all of them
// draw in html.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/odds"
	"norn/table"
	"norn/web/guide"
	"norn/web/middleware"
	oddspages "norn/web/odds"
	"norn/web/page"
	"norn/web/rules"
)

// Config is what the pages are made of.
type Config struct {
	Host  *table.Host
	Words *lang.Words
	Games game.Library
	// Demo returns the path of the link to a demo table's seat in the speaker's language. Where a
	// fresh table is needed, admit may refuse it. nil for no demos.
	Demo func(ctx context.Context, g *game.Game, s lang.Speaker, role game.Role, admit func() error) (path string,
		err error)
	// "https://norn.example", for links that people send; "" takes it from the request
	Origin string
	Base   middleware.Base // the path below which all is served, "/norn"; "" for none
	// addresses at which other devices reach this computer, the most likely first; nil for unknown
	Reachable func() []string
	Gate      *odds.Gate              // to where odds are worked out; nil for one of the pages' own
	API       http.Handler            // serves /api/; nil for none
	Agents    http.Handler            // serves /mcp/{table}; nil for none
	Hooks     map[string]http.Handler // what platforms call, by their paths
	Log       *slog.Logger

	Limiter *limit.Limiter // turns away who comes too often; nil for nobody
	// whose word counts for where a request comes from, and that it came over TLS
	Proxies  []netip.Prefix
	Notifier page.Notifier                   // calls people who don't look; nil for nobody
	Chats    page.Chats                      // brings tables to chats; nil for none
	Ready    func(ctx context.Context) error // tells why this server can't serve tables now; nil for always ready
	Meter    middleware.Meter                // hears what there is to count; nil for nobody
}

type server struct {
	keeper *middleware.Keeper
	odds   *oddspages.Pages
	rules  *rules.Pages
	guide  *guide.Pages
	tables *page.Server
	ready  func(context.Context) error
}

// New makes the handler of all pages. It panics on a bundle that can't be read.
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
		Limits: c.Limiter, Proxies: c.Proxies, Meter: c.Meter,
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
		all.Handle(middleware.APIRoutes, c.API) // it takes a bearer, no cookie, so another site can't borrow it
	}
	if c.Agents != nil {
		all.Handle(middleware.AgentRoute, c.Agents) // likewise
	}
	return keeper.Guard(all)
}
