package table

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"norn/game"
	"norn/journal"
)

// log is all entries of a table as they were read, for who looks back. No state needs it to be followed by the next; it only
// grows, and what stands in it changes no more but for being packed.
type log struct {
	records []*record
	keys    map[keyUse]*record
	tossed  [][]toss // that packed records share

	latest   atomic.Pointer[common]
	authored atomic.Pointer[authored]
	tallied  atomic.Pointer[tallied]
}

type keyUse struct{ seat, key string }

// add adds a record.
func (l *log) add(r *record) {
	l.records = append(l.records, r)
	if r.Key != "" {
		l.keys[keyUse{r.Seat, r.Key}] = r
	}
}

// at is the record with a seq, nil for none.
func (l *log) at(seq uint64) *record {
	if seq == 0 || seq > uint64(len(l.records)) {
		return nil
	}
	return l.records[seq-1]
}

// after are the records with a higher seq.
func (l *log) after(seq uint64) []*record {
	return l.records[min(seq, uint64(len(l.records))):]
}

// move is the move with an id, nil for none: it's named by the entry that opened it.
func (l *log) move(id string) *move {
	seq, err := strconv.ParseUint(strings.TrimPrefix(id, "m"), 10, 64)
	if err != nil {
		return nil
	}
	if r := l.at(seq); r != nil && r.Kind == KindMove && r.move.id == id {
		return r.move
	}
	return nil
}

// ledger is a table as far as it was read: the state, and the log that has led there.
type ledger struct {
	*state
	*log
}

// readBack is a table as its entries tell it. The error is an *UnreadableError.
func readBack(games []*game.Game, id string, entries []journal.Entry) (ledger, error) {
	b := newLedger(id, games)
	for _, e := range entries {
		r, err := b.decode(e, nil)
		if err != nil {
			return b, &UnreadableError{Table: id, Seq: e.Seq, Err: err}
		}
		b.follow(r)
	}
	return b, nil
}

// follow takes a record in.
func (b *ledger) follow(r *record) {
	b.state = b.next(r)
	b.add(r)
}

// of gives the records of a move, oldest first.
func (b ledger) of(m *move) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		last := b.seq
		if by, undone := b.undone[m.first.Seq]; undone {
			last = by
		}
		for _, r := range b.records[m.first.Seq-1 : last] {
			if r.move == m && (!yield(r) || r.Done) {
				return
			}
		}
	}
}

// touched are the characters in whose past a first record stands.
func (b ledger) touched(first *record) []string {
	all := first.touched
	if first.move == nil || first.Done {
		return all
	}
	for r := range b.of(first.move) {
		if r != first && len(r.touched) > 0 {
			all = append(slices.Clip(all), r.touched...)
		}
	}
	return all
}
