// Package middleware handles what every request passes: limits, logs, the reader's language and
// theme, cookies, bundled files, and sending pages, including errors.
//
// It knows no table. Package page checks seats.
package middleware

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"norn/game"
	"norn/internal/limit"
	"norn/lang"
	"norn/web/html"
)

// Config has what a Keeper needs.
type Config struct {
	Words  *lang.Words
	Games  game.Library
	Origin string // "https://norn.example", for links that people send; "" uses the request's
	Base   Base   // path below which everything is served; "" for none
	// returns addresses, with Base, at which other devices reach this computer, the most likely
	// first; may be nil
	Reachable func() []string
	Log       *slog.Logger
	Limits    *limit.Limiter          // rejects clients with too many requests
	Proxies   []netip.Prefix          // proxies whose forwarding headers are trusted
	Meter     Meter                   // counts requests
	Bundle    fs.FS                   // bundled files, in the folder dist
	Icon      []byte                  // the site's icon
	Hooks     map[string]http.Handler // webhooks of chat platforms, by path; each authenticates its caller
	Times
	LogAddresses bool // the log names clients by their address, not by a hash of it
}

// Times are time limits of clients.
type Times struct {
	Slow  time.Duration // to take one event of a live stream
	Read  time.Duration // to send a body
	Write time.Duration // to take a response
}

// Routes maps patterns of http.ServeMux to handlers.
type Routes map[string]http.HandlerFunc

// Usual returns the default time limits. A client that's too slow for an event of a stream is
// disconnected, blocks nobody meanwhile, and can resume after its last complete event.
func Usual() Times {
	return Times{Slow: 15 * time.Second, Read: 15 * time.Second, Write: 30 * time.Second}
}

// Keeper handles what all requests have in common.
type Keeper struct {
	Config
	assets *assets
	Site   *html.Site
	logKey []byte    // of the hashes of addresses in the log
	denied sync.Once // logs only the first form whose Origin isn't the Host
}

// New returns a keeper. It panics if the bundle is broken.
func New(c Config) *Keeper {
	k := &Keeper{Config: c, assets: readAssets(c.Bundle, c.Icon), logKey: []byte(Random(32))}
	k.Site = &html.Site{File: k.assets.URL, Worker: k.assets.worker(), OwnHeads: k.assets.OwnHeads, Name: c.Words.Name}
	k.Site.Painted = func(id string) string {
		g := k.Game(id)
		if g == nil {
			return ""
		}
		return PaintAt(g)
	}
	k.Site.Emblem = func(id string) string {
		if g := k.Game(id); g != nil {
			return g.Emblem
		}
		return ""
	}
	k.Site.Games = func() (ids []string) {
		for _, g := range k.OfferedGames() {
			ids = append(ids, g.ID)
		}
		return ids
	}
	return k
}

// OfferedGames returns the games in which new tables can be opened.
func (k *Keeper) OfferedGames() []*game.Game { return game.CurrentGames(k.Games) }

// Game returns an offered game, or nil.
func (k *Keeper) Game(id string) *game.Game {
	g, _ := game.Find(k.OfferedGames(), id)
	return g
}

// Routes with their own limits: a live stream lasts long, and bundled files are small and many.
const (
	LiveRoute   = "GET /t/{table}/live"
	BundleRoute = "GET /assets/{file}"
	APIRoutes   = "/api/"
	AgentRoute  = "/mcp/{table}"
	hookRoute   = "hook" // replaces all webhook paths, which may be secrets
)
