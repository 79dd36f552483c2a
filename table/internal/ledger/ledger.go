// Package ledger has the table as read from its journal: the state, the newest records that led to
// it, and where to read older ones again. It decodes entries; a Vocabulary says which acts there
// are.
//
// A Ledger is a value, like its State. Only decoding can fail. Code that reads older entries and
// can't panics, and Catch turns that into an error. The package has no locks and knows neither
// seats' views nor single acts.
package ledger

import (
	"context"
	"slices"
	"sync/atomic"

	"norn/game"
	"norn/journal"
	"norn/table/internal/state"
)

// Memory holds only the newest records of a table's log: those that streams send and that the
// newest page shows. Older ones are read from the journal again on demand. They were checked when
// they were folded, so now they're only decoded, by what the state knows of that time and by the
// other entries of their move.

// Bounds of the number of newest records in memory, once the table has as many.
const (
	FewestRecent = 16
	maxRecent    = 32
)

// PageOf is the number of entries that are read from the journal at once.
const PageOf = 256

// Ledger is a table as far as its journal was read.
type Ledger struct {
	*state.State
	Recent     []*state.Record // without a gap; only ever appended to, or replaced
	Vocabulary *Vocabulary
	Shared     *Shared
	Lookback   *lookback // for a reader of older entries; nil if none may be read
}

// Shared caches what was made of the newest record for one reader and is likely to be needed by
// another.
type Shared struct {
	SharedParts, AuthorsEntry atomic.Value // with the types of package projection
}

// New returns a table without entries.
func New(id string, games []*game.Game, words *Vocabulary) Ledger {
	return Ledger{State: &state.State{ID: id, Games: games}, Vocabulary: words, Shared: &Shared{}}
}

// Append adds a record.
func (b *Ledger) Append(r *state.Record) {
	was := b.Game
	b.State = b.Next(r)
	if was != nil && was != b.Game { // older records must be decoded by the game as it is now
		b.Recent = []*state.Record{r}
		return
	}
	if len(b.Recent) >= maxRecent {
		b.Recent = slices.Clone(b.Recent[len(b.Recent)-FewestRecent:])
	}
	b.Recent = append(b.Recent, r)
}

// oldest returns the seq of the oldest record in memory.
func (b Ledger) oldest() uint64 { return b.Seq + 1 - uint64(len(b.Recent)) }

// RecordOfKey returns the record that a seat has written with a key, or nil.
func RecordOfKey(recent []*state.Record, seat, key string) *state.Record {
	i := slices.IndexFunc(recent, func(r *state.Record) bool { return key != "" && r.Key == key && r.Seat == seat })
	if i < 0 {
		return nil
	}
	return recent[i]
}

// lookback reads older entries of a table for one request, and caches them until that is done.
type lookback struct {
	ctx  context.Context
	from Entries
	read map[uint64]*state.Record
}

// WithLookback returns the ledger for a request that may read older entries.
func (b Ledger) WithLookback(ctx context.Context, from Entries) Ledger {
	b.Lookback = &lookback{ctx: ctx, from: from}
	return b
}

// Entries reads the entries of tables.
type Entries interface {
	Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error)
	ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error)
}
