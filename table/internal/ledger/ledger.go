// Package ledger is a table as far as its journal was read: the state, the newest records that have led to it, and where older ones
// are read again. It decodes entries; what acts of the table's own there are, it's told by a Vocabulary.
//
// Promised: a Ledger is a value, as its State is. Decoding may fail, and nothing of what follows; who looks back and can't read what
// they need gives up by a panic that Catch turns into an error. It holds no locks, and knows neither seats' eyes nor single acts.
package ledger

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"norn/game"
	"norn/journal"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// Of a table's log only the newest records stand in memory: what streams tell, and the newest page shows. Older ones are read
// from the journal again by who looks back. Since they were folded in once, nothing of them is judged then: they're placed by
// what the state knows of then, and by the other entries of their move.

// So many of the newest records stand in memory, at least once there are as many, and at most.
const (
	FewestRecent = 16
	mostRecent   = 32
)

// pageOf is how many entries are read from the journal at once.
const PageOf = 256

// ledger is a table as far as it was read: the state, the newest records that have led to it, and where the others are.
type Ledger struct {
	*state.State
	Recent []*state.Record // without a gap; only ever appended to, or made anew
	Words  *vocabulary
	Made   *made
	Again  *again // of who asks; nil for nobody who could look back
}

// made is what was made of the newest records for several who look at them, and is likely to be asked for again.
type made struct {
	Latest, Authored atomic.Value // of whoever makes it
}

// again is where a table's older entries are read, for one who asks. What they have read stays until they're done.
type again struct {
	ctx  context.Context
	from Entries
	read map[uint64]*state.Record
}

// Entries is where a table's entries are read.
type Entries interface {
	Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error)
	ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error)
}

// newLedger is a table of which nothing was read yet.
func New(id string, games []*game.Game, words *vocabulary) Ledger {
	return Ledger{State: &state.State{ID: id, Games: games}, Words: words, Made: &made{}}
}

// looking is the ledger for one who asks, and may look back.
func (b Ledger) Looking(ctx context.Context, from Entries) Ledger {
	b.Again = &again{ctx: ctx, from: from}
	return b
}

// follow takes a record in.
func (b *Ledger) Follow(r *state.Record) {
	b.State = b.Next(r)
	if len(b.Recent) >= mostRecent {
		b.Recent = slices.Clone(b.Recent[len(b.Recent)-FewestRecent:])
	}
	b.Recent = append(b.Recent, r)
}

// oldest is the seq of the oldest recent record.
func (b Ledger) oldest() uint64 { return b.Seq + 1 - uint64(len(b.Recent)) }

// span are the records with the seqs from one to another, oldest first.
func (b Ledger) Span(from, to uint64) []*state.Record {
	from, to = max(from, 1), min(to, b.Seq)
	if from > to {
		return nil
	}
	oldest := b.oldest()
	if from >= oldest {
		return b.Recent[from-oldest : to+1-oldest]
	}
	return append(b.reread(from, min(to, oldest-1)), b.Recent[:max(to+1, oldest)-oldest]...)
}

// at is the record with a seq, nil for none.
func (b Ledger) At(seq uint64) *state.Record {
	if b.Again != nil && b.Again.read[seq] != nil {
		return b.Again.read[seq]
	}
	if one := b.Span(seq, seq); seq > 0 && len(one) > 0 {
		return one[0]
	}
	return nil
}

// after gives the records with a higher seq, oldest first; at most so many are read at once, and fewer for who may soon have enough.
func (b Ledger) After(seq uint64, some int) iter.Seq[*state.Record] {
	return func(yield func(*state.Record) bool) {
		for ; seq < b.Seq; some = 2 * some {
			some = min(some, PageOf)
			for _, r := range b.Span(seq+1, seq+uint64(some)) {
				if !yield(r) {
					return
				}
				seq = r.Seq
			}
			b.Forget()
		}
	}
}

// back gives the records with a lower seq, newest first; likewise.
func (b Ledger) Back(seq uint64, some int) iter.Seq[*state.Record] {
	return func(yield func(*state.Record) bool) {
		seq = min(seq, b.Seq+1)
		for size := min(uint64(some), PageOf); seq > 1; size = min(2*size, PageOf) {
			from := max(seq, size+1) - size
			if oldest := b.oldest(); from < oldest && oldest < seq {
				from = oldest
			}
			for _, r := range slices.Backward(b.Span(from, seq-1)) {
				if !yield(r) {
					return
				}
			}
			seq = from
			b.Forget()
		}
	}
}

// forget lets go of what was read again, for who goes through a whole log.
func (b Ledger) Forget() {
	if b.Again != nil {
		clear(b.Again.read)
	}
}

// reread are the records of entries that aren't recent any more.
func (b Ledger) reread(from, to uint64) []*state.Record {
	entries, err := b.Again.from.Read(b.Again.ctx, b.ID, from-1, int(to+1-from))
	if err != nil {
		panic(&lost{refusal.Unavailable(b.ID, from, err)})
	}
	if uint64(len(entries)) < to+1-from { // entries never go
		panic(&lost{&refusal.UnreadableError{Table: b.ID, Seq: from, Err: ErrNoEntry}})
	}
	return b.Recall(entries)
}

