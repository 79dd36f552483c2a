package bridge

import (
	"embed"
	"log/slog"
	"slices"
	"strings"
	"time"

	"norn/game"
	"norn/kvstore"
	"norn/lang"
	"norn/odds"
	"norn/table"
	"norn/table/refusal"
)

// Words are what chats say.
//
//go:embed words/*.toml
var Words embed.FS

// Meter hears what goes through chats: "update", "posted", "edited", "later", "failed", "gone", "guess".
type Meter interface{ Chatted(platform, what string) }

// Config is what a bridge is made of. It closes none of it.
type Config struct {
	Host   *table.Host
	Games  game.Library
	Words  *lang.Words
	Store  *kvstore.Store
	Shared bool // other nodes use the store, too
	Gate   *odds.Gate
	Now    func() time.Time
	Log    *slog.Logger
	Meter  Meter  // nil for none
	Visits Visits // bounds how often each account comes; nil for no bound
}

// Visits bounds how often an account of a platform writes, presses or is offered ways to go on, as
// requests of an address are bounded: it returns how long the account has to wait, 0 for not at all.
type Visits interface {
	Visit(account string) (wait time.Duration)
}

// visit asks for one more update of an account. The error is a *refusal.TooOftenError.
func (c *Config) visit(account string) error {
	if c.Visits == nil {
		return nil
	}
	if wait := c.Visits.Visit(account); wait > 0 {
		return &refusal.TooOftenError{After: wait}
	}
	return nil
}

func (c *Config) count(platform, what string) {
	if c.Meter != nil {
		c.Meter.Chatted(platform, what)
	}
}

// in says things in a language, English where norn doesn't speak it.
func (c *Config) in(l lang.Lang) lang.Speaker {
	if !slices.Contains(lang.All[:], l) {
		l = lang.En
	}
	return c.Words.In(l)
}

// means tells whether a word is one of those by which a text calls something, in any language.
func means(words *lang.Words, word, id string) bool {
	return slices.ContainsFunc(lang.All[:], func(l lang.Lang) bool {
		return slices.ContainsFunc(strings.Fields(words.In(l).Say(id)), func(name string) bool {
			return lang.Key(name) == lang.Key(word)
		})
	})
}
