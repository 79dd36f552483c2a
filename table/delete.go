package table

import (
	"context"
	"errors"
	"slices"
	"time"

	"norn/internal/relay"
	"norn/internal/rescue"
	"norn/journal"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/refusal"
)

// Delete removes a table for good, with everything that is stored of it: entries, attachments and
// its snapshot. Open pages of it end, on all nodes. It also removes a table that can't be read.
// Config.OnDelete removes what is stored elsewhere.
//
// Errors are *NotFoundError, *ConflictError and *UnavailableError.
func (h *Host) Delete(ctx context.Context, id string) error {
	return h.delete(ctx, id, func(uint64) (bool, error) { return true, nil })
}

// DeleteAt is Delete if the table's last entry is last; otherwise the error is a *ConflictError.
func (h *Host) DeleteAt(ctx context.Context, id string, last uint64) error {
	return h.delete(ctx, id, func(now uint64) (bool, error) {
		if now != last {
			return false, &refusal.ConflictError{}
		}
		return true, nil
	})
}

// delete removes a table if due says so of the seq of its last entry.
func (h *Host) delete(ctx context.Context, id string, due func(last uint64) (bool, error)) error {
	if !state.IsTableID(id) {
		return &refusal.NotFoundError{}
	}
	t, err := h.reach(id)
	if err != nil {
		return err
	}
	defer h.release(t)
	if err := t.lockTurn(ctx); err != nil {
		return err
	}
	defer t.unlockTurn()
	h.oneByOne.Lock() // no snapshot is made meanwhile
	defer h.oneByOne.Unlock()
	for range maxTries {
		last, err := h.lastSeq(ctx, id, t.seq.Load())
		if err != nil {
			return err
		}
		if last == 0 {
			t.vanish()
			return &refusal.NotFoundError{}
		}
		if yes, err := due(last); err != nil || !yes {
			return err
		}
		err = h.Journal.Delete(ctx, id, last, h.Now())
		if errors.As(err, new(*journal.ConflictError)) {
			continue
		}
		if err != nil {
			return refusal.Unavailable(id, last, err)
		}
		t.vanish()
		h.Relay.Publish(relay.Message{Table: id, Seq: last + 1})
		h.OnDelete(id)
		h.Log.InfoContext(ctx, "table deleted", "table", id)
		return nil
	}
	return &refusal.ConflictError{}
}

// purgeEvery is the time between two looks for tables whose time to be called back is over.
const purgeEvery = time.Hour

// purgeLoop deletes such tables, as long as the host is open.
func (h *Host) purgeLoop() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go rescue.Wrap(h.Log, "table", func() {
		select {
		case <-h.closed:
			cancel()
		case <-ctx.Done():
		}
	})()
	each := time.NewTicker(purgeEvery)
	defer each.Stop()
	for since := (time.Time{}); ; {
		now := h.Now()
		switch err := h.Purge(ctx, since); {
		case err == nil:
			since = now
		case ctx.Err() == nil:
			h.Log.ErrorContext(ctx, "deleted tables can't be removed", "error", err)
		}
		select {
		case <-each.C:
		case <-ctx.Done():
			return
		}
	}
}

// Purge deletes the tables that a game master has deleted and nobody has called back in time. It
// looks only at tables whose time was not over at since. Errors are *UnavailableError.
func (h *Host) Purge(ctx context.Context, since time.Time) error {
	heads, err := h.Journal.Tables(ctx)
	if err != nil {
		return refusal.Unavailable("", 0, err)
	}
	now := h.Now()
	for _, head := range heads {
		over := head.Time.Add(act.DeletionWaits) // at the earliest, since a new link may have followed
		if over.After(now) || over.Before(since) {
			continue
		}
		deleted, err := h.isDeleted(ctx, head, now)
		if err == nil && deleted {
			err = h.DeleteAt(ctx, head.Table, head.Seq)
		}
		var called *refusal.ConflictError // or somebody else was first
		if err != nil && !errors.As(err, &called) && !refusal.IsGone(err) {
			return err
		}
	}
	return nil
}

// isDeleted reports whether the newest entries of a table say that its time is over.
func (h *Host) isDeleted(ctx context.Context, head journal.Head, now time.Time) (bool, error) {
	for seq := head.Seq; seq > 0; seq-- {
		entries, err := h.read(ctx, head.Table, seq-1, 1)
		if err != nil {
			return false, refusal.Unavailable(head.Table, seq, err)
		}
		if len(entries) == 0 {
			return false, nil
		}
		deleted, older := act.ReadDeletion(entries[0].Body)
		if deleted || !older {
			return deleted && !entries[0].Time.Add(act.DeletionWaits).After(now), nil
		}
	}
	return false, nil
}

// lastSeq returns the seq of a table's last entry, 0 for none. known is one that it had.
func (h *Host) lastSeq(ctx context.Context, id string, known uint64) (uint64, error) {
	for last := known; ; {
		after := max(last, 1) - 1 // the known one again: the table may be deleted already
		entries, err := h.read(ctx, id, after, ledger.PageOf)
		if err != nil {
			return 0, refusal.Unavailable(id, last, err)
		}
		if len(entries) == 0 {
			return 0, nil
		}
		newest := entries[len(entries)-1].Seq
		if newest == last {
			return last, nil
		}
		last = newest
	}
}

// vanish makes the table as it is before anything was read, since it was deleted. Watchers end. The
// caller holds the turn.
func (t *live) vanish() {
	t.mu.Lock()
	t.book = ledger.New(t.id, t.host.Games.Games(), act.Vocabulary)
	t.mu.Unlock()
	t.views.forget()
	t.fault, t.doors = nil, seatsWithoutGame{}
	t.broken.Store(false)
	t.resting.Store(false)
	t.maybeStale.Store(false)
	t.seq.Store(0)
	t.heardSeq.Store(0)
	t.snapshotSeq.Store(0)
	t.wakeWatchers()
}

// errVanished says that the journal doesn't have the newest known entry any more.
var errVanished = errors.New("table: it was deleted")

// errBlanked says that entries which are known were blanked.
var errBlanked = errors.New("table: entries were blanked")

// readOn reads entries after the state, and first its newest again, by which it notices that the
// table was deleted: the error is errVanished. If a new entry blanks older ones it's errBlanked.
func (t *live) readOn(ctx context.Context, b ledger.Ledger) func(after uint64, most int) ([]journal.Entry, error) {
	known := b.Seq
	if len(b.Recent) == 0 {
		known = 0
	}
	began := known
	return func(after uint64, most int) ([]journal.Entry, error) {
		if known == 0 || after != known {
			entries, err := t.host.read(ctx, t.id, after, most)
			if began > 0 && slices.ContainsFunc(entries, blanks) {
				return nil, errBlanked
			}
			return entries, err
		}
		known = 0
		entries, err := t.host.read(ctx, t.id, after-1, most+1)
		switch {
		case err != nil:
			return nil, err
		case len(entries) == 0 || !entries[0].Time.Equal(b.Recent[len(b.Recent)-1].Time):
			return nil, errVanished
		case slices.ContainsFunc(entries[1:], blanks):
			return nil, errBlanked
		}
		return entries[1:], nil
	}
}

func blanks(e journal.Entry) bool { return act.Blanks(e.Body) }
