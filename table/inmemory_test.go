package table

import (
	"bytes"
	"context"
	"fmt"

	"norn/game"
	"norn/journal"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// Bare returns the whole log as the seat sees it if all of it is folded in memory, and the number
// of records in the host's memory.
func (s *Seat) Bare(ctx context.Context) (log []view.Entry, recent int, err error) {
	entries, err := s.host.Journal.Read(ctx, s.table, 0, 0)
	if err != nil {
		return nil, 0, err
	}
	all := ledger.New(s.table, s.host.Games.Games(), act.Vocabulary).WithLookback(ctx, s.host.Journal)
	var records []*state.Record
	for _, e := range entries {
		r, err := all.Decode(e, nil)
		if err != nil {
			return nil, 0, err
		}
		all.State = all.Next(r)
		all.Recent = append(all.Recent, r)
		records = append(records, r)
	}
	all.OpenMoves.FindPending()
	e, err := eyeOf(&s.Reader, all)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range records {
		if shown := projection.Entry(e, r); shown != nil {
			log = append(log, *shown)
		}
	}
	return log, recent, s.look(ctx, func(e *visibility.Eye) error {
		recent = len(e.Table.Recent)
		return nil
	})
}

// Steady reports whether each state of the table is unchanged after all later ones were made.
func (s *Seat) Steady(ctx context.Context) (states int, err error) {
	entries, err := s.host.Journal.Read(ctx, s.table, 0, 0)
	if err != nil {
		return 0, err
	}
	b := ledger.New(s.table, s.host.Games.Games(), act.Vocabulary).WithLookback(ctx, s.host.Journal)
	var had []*state.State
	var looked []string
	for i, e := range entries {
		r, err := b.Decode(e, nil)
		if err != nil {
			return 0, err
		}
		b.Append(r)
		b.OpenMoves.FindPending()
		data, err := b.Encode()
		if err != nil {
			return i, err
		}
		had, looked = append(had, b.State), append(looked, string(data))
	}
	for i, st := range had {
		if now, err := st.Encode(); err != nil || string(now) != looked[i] {
			return i, fmt.Errorf("after entry %d it was\n%s\nand is\n%s, %v", i+1, looked[i], now, err)
		}
	}
	return len(had), nil
}

// Refold folds entries from the first one, and from snapshots at some of them, and compares the
// results.
func Refold(ctx context.Context, games []*game.Game, id string, entries []journal.Entry,
	cuts func(seq uint64) bool,
) (taken int, err error) {
	all := ledger.InMemory(entries)
	b := ledger.New(id, games, act.Vocabulary).WithLookback(ctx, &all)
	type cut struct {
		seq  uint64
		data []byte
	}
	var kept []cut
	var at [][]byte
	for _, e := range entries {
		if b, err = b.Fold([]journal.Entry{e}, nil); err != nil {
			return 0, err
		}
		data, err := b.Encode()
		if err != nil {
			return 0, err
		}
		at = append(at, data)
		if cuts(e.Seq) {
			data, err := snapshotOf(b.State, "test", journal.Sum([]journal.Entry{e}))
			if err != nil {
				return 0, err
			}
			kept = append(kept, cut{e.Seq, data})
		}
	}
	for _, c := range kept {
		st, _, err := openSnapshot(games, id, "test", c.data)
		if err != nil {
			return 0, fmt.Errorf("the snapshot at %d: %w", c.seq, err)
		}
		b := ledger.New(id, games, act.Vocabulary).WithLookback(ctx, &all)
		b.State = st
		b.Recent = b.Redecode(entries[max(c.seq, ledger.FewestRecent)-ledger.FewestRecent : c.seq])
		for seq := c.seq; ; seq++ {
			data, err := b.Encode()
			if err != nil || !bytes.Equal(data, at[seq-1]) {
				return 0, fmt.Errorf("from the snapshot at %d, after entry %d it's\n%s\nnot\n%s, %w", c.seq, seq, data,
					at[seq-1], err)
			}
			if int(seq) == len(entries) {
				break
			}
			if b, err = b.Fold(entries[seq:seq+1], nil); err != nil {
				return 0, err
			}
		}
	}
	return len(kept), nil
}

// Rests reports whether a watched table has left memory.
func (h *Host) Rests(table string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.tables[table]
	if t == nil || !t.resting.Load() {
		return false
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.book.Seq == 0
}

// Kept returns the seq of a table's last snapshot, as far as the host knows.
func (h *Host) Kept(table string) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.tables[table]; t != nil && !t.snapshotting.Load() {
		return t.snapshotSeq.Load()
	}
	return 0
}

// RestAll makes all tables leave memory, as after a long idle time.
func (h *Host) RestAll() {
	for _, t := range h.liveTables() {
		t.rest()
	}
}
