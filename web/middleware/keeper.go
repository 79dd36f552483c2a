// Package middleware is what stands before every page: it guards requests, knows who reads and over
// what they came, keeps their cookies, serves what is bundled, and sends pages, errors among them.
//
// It knows no table: who may sit down is asked elsewhere.
package middleware

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/web/html"
)

// Config is what stands before the pages.
type Config struct {
	Words  *lang.Words
	Games  game.Library
	Origin string // "https://norn.example", for links that people send; "" takes it from the request
	Base   Base   // the path below which all is served; "" for none
	// addresses of this norn, as Origin and Base are, at which other devices reach this computer,
	// the most likely first; nil for unknown
	Reachable func() []string
	Log       *slog.Logger
	Limits    *limit.Limiter          // turns away who comes too often
	Proxies   []netip.Prefix          // whose word counts for where a request comes from, and that it came over TLS
	Meter     Meter                   // hears what there is to count
	Bundle    fs.FS                   // what is bundled, in its folder dist
	Icon      []byte                  // the site's
	Hooks     map[string]http.Handler // what platforms call, by their paths; each proves for itself who calls
	Times
}

// Times are how long others may take.
type Times struct {
	Slow  time.Duration // for one event of a live stream
	Read  time.Duration // to send a body
	Write time.Duration // to take an answer
}

// Routes are addresses, in the syntax of http.ServeMux, and what is served there.
type Routes map[string]http.HandlerFunc

// Usual are the times that anybody may take. Who is too slow for an event of a stream loses the
// connection, holds nobody up meanwhile, and goes on where the last whole event ended.
func Usual() Times {
	return Times{Slow: 15 * time.Second, Read: 15 * time.Second, Write: 30 * time.Second}
}

// Keeper looks after all requests.
type Keeper struct {
	Config
	assets *assets
	Site   *html.Site
	denied sync.Once // a form whose Origin isn't the Host
}

// New makes a keeper. It panics on a bundle that can't be read.
func New(c Config) *Keeper {
	k := &Keeper{Config: c, assets: readAssets(c.Bundle, c.Icon)}
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

// OfferedGames are the games that are offered.
func (k *Keeper) OfferedGames() []*game.Game { return game.CurrentGames(k.Games) }

// Game finds a game that is offered, nil for none.
func (k *Keeper) Game(id string) *game.Game {
	g, _ := game.Find(k.OfferedGames(), id)
	return g
}

// What routes the limits of requests look at: a live stream lasts, and bundled files are light and many.
const (
	LiveRoute   = "GET /t/{table}/live"
	BundleRoute = "GET /assets/{file}"
	APIRoutes   = "/api/"
	AgentRoute  = "/mcp/{table}"
	hookRoute   = "hook" // of all paths at which platforms call: those may be secrets
)
