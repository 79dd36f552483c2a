package bridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"norn/kvstore"
)

// leaseTime is how long a node leads a platform without saying so again.
const leaseTime = 15 * time.Second

// lease is who leads a platform.
type lease struct {
	Node  string `json:"node"`
	Until int64  `json:"until"` // milliseconds
}

// leaderships are the platforms that a node leads, of the nodes that share a store.
type leaderships struct {
	node  string
	store *kvstore.Store
	now   func() time.Time
	log   *slog.Logger
}

// hold runs f whenever this node is the one that leads a platform, until ctx ends; f ends with its
// context, which ends with the lead.
func (l leaderships) hold(ctx context.Context, name string, f func(context.Context)) {
	for ctx.Err() == nil {
		until, err := l.claim(ctx, name)
		l.logFailure(ctx, err)
		if until.IsZero() {
			_ = Wait(ctx, rereadEvery)
			continue
		}
		leading, end := context.WithCancel(ctx)
		var led sync.WaitGroup
		led.Go(func() { f(leading) })
		for l.now().Before(until.Add(-leaseTime/3)) && Wait(ctx, leaseTime/3) == nil { // later another may lead
			if again, err := l.claim(ctx, name); err == nil {
				until = again
			} else {
				l.logFailure(ctx, err)
			}
		}
		end()
		led.Wait()
	}
	parting, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_, err := l.put(parting, name, lease{Node: l.node}) // another may lead at once
	l.logFailure(parting, err)
}

// claim takes or keeps the lead of a platform, until a time; the zero time where another has it.
func (l leaderships) claim(ctx context.Context, name string) (time.Time, error) {
	until := l.now().Add(leaseTime)
	if won, err := l.put(ctx, name, lease{l.node, until.UnixMilli()}); err != nil || !won {
		return time.Time{}, err
	}
	return until, nil
}

// put keeps this node's lease, unless another's still holds.
func (l leaderships) put(ctx context.Context, name string, mine lease) (bool, error) {
	item := kvstore.Item{Scope: ofLeases, ID: name, Data: encodeJSON(mine)}
	stands, err := l.store.First(ctx, item)
	if err != nil {
		return false, err
	}
	var now lease
	_ = json.Unmarshal([]byte(stands.Data), &now) // what can't be read is nobody's
	if now.Node != l.node && l.now().Before(time.UnixMilli(now.Until)) {
		return false, nil
	}
	return l.store.Swap(ctx, item, stands.Data)
}

func (l leaderships) logFailure(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		l.log.WarnContext(ctx, "chat: who leads can't be told", "error", err)
	}
}

const ofLeases = "chat.leases"

// rereadEvery is how late what other nodes have tied is seen, and how often a lease is looked at.
const rereadEvery = 5 * time.Second
