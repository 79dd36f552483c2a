// Package ledger is a table as far as its journal was read: the state, the newest records that have
// led to it, and where older ones are read again. It decodes entries; what acts of the table's own
// there are, it's told by a Vocabulary.
//
// Promised: a Ledger is a value, as its State is. Decoding may fail, and nothing of what follows;
// who looks back and can't read what they need gives up by a panic that Catch turns into an error.
// It holds no locks, and knows neither seats' eyes nor single acts.
package ledger

import (
	"context"
	"slices"
	"sync/atomic"

	"norn/game"
	"norn/journal"
	"norn/table/internal/state"
)

// Of a table's log only the newest records stand in memory: what streams tell, and the newest page
// shows. Older ones are read from the journal again by who looks back. Since they were folded in
// once, nothing of them is judged then: they're placed by what the state knows of then, and by the
// other entries of their move.

// So many of the newest records stand in memory, at least once there are as many, and at most.
const (
	FewestRecent = 16
	maxRecent    = 32
)

// PageOf is how many entries are read from the journal at once.
const PageOf = 256

// Ledger is a table as far as it was read: the state, the newest records that have led to it, and where the others are.
type Ledger struct {
	*state.State
	Recent     []*state.Record // without a gap; only ever appended to, or made anew
	Vocabulary *Vocabulary
	Shared     *Shared
	Lookback   *lookback // of who asks; nil for nobody who could look back
}

// Shared is what was made of the newest records for several who look at them, and is likely to be asked for again.
type Shared struct {
	SharedParts, AuthorsEntry atomic.Value // of whoever makes it
}

// New is a table of which nothing was read yet.
func New(id string, games []*game.Game, words *Vocabulary) Ledger {
	return Ledger{State: &state.State{ID: id, Games: games}, Vocabulary: words, Shared: &Shared{}}
}

// Append takes a record in.
func (b *Ledger) Append(r *state.Record) {
	was := b.Game
	b.State = b.Next(r)
	if was != nil && was != b.Game { // what is read again is read by the game that is played now
		b.Recent = []*state.Record{r}
		return
	}
	if len(b.Recent) >= maxRecent {
		b.Recent = slices.Clone(b.Recent[len(b.Recent)-FewestRecent:])
	}
	b.Recent = append(b.Recent, r)
}

// oldest is the seq of the oldest recent record.
func (b Ledger) oldest() uint64 { return b.Seq + 1 - uint64(len(b.Recent)) }

// RecordOfKey is the record that a seat has made under a key, of some; nil for none.
func RecordOfKey(recent []*state.Record, seat, key string) *state.Record {
	i := slices.IndexFunc(recent, func(r *state.Record) bool { return key != "" && r.Key == key && r.Seat == seat })
	if i < 0 {
		return nil
	}
	return recent[i]
}

// lookback is where a table's older entries are read, for one who asks. What they have read stays until they're done.
type lookback struct {
	ctx  context.Context
	from Entries
	read map[uint64]*state.Record
}

// WithLookback is the ledger for one who asks, and may look back.
func (b Ledger) WithLookback(ctx context.Context, from Entries) Ledger {
	b.Lookback = &lookback{ctx: ctx, from: from}
	return b
}

// Entries is where a table's entries are read.
type Entries interface {
	Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error)
	ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error)
}
