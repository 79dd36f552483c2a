package ledger

import (
	"context"
	"errors"
	"iter"
	"slices"

	"norn/journal"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// lookbackError carries an error through a panic to Catch. Showing or checking almost any line may
// need older entries, and an error result in each of those functions would clutter them.
type lookbackError struct{ err error }

// Catch turns a lookbackError into the calling function's error.
func Catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case *lookbackError:
		*err = p.err
	default:
		panic(p)
	}
}

// Span returns the records with the seqs from–to, oldest first.
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

// Record returns the record with a seq, or nil.
func (b Ledger) Record(seq uint64) *state.Record {
	if b.Lookback != nil && b.Lookback.read[seq] != nil {
		return b.Lookback.read[seq]
	}
	if one := b.Span(seq, seq); seq > 0 && len(one) > 0 {
		return one[0]
	}
	return nil
}

// After yields the records with a higher seq, oldest first. It first reads some of them and then
// more at once, for readers that may soon stop.
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

// OfSession yields the records of a session of dice, oldest first, including the one that sealed
// it; none for an unknown session.
func (b Ledger) OfSession(session int) iter.Seq[*state.Record] {
	return func(yield func(*state.Record) bool) {
		if session < 1 || session > len(b.Sessions) {
			return
		}
		of := b.Sessions[session-1]
		for r := range b.After(of.From-1, PageOf) {
			if of.To > 0 && r.Seq >= of.To || !yield(r) {
				return
			}
		}
	}
}

// Before yields the records with a lower seq, newest first. It reads like After.
func (b Ledger) Before(seq uint64, some int) iter.Seq[*state.Record] {
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

// Forget empties the cache of older records, for readers that pass through the whole log.
func (b Ledger) Forget() {
	if b.Lookback != nil {
		clear(b.Lookback.read)
	}
}

// reread returns records that aren't in memory any more. It doesn't read attachments: no seat sees
// them, and a page of them would be large.
func (b Ledger) reread(from, to uint64) []*state.Record {
	var records []*state.Record
	for from <= to {
		upTo := to
		if a, ok := b.Attachments.Next(from); ok && a.Seq == from {
			records = append(records, attachmentRecord(b.ID, a))
			from++
			continue
		} else if ok && a.Seq <= to {
			upTo = a.Seq - 1
		}
		entries, err := b.Lookback.from.Read(b.Lookback.ctx, b.ID, from-1, int(upTo+1-from))
		if err != nil {
			panic(&lookbackError{refusal.Unavailable(b.ID, from, err)})
		}
		if uint64(len(entries)) < upTo+1-from { // the journal has lost entries
			panic(&lookbackError{&refusal.UnreadableError{Table: b.ID, Seq: from, Err: ErrNoEntry}})
		}
		records, from = append(records, b.Redecode(entries)...), upTo+1
	}
	return records
}

// attachmentRecord returns the record of an attachment's entry, by what the state knows of it.
func attachmentRecord(table string, a state.Attachment) *state.Record {
	entry := journal.Entry{Table: table, Seq: a.Seq, Time: a.At, Seat: a.Seat}
	return state.NewRecord(entry, &state.Decoding{EntryBody: state.EntryBody{
		Kind:    view.KindAttached,
		Request: a.Request, Done: true,
	}})
}

// Redecode decodes entries again that were folded once, in ascending order.
func (b Ledger) Redecode(entries []journal.Entry) []*state.Record {
	records, open := make([]*state.Record, len(entries)), map[string]*state.OpenMove{}
	if b.Lookback.read == nil { // made late because most requests don't need it
		b.Lookback.read = map[uint64]*state.Record{}
	}
	for i, e := range entries {
		r := b.Lookback.read[e.Seq]
		if r == nil {
			r = b.redecodeOne(e, open)
			b.Lookback.read[e.Seq] = r
		}
		records[i] = r
	}
	return records
}

// redecodeOne decodes one entry again. open has the moves that were opened by the entries just
// before it.
func (b Ledger) redecodeOne(e journal.Entry, open map[string]*state.OpenMove) *state.Record {
	fail := func(err error) { panic(&lookbackError{&refusal.UnreadableError{Table: b.ID, Seq: e.Seq, Err: err}}) }
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
		u := &state.OpenMove{Move: r.Of, EventCounts: map[string]int{}, Throws: map[string]int{}}
		u.Carry(r)
		if !r.Done {
			open[r.Move] = u
		}
	case view.KindAnswer:
		u := open[r.Move]
		if u == nil { // its opening isn't among these entries
			b.rereadMove(r.Move)
			if again := b.Lookback.read[e.Seq]; again != nil {
				return again
			}
			fail(ErrNoEntry)
		}
		r.Of = b.Sessions.ContinueMove(u.Move, r.Seq)
		u.Carry(r)
	default:
		if takes, ok := r.Decoded[0].(undoer); ok {
			r.Undoes = takes.Target(b)
		}
		r.Events = nil // to save memory: they are decoded
	}
	return r
}

// rereadMove reads all entries of a move.
func (b Ledger) rereadMove(id string) []*state.Record {
	entries, err := b.Lookback.from.ReadMove(b.Lookback.ctx, b.ID, id)
	if err != nil {
		panic(&lookbackError{refusal.Unavailable(b.ID, b.Seq, err)})
	}
	entries = slices.DeleteFunc(entries, func(e journal.Entry) bool { return e.Seq > b.Seq })
	if len(entries) == 0 || entries[0].Seq != state.MoveSeq(id) {
		panic(&lookbackError{&refusal.UnreadableError{Table: b.ID, Seq: state.MoveSeq(id), Err: ErrNoEntry}})
	}
	for _, e := range entries { // those that are cached may have been decoded without the rest of the move
		delete(b.Lookback.read, e.Seq)
	}
	return b.Redecode(entries)
}

var ErrNoEntry = errors.New("the journal doesn't hold what it held")

// InMemory serves entries from memory, such as those of a file.
type InMemory []journal.Entry

func (s *InMemory) Read(_ context.Context, _ string, after uint64, limit int) ([]journal.Entry, error) {
	from := min(after, uint64(len(*s)))
	return (*s)[from:min(from+uint64(limit), uint64(len(*s)))], nil
}

func (s *InMemory) ReadMove(_ context.Context, _, move string) ([]journal.Entry, error) {
	var found []journal.Entry
	for _, e := range (*s)[min(max(state.MoveSeq(move), 1)-1, uint64(len(*s))):] {
		if e.Move == move {
			found = append(found, e)
		}
	}
	return found, nil
}
