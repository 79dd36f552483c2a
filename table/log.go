package table

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"norn/game"
	"norn/journal"
)

// Of a table's log only the newest records stand in memory: what streams tell, and the newest page shows. Older ones are read
// from the journal again by who looks back. Since they were folded in once, nothing of them is judged then: they're placed by
// what the state knows of then, and by the other entries of their move.

// So many of the newest records stand in memory, at least once there are as many, and at most.
const (
	fewestRecent = 16
	mostRecent   = 32
)

// pageOf is how many entries are read from the journal at once.
const pageOf = 256

// ledger is a table as far as it was read: the state, the newest records that have led to it, and where the others are.
type ledger struct {
	*state
	recent []*record // without a gap; only ever appended to, or made anew
	words  *vocabulary
	made   *made
	again  *again // of who asks; nil for nobody who could look back
}

// made is what was made of the newest records for several who look at them, and is likely to be asked for again.
type made struct {
	latest, authored atomic.Value // of whoever makes it
}

// again is where a table's older entries are read, for one who asks. What they have read stays until they're done.
type again struct {
	ctx  context.Context
	from Entries
	read map[uint64]*record
}

// Entries is where a table's entries are read.
type Entries interface {
	Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error)
	ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error)
}

// newLedger is a table of which nothing was read yet.
func newLedger(id string, games []*game.Game, words *vocabulary) ledger {
	return ledger{state: &state{id: id, games: games}, words: words, made: &made{}}
}

// looking is the ledger for one who asks, and may look back.
func (b ledger) looking(ctx context.Context, from Entries) ledger {
	b.again = &again{ctx: ctx, from: from}
	return b
}

// follow takes a record in.
func (b *ledger) follow(r *record) {
	b.state = b.next(r)
	if len(b.recent) >= mostRecent {
		b.recent = slices.Clone(b.recent[len(b.recent)-fewestRecent:])
	}
	b.recent = append(b.recent, r)
}

// oldest is the seq of the oldest recent record.
func (b ledger) oldest() uint64 { return b.seq + 1 - uint64(len(b.recent)) }

// span are the records with the seqs from one to another, oldest first.
func (b ledger) span(from, to uint64) []*record {
	from, to = max(from, 1), min(to, b.seq)
	if from > to {
		return nil
	}
	oldest := b.oldest()
	if from >= oldest {
		return b.recent[from-oldest : to+1-oldest]
	}
	return append(b.reread(from, min(to, oldest-1)), b.recent[:max(to+1, oldest)-oldest]...)
}

// at is the record with a seq, nil for none.
func (b ledger) at(seq uint64) *record {
	if b.again != nil && b.again.read[seq] != nil {
		return b.again.read[seq]
	}
	if one := b.span(seq, seq); seq > 0 && len(one) > 0 {
		return one[0]
	}
	return nil
}

// after gives the records with a higher seq, oldest first; at most so many are read at once, and fewer for who may soon have enough.
func (b ledger) after(seq uint64, some int) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		for ; seq < b.seq; some = 2 * some {
			some = min(some, pageOf)
			for _, r := range b.span(seq+1, seq+uint64(some)) {
				if !yield(r) {
					return
				}
				seq = r.Seq
			}
			b.forget()
		}
	}
}

// back gives the records with a lower seq, newest first; likewise.
func (b ledger) back(seq uint64, some int) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		seq = min(seq, b.seq+1)
		for size := min(uint64(some), pageOf); seq > 1; size = min(2*size, pageOf) {
			from := max(seq, size+1) - size
			if oldest := b.oldest(); from < oldest && oldest < seq {
				from = oldest
			}
			for _, r := range slices.Backward(b.span(from, seq-1)) {
				if !yield(r) {
					return
				}
			}
			seq = from
			b.forget()
		}
	}
}

// forget lets go of what was read again, for who goes through a whole log.
func (b ledger) forget() {
	if b.again != nil {
		clear(b.again.read)
	}
}

// reread are the records of entries that aren't recent any more.
func (b ledger) reread(from, to uint64) []*record {
	entries, err := b.again.from.Read(b.again.ctx, b.id, from-1, int(to+1-from))
	if err != nil {
		panic(&lost{unavailable(b.id, from, err)})
	}
	if uint64(len(entries)) < to+1-from { // entries never go
		panic(&lost{&UnreadableError{Table: b.id, Seq: from, Err: errNoEntry}})
	}
	return b.recall(entries)
}

// recall are the records of entries that were folded in once, in ascending order.
func (b ledger) recall(entries []journal.Entry) []*record {
	records, open := make([]*record, len(entries)), map[string]*underway{}
	if b.again.read == nil { // mostly nobody looks back
		b.again.read = map[uint64]*record{}
	}
	for i, e := range entries {
		r := b.again.read[e.Seq]
		if r == nil {
			r = b.recallOne(e, open)
			b.again.read[e.Seq] = r
		}
		records[i] = r
	}
	return records
}

