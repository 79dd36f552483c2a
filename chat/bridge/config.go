package bridge

import (
	"embed"
	"log/slog"
	"slices"
	"strings"
	"time"

	"norn/game"
	"norn/internal/kvstore"
	"norn/lang"
	"norn/odds"
	"norn/table"
	"norn/table/refusal"
)

// Words has the texts of chats.
//
//go:embed words/*.toml
var Words embed.FS

// Meter counts what happens in chats: "update", "posted", "edited", "later", "failed", "gone",
// "guess".
type Meter interface{ CountChat(platform, what string) }

// Config has what a bridge needs. The bridge closes none of it.
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
	Visits Visits // bounds each account's updates; nil for no bound
}

// Visits bounds how often an account of a platform writes, presses or gets suggestions, like
// requests of an address: it returns how long the account must wait, 0 if it needn't.
type Visits interface {
	Visit(account string) (wait time.Duration)
}

// visit counts an update of an account. The error is a *refusal.TooOftenError.
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
		c.Meter.CountChat(platform, what)
	}
}

// in returns a speaker of a language, of English if norn doesn't have it.
func (c *Config) in(l lang.Lang) lang.Speaker {
	if !slices.Contains(lang.All[:], l) {
		l = lang.En
	}
	return c.Words.In(l)
}

// means reports whether a word is one of a text's words, in any language.
func means(words *lang.Words, word, id string) bool {
	return slices.ContainsFunc(lang.All[:], func(l lang.Lang) bool {
		return slices.ContainsFunc(strings.Fields(words.In(l).Say(id)), func(name string) bool {
			return lang.Key(name) == lang.Key(word)
		})
	})
}
