package bridge

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"norn/internal/kvstore"
)

const (
	ofAttempts = "chat.attempts"
	// an attempt older than this is forgotten: platforms repeat an update for a day at most
	attemptLasts = 48 * time.Hour
	// for so long an attempt of another node may still be running
	attemptRuns = 5 * time.Minute
)

// attempt says that a node has begun an update.
type attempt struct {
	Node string    `json:"node"`
	At   time.Time `json:"at"`
}

// attempts stores which updates are being done. An update that ends the process, by its memory say,
// is sent again by its platform as soon as norn is back; without this it would end norn at each
// start.
type attempts struct {
	store  *kvstore.Store
	now    func() time.Time
	node   string
	shared bool

	mu      sync.Mutex
	running map[string]int // in this process, by the update's id
}

// begin stores that an update is being done. It reports false for one that was begun before norn
// ended. An update that is still running may run twice: its key makes that harmless.
func (a *attempts) begin(ctx context.Context, id string) (first bool, err error) {
	if id == "" {
		return true, nil
	}
	a.mu.Lock()
	a.running[id]++
	again := a.running[id] > 1
	a.mu.Unlock()
	if again {
		return true, nil
	}
	defer func() {
		if !first {
			a.leave(id)
		}
	}()
	item := kvstore.Item{Scope: ofAttempts, ID: id, Data: encodeJSON(attempt{a.node, a.now()})}
	stands, err := a.store.First(ctx, item)
	if err != nil {
		return false, err
	}
	var of attempt
	_ = json.Unmarshal([]byte(stands.Data), &of) // an unreadable one is of nobody
	mine := of.Node == a.node
	elsewhere := a.shared && a.now().Sub(of.At) < attemptRuns
	return mine || elsewhere, nil
}

// end forgets an attempt. If that fails, the update isn't repeated either, which does no harm.
func (a *attempts) end(ctx context.Context, id string) {
	if id != "" && a.leave(id) {
		_ = a.store.Drop(ctx, ofAttempts, id)
	}
}

// leave reports whether nobody in this process does the update any more.
func (a *attempts) leave(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running[id]--; a.running[id] > 0 {
		return false
	}
	delete(a.running, id)
	return true
}

// forget deletes old attempts, of updates that were never repeated.
func (a *attempts) forget(ctx context.Context) error {
	all, err := a.store.All(ctx, ofAttempts)
	for _, item := range all {
		var of attempt
		if json.Unmarshal([]byte(item.Data), &of) != nil || a.now().Sub(of.At) > attemptLasts {
			if err := a.store.Drop(ctx, ofAttempts, item.ID); err != nil {
				return err
			}
		}
	}
	return err
}
