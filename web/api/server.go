// Package api is norn's JSON API: tables, seats, characters, moves, answers, odds, the log and its live stream, for
// programs that play along. New makes its handler, to be mounted at /api/.
//
// Promised:
//
//   - Everything is made as a seat, whose secret stands in the header Authorization, and nothing is shown that this seat
//     may not see: answers are what package table made for it. No secret, a wrong or revoked one, and a table that
//     doesn't exist get the same answer.
//   - Bodies are strict JSON: what is unknown, missing, of another type, too long or not UTF-8 is refused, with its place.
//     Every error is an application/problem+json (see Problem), in the language that Accept-Language asks for. Whoever
//     gets one of 4xx knows that nothing was written.
//   - A request with a key can be repeated: the same seat, key and content give the same entry.
//   - The OpenAPI 3.1 document at /api/openapi.json describes all of it; nothing is loaded from another host.
//
// Beside what its name says, an operation follows these conventions. What is made gets 201; a move with open questions
// 202; anything else 200. PATCH takes JSON merge patches (RFC 7396) of a sheet or of settings, inside a body that also
// holds a key. POST …/moves/{mid}/show opens a secret move that has ended to everybody,
// POST …/characters/{cid}/show who was prepared hidden. DELETE …/seats/{sid} revokes a seat, POST
// …/seats/{sid}/secret gives it a new link; DELETE has no key, for who repeats it is told that
// there's nothing more. What an address names and isn't there is 404, for those at the table with
// the place "path.sid" or "path.cid". GET /api/v1/games needs no seat and tells what can be played,
// with the JSON Schema of every move's arguments and every sheet; the schema of an answer stands in
// its question.
//
// Each subject has a file, which registers its operations: what the document says of each stands
// beside what it does. What all of them have in common, who asks and what is wrong with a body, is
// done for them in operation.go: an operation gets a seat and what was sent to it, and returns what
// the table returns.
//
// The package imports table, odds, game, form and lang, never a single game and never a journal's driver. It starts
// goroutines for live streams alone: package stream's, which end with the stream, and, for as long as it takes to write
// them, those of a stream's "no news", which write nothing once it has ended.
package api

import (
	"context"
	"embed"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/notify"
	"norn/odds"
	"norn/table"
)

// Words are the API's texts: words/en.toml and its fellows.
//
//go:embed words/*.toml
var Words embed.FS

const (
	quietAfter = 10 * time.Second // a live stream without news says so
	slowAfter  = 15 * time.Second // to take one event of a live stream
)

// Config is what the API needs.
type Config struct {
	Host    *table.Host
	Words   *lang.Words
	Games   game.Library
	Gate    *odds.Gate // to where odds are worked out; nil for one of the API's own
	Log     *slog.Logger
	Limiter *limit.Limiter // turns away who comes too often; nil for nobody
	Meter   Meter          // hears what there is to count; nil for nobody
	Base    string         // the path before /api/, "/norn"; "" for none
	Hooks   Hooks          // the addresses that hear of tables; nil for none
}

// Meter hears what there is to count. Its methods don't wait.
type Meter interface {
	Frame() // an event of a live stream was written
	Slow()  // a live stream was cut, since its reader took nothing
}

// Hooks are the addresses that hear of a table.
type Hooks interface {
	Hooks(table string) ([]notify.Named, error)
	AddHook(ctx context.Context, table, address, format string) (notify.Named, error)
	DropHook(ctx context.Context, table, id string) error
}

type uncounted struct{}

func (uncounted) Frame() {}
func (uncounted) Slow()  {}

// server answers the API's requests.
type server struct {
	Config
	quiet, slow time.Duration
	schemas     gameSchemas // for who writes the document; who answers needs none
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

// greet sets the headers that every answer has and finds the reader's language.
func (s *server) greet(w http.ResponseWriter, r *http.Request) lang.Speaker {
	say := s.Words.In(lang.Match(r.Header.Get("Accept-Language")))
	maps.Copy(w.Header(), always)
	w.Header().Set("Content-Language", string(say.Lang()))
	return say
}

// always stand on each answer. Whoever wants another value sets it anew: these are shared.
var always = http.Header{
	"Cache-Control":          {"no-store"},
	"Vary":                   {"Accept-Language, Authorization"},
	"X-Content-Type-Options": {"nosniff"},
}
