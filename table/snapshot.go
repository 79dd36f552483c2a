package table

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"norn/game"
	"norn/journal"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/refusal"
)

// snapshotHead is the first line of a snapshot.
type snapshotHead struct {
	State string `json:"state"` // state.Version
	Norn  string `json:"norn"`  // version, since another may fold differently
	Table string `json:"table"`
	Seq   uint64 `json:"seq"`
	Last  []byte `json:"last"` // checksum of the entry with that seq
	Sum   []byte `json:"sum"`  // checksum of the state
}

// snapshotOf returns the snapshot of a state; last is the checksum of the entry that led to it.
func snapshotOf(st *state.State, norn string, last [sha256.Size]byte) ([]byte, error) {
	data, err := st.Encode()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	first, err := json.Marshal(snapshotHead{
		State: state.Version(), Norn: norn, Table: st.ID, Seq: st.Seq,
		Last: last[:], Sum: sum[:],
	})
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(append(first, '\n'))
	w, err := flate.NewWriter(b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	w.Write(data) // writing to a buffer can't fail
	w.Close()
	return b.Bytes(), nil
}

// errNotOurs says that a snapshot isn't of this table or this norn.
var errNotOurs = errors.New("it's of another norn")

// openSnapshot reads a snapshot, and returns the expected checksum of the entry at its seq.
func openSnapshot(games []*game.Game, id, norn string, kept []byte) (st *state.State, last []byte, err error) {
	first, packed, _ := bytes.Cut(kept, []byte("\n"))
	var h snapshotHead
	if err := json.Unmarshal(first, &h); err != nil {
		return nil, nil, err
	}
	if h.State != state.Version() || h.Norn != norn || h.Table != id {
		return nil, nil, errNotOurs
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, nil, err
	}
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], h.Sum) {
		return nil, nil, errors.New("its checksum is another")
	}
	st, err = state.Decode(games, data)
	if err == nil && (st.Seq != h.Seq || st.ID != id) {
		err = fmt.Errorf("it's of entry %d, not %d", st.Seq, h.Seq)
	}
	return st, h.Last, err
}

// snapshotEvery is the number of entries between snapshots.
const snapshotEvery = 400

// loadSnapshot returns a table from its snapshot, or an empty one if there's no valid snapshot.
func (t *live) loadSnapshot(ctx context.Context) (b ledger.Ledger, err error) {
	defer ledger.Catch(&err)
	nothing := ledger.New(t.id, t.host.Games.Games(), act.Vocabulary).WithLookback(ctx, t.host.Journal)
	data, err := t.host.Journal.Snapshot(ctx, t.id)
	if err != nil {
		return nothing, nil
	}
	st, last, err := openSnapshot(t.host.Games.Games(), t.id, t.host.Version, data)
	if err != nil {
		t.host.Log.DebugContext(ctx, "a snapshot is of no use", "table", t.id, "error", err)
		return nothing, nil
	}
	entries, err := t.host.read(ctx, t.id, max(st.Seq, ledger.FewestRecent)-ledger.FewestRecent,
		int(min(st.Seq, ledger.FewestRecent)))
	if err != nil {
		return nothing, refusal.Unavailable(t.id, 0, err)
	}
	n := len(entries)
	if n == 0 || entries[n-1].Seq != st.Seq {
		return nothing, nil
	}
	if sum := journal.Sum(entries[n-1:]); !bytes.Equal(sum[:], last) { // the journal has other entries
		return nothing, nil
	}
	b = nothing
	b.State = st
	b.Recent = b.Redecode(entries)
	t.snapshotSeq.Store(st.Seq)
	return b, nil
}

// scheduleSnapshot makes a snapshot in the background if the last one is old enough, one at a time.
func (t *live) scheduleSnapshot() {
	if t.seq.Load() < t.snapshotSeq.Load()+snapshotEvery || !t.snapshotting.CompareAndSwap(false, true) {
		return
	}
	if !t.host.background(func() {
		defer t.snapshotting.Store(false)
		ctx, cancel := context.WithTimeout(context.Background(), snapshotTimeout)
		defer cancel()
		b := t.now(ctx)
		if b.Seq == 0 { // it rests meanwhile
			return
		}
		if err := t.writeSnapshot(ctx, b); err != nil {
			t.host.Log.DebugContext(ctx, "a snapshot couldn't be kept", "table", t.id, "error", err)
		}
		t.snapshotSeq.Store(b.Seq) // also after a failure, so that not every move tries again
	}) {
		t.snapshotting.Store(false)
	}
}

// snapshotTimeout bounds the time to make a snapshot.
const snapshotTimeout = 10 * time.Second

func (t *live) writeSnapshot(ctx context.Context, b ledger.Ledger) error {
	last, err := t.host.Journal.Read(ctx, t.id, b.Seq-1, 1)
	if err != nil || len(last) == 0 {
		return cmp.Or(err, ledger.ErrNoEntry)
	}
	data, err := snapshotOf(b.State, t.host.Version, journal.Sum(last))
	if err != nil {
		return err
	}
	return t.host.Journal.KeepSnapshot(ctx, t.id, data)
}