// recall are the records of entries that were folded in once, in ascending order.
func (b Ledger) Recall(entries []journal.Entry) []*state.Record {
	records, open := make([]*state.Record, len(entries)), map[string]*state.Underway{}
	if b.Again.read == nil { // mostly nobody looks back
		b.Again.read = map[uint64]*state.Record{}
	}
	for i, e := range entries {
		r := b.Again.read[e.Seq]
		if r == nil {
			r = b.recallOne(e, open)
			b.Again.read[e.Seq] = r
		}
		records[i] = r
	}
	return records
}

// recallOne is the record of one entry. open are the moves that were opened by those read before it, without a gap.
func (b Ledger) recallOne(e journal.Entry, open map[string]*state.Underway) *state.Record {
	fail := func(err error) { panic(&lost{&refusal.UnreadableError{Table: b.ID, Seq: e.Seq, Err: err}}) }
	s, err := b.read(e.Body, nil)
	if err != nil {
		fail(err)
	}
	r := state.NewRecord(e, s)
	for _, id := range r.Yields {
		r.Yielded = append(r.Yielded, b.Move(id))
	}
	switch r.Kind {
	case view.KindMove:
		if err := b.decodeOpening(r); err != nil {
			fail(err)
		}
		u := &state.Underway{Move: r.Of, Told: map[string]int{}, Throws: map[string]int{}}
		u.Carry(r)
		if !r.Done {
			open[r.Move] = u
		}
	case view.KindAnswer:
		u := open[r.Move]
		if u == nil { // it began before what is read
			b.moves(r.Move)
			if again := b.Again.read[e.Seq]; again != nil {
				return again
			}
			fail(ErrNoEntry)
		}
		r.Of = u.Move
		u.Carry(r)
	default:
		if takes, ok := r.Decoded[0].(takingBack); ok {
			r.Undoes = takes.Target(b)
		}
	}
	return r
}

// moves reads all entries of a move.
func (b Ledger) moves(id string) []*state.Record {
	entries, err := b.Again.from.ReadMove(b.Again.ctx, b.ID, id)
	if err != nil {
		panic(&lost{refusal.Unavailable(b.ID, b.Seq, err)})
	}
	entries = slices.DeleteFunc(entries, func(e journal.Entry) bool { return e.Seq > b.Seq })
	if len(entries) == 0 || entries[0].Seq != state.MoveSeq(id) {
		panic(&lost{&refusal.UnreadableError{Table: b.ID, Seq: state.MoveSeq(id), Err: ErrNoEntry}})
	}
	for _, e := range entries { // what was read of it before may have been read without the rest
		delete(b.Again.read, e.Seq)
	}
	return b.Recall(entries)
}

var ErrNoEntry = errors.New("the journal doesn't hold what it held")

// move is the move with an id, nil for none.
func (b Ledger) Move(id string) *state.Move {
	if u := b.Open.Going(id); u != nil {
		return u.Move
	}
	if r := b.At(state.MoveSeq(id)); r != nil && r.Kind == view.KindMove {
		return r.Of
	}
	return nil
}

// about are the records with a move's id, oldest first: its own, and what was done with it.
func (b Ledger) About(m *state.Move) []*state.Record {
	if first := b.At(m.Seq); first.Done && b.Undone.By(m.Seq) == 0 && !b.Shown[m.ID] { // mostly there's no more
		return []*state.Record{first}
	}
	if m.Seq >= b.oldest() {
		return slices.DeleteFunc(slices.Clone(b.Span(m.Seq, b.Seq)), func(r *state.Record) bool { return r.Move != m.ID })
	}
	return b.moves(m.ID)
}

// of are the records of a move itself.
func (b Ledger) Of(m *state.Move) []*state.Record {
	if first := b.At(m.Seq); first.Done {
		return []*state.Record{first}
	}
	if m.Seq < b.oldest() { // mostly they lie near each other, and were just read
		var own []*state.Record
		for seq := m.Seq; b.Again.read[seq] != nil; seq++ {
			if r := b.Again.read[seq]; r.Of != nil && r.Of.ID == m.ID {
				if own = append(own, r); r.Done {
					return own
				}
			}
		}
	}
	return slices.DeleteFunc(b.About(m), func(r *state.Record) bool { return r.Of == nil })
}

// lost carries an error out of what looks back, to recollected: so much of a log may be needed to show or judge one line that
// it would be in every line's way otherwise.
type lost struct{ err error }

// recollected has a function that looks back return the error for which it couldn't.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case *lost:
		*err = p.err
	default:
		panic(p)
	}
}

// slice are entries in memory, as a file's.
type Slice []journal.Entry

func (s *Slice) Read(_ context.Context, _ string, after uint64, limit int) ([]journal.Entry, error) {
	from := min(after, uint64(len(*s)))
	return (*s)[from:min(from+uint64(limit), uint64(len(*s)))], nil
}

func (s *Slice) ReadMove(_ context.Context, _, move string) ([]journal.Entry, error) {
	var found []journal.Entry
	for _, e := range (*s)[min(max(state.MoveSeq(move), 1)-1, uint64(len(*s))):] {
		if e.Move == move {
			found = append(found, e)
		}
	}
	return found, nil
}

// keyed is the record that a seat has made under a key, of the recent ones; nil for none.
func (b Ledger) Keyed(seat, key string) *state.Record {
	i := slices.IndexFunc(b.Recent, func(r *state.Record) bool { return key != "" && r.Key == key && r.Seat == seat })
	if i < 0 {
		return nil
	}
	return b.Recent[i]
}
