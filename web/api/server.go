// Package api is norn's JSON API: tables, seats, characters, moves, answers, odds, the log and its
// live stream, for programs that play along. New returns its handler, to be mounted at /api/.
//
// These hold:
//
//   - Every request acts as a seat, whose secret is in the header Authorization, and gets only what
//     this seat may see, because package table makes it. A missing secret, a wrong or revoked one,
//     and a missing table get the same response.
//   - Bodies are strict JSON: a value that is unknown, missing, of another type, too long or not
//     UTF-8 is refused, with its place. Every error is an application/problem+json (see Problem),
//     in the language of Accept-Language, or in the table's without one. With 4xx nothing was written.
//   - A request with a key can be repeated: the same seat, key and content give the same entry.
//   - The OpenAPI 3.1 document at /api/openapi.json describes everything; nothing is loaded from
//     another host.
//
// Operations follow these conventions. A created resource gets 201, a move with open questions 202,
// anything else 200. PATCH takes JSON merge patches (RFC 7396) of a sheet or of settings, inside a
// body that also has a key. POST …/moves/{mid}/show reveals a finished secret move, POST
// …/characters/{cid}/show a hidden character. DELETE …/seats/{sid} revokes a seat, POST
// …/seats/{sid}/secret gives it a new link. DELETE has no key, because repeating it gets 404. If
// the address names something unknown the status is 404; at a table the place is "path.sid" or
// "path.cid". GET /api/v1/games needs no seat and lists the games, with the JSON Schema of every
// move's arguments and every sheet; the schema of an answer is in its question.
//
// Each subject has a file that registers its operations: the description of each is next to its
// code. What all operations have in common, such as authentication and errors in bodies, is in
// operation.go: an operation gets a seat and the decoded body, and returns what the table returns.
//
// The package imports table, odds, game, form and lang, never a single game and never a journal's
// driver. It starts goroutines only for live streams: package stream's, which end with the stream,
// and short ones that write a keep-alive.
package api

import (
	"context"
	"embed"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"norn/game"
	"norn/internal/limit"
	"norn/internal/notify"
	"norn/lang"
	"norn/odds"
	"norn/table"
)

// Words has the API's texts: words/en.toml and the other languages.
//
//go:embed words/*.toml
var Words embed.FS

const (
	quietAfter = 10 * time.Second // after this an idle live stream sends a keep-alive
	slowAfter  = 15 * time.Second // to take one event of a live stream
)

// Config has what the API needs.
type Config struct {
	Host    *table.Host
	Words   *lang.Words
	Games   game.Library
	Gate    *odds.Gate // limits the computations of odds; nil for one of the API's own
	Log     *slog.Logger
	Limiter *limit.Limiter // rejects clients with too many requests; nil for no limits
	Meter   Meter          // counts; nil for nothing
	Base    string         // the path before /api/, "/norn"; "" for none
	Hooks   Hooks          // webhooks of tables; nil for none
}

// Meter counts. Its methods don't block.
type Meter interface {
	CountFrame() // an event of a live stream was written
	CountSlow()  // a live stream was cut because its client was too slow
}

// Hooks stores the webhooks of tables.
type Hooks interface {
	Hooks(table string) ([]notify.Named, error)
	AddHook(ctx context.Context, table, address, format string) (notify.Named, error)
	DropHook(ctx context.Context, table, id string) error
}

type uncounted struct{}

func (uncounted) CountFrame() {}
func (uncounted) CountSlow()  {}

// server answers the API's requests.
type server struct {
	Config
	quiet, slow time.Duration
	schemas     gameSchemas // only for the document, not for responses
}

func newServer(c Config, quiet, slow time.Duration) *server {
	if c.Gate == nil {
		c.Gate = odds.UsualGate()
	}
	if c.Limiter == nil {
		c.Limiter = limit.New(limit.Limits{}, time.Now, nil)
	}
	if c.Meter == nil {
		c.Meter = uncounted{}
	}
	return &server{Config: c, quiet: quiet, slow: slow}
}

// greet sets the headers of every response and returns the reader's language.
func (s *server) greet(w http.ResponseWriter, r *http.Request) lang.Speaker {
	l, _ := lang.Match(r.Header.Get("Accept-Language"))
	say := s.Words.In(l)
	maps.Copy(w.Header(), always)
	w.Header().Set("Content-Language", string(say.Lang()))
	return say
}

// always has the headers of every response. To change a value set a new slice: these are shared.
var always = http.Header{
	"Cache-Control":          {"no-store"},
	"Vary":                   {"Accept-Language, Authorization"},
	"X-Content-Type-Options": {"nosniff"},
}
