package table

import (
	"context"
	"time"

	"norn/table/internal/state"
	"norn/table/refusal"
)

// acquire returns a table with all entries that this node knows to exist; the caller must release
// it.
func (h *Host) acquire(ctx context.Context, id string) (*live, error) {
	t, err := h.reach(id)
	if err != nil {
		return nil, err
	}
	err = t.refresh(ctx)
	if err == nil && t.seq.Load() == 0 {
		err = &refusal.NotFoundError{}
	}
	if err != nil {
		h.release(t)
		return nil, err
	}
	return t, nil
}

// reach returns a table as it is in memory; the caller must release it. Until then it isn't
// dropped, so a node never has it twice.
func (h *Host) reach(id string) (*live, error) {
	if !state.IsTableID(id) {
		return nil, &refusal.NotFoundError{}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shut {
		return nil, &refusal.UnavailableError{Err: ErrClosed}
	}
	h.sweep()
	t := h.tables[id]
	if t == nil {
		t = newLive(h, id)
		h.tables[id] = t
		h.announce(t)
	}
	t.users++
	t.used = h.Now()
	return t, nil
}

func (h *Host) release(t *live) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t.users--
	t.used = h.Now()
	if t.users == 0 && (t.seq.Load() == 0 || t.broken.Load()) {
		h.drop(t)
	}
}

// drop removes a table from memory. The caller holds h.mu.
func (h *Host) drop(t *live) {
	delete(h.tables, t.id)
	t.unfollow()
}

// Tables returns the number of tables in memory.
func (h *Host) Tables() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.tables)
}

// sweep drops idle tables. The caller holds h.mu.
func (h *Host) sweep() {
	now := h.Now()
	if now.Sub(h.swept) < sweepEvery {
		return
	}
	h.swept = now
	for _, t := range h.tables {
		switch idle := now.Sub(t.used) >= idleAfter; {
		case idle && t.users == 0:
			h.drop(t)
		case idle:
			t.rest()
		}
	}
}

// Tables that nobody has used for idleAfter are dropped, and those that are only watched leave
// memory; sweepEvery bounds how often they're looked for.
const (
	idleAfter  = 10 * time.Minute
	sweepEvery = time.Minute
)