// recallOne is the record of one entry. open are the moves that were opened by those read before it, without a gap.
func (b ledger) recallOne(e journal.Entry, open map[string]*underway) *record {
	fail := func(err error) { panic(&lost{&UnreadableError{Table: b.id, Seq: e.Seq, Err: err}}) }
	s, err := b.read(e.Body, nil)
	if err != nil {
		fail(err)
	}
	r := newRecord(e, s)
	for _, id := range r.Yields {
		r.yields = append(r.yields, b.move(id))
	}
	switch r.Kind {
	case KindMove:
		if err := b.decodeOpening(r); err != nil {
			fail(err)
		}
		u := &underway{move: r.move, told: map[string]int{}, throws: map[string]int{}}
		u.carry(r)
		if !r.Done {
			open[r.Move] = u
		}
	case KindAnswer:
		u := open[r.Move]
		if u == nil { // it began before what is read
			b.moves(r.Move)
			if again := b.again.read[e.Seq]; again != nil {
				return again
			}
			fail(errNoEntry)
		}
		r.move = u.move
		u.carry(r)
	default:
		if takes, ok := r.events[0].(takingBack); ok {
			r.undoes = takes.what(b)
		}
	}
	return r
}

// moves reads all entries of a move.
func (b ledger) moves(id string) []*record {
	entries, err := b.again.from.ReadMove(b.again.ctx, b.id, id)
	if err != nil {
		panic(&lost{unavailable(b.id, b.seq, err)})
	}
	entries = slices.DeleteFunc(entries, func(e journal.Entry) bool { return e.Seq > b.seq })
	if len(entries) == 0 || entries[0].Seq != seqOf(id) {
		panic(&lost{&UnreadableError{Table: b.id, Seq: seqOf(id), Err: errNoEntry}})
	}
	for _, e := range entries { // what was read of it before may have been read without the rest
		delete(b.again.read, e.Seq)
	}
	return b.recall(entries)
}

var errNoEntry = errors.New("the journal doesn't hold what it held")

// seqOf is the seq of the entry that opened a move, which it's named by; 0 for what is no move's id.
func seqOf(move string) uint64 {
	seq, err := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64)
	if err != nil || idOf(seq) != move {
		return 0
	}
	return seq
}

func idOf(seq uint64) string { return "m" + strconv.FormatUint(seq, 10) }

// move is the move with an id, nil for none.
func (b ledger) move(id string) *move {
	if u := b.open.going(id); u != nil {
		return u.move
	}
	if r := b.at(seqOf(id)); r != nil && r.Kind == KindMove {
		return r.move
	}
	return nil
}

// about are the records with a move's id, oldest first: its own, and what was done with it.
func (b ledger) about(m *move) []*record {
	if first := b.at(m.seq); first.Done && b.undone.by(m.seq) == 0 && !b.shown[m.id] { // mostly there's no more
		return []*record{first}
	}
	if m.seq >= b.oldest() {
		return slices.DeleteFunc(slices.Clone(b.span(m.seq, b.seq)), func(r *record) bool { return r.Move != m.id })
	}
	return b.moves(m.id)
}

// of are the records of a move itself.
func (b ledger) of(m *move) []*record {
	if first := b.at(m.seq); first.Done {
		return []*record{first}
	}
	if m.seq < b.oldest() { // mostly they lie near each other, and were just read
		var own []*record
		for seq := m.seq; b.again.read[seq] != nil; seq++ {
			if r := b.again.read[seq]; r.move != nil && r.move.id == m.id {
				if own = append(own, r); r.Done {
					return own
				}
			}
		}
	}
	return slices.DeleteFunc(b.about(m), func(r *record) bool { return r.move == nil })
}

// lost carries an error out of what looks back, to recollected: so much of a log may be needed to show or judge one line that
// it would be in every line's way otherwise.
type lost struct{ err error }

// recollected has a function that looks back return the error for which it couldn't.
func recollected(err *error) {
	switch p := recover().(type) {
	case nil:
	case *lost:
		*err = p.err
	default:
		panic(p)
	}
}

// slice are entries in memory, as a file's.
type slice []journal.Entry

func (s *slice) Read(_ context.Context, _ string, after uint64, limit int) ([]journal.Entry, error) {
	from := min(after, uint64(len(*s)))
	return (*s)[from:min(from+uint64(limit), uint64(len(*s)))], nil
}

func (s *slice) ReadMove(_ context.Context, _, move string) ([]journal.Entry, error) {
	var found []journal.Entry
	for _, e := range (*s)[min(max(seqOf(move), 1)-1, uint64(len(*s))):] {
		if e.Move == move {
			found = append(found, e)
		}
	}
	return found, nil
}
