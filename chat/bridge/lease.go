package bridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"norn/internal/kvstore"
	"norn/internal/rescue"
)

// leaseTime limits the time for which a node leads a platform without renewing its lease.
const leaseTime = 15 * time.Second

// lease says which node leads a platform.
type lease struct {
	Node  string `json:"node"`
	Until int64  `json:"until"` // in milliseconds
}

// leaderships elects a leader for each platform among the nodes that share a store.
type leaderships struct {
	node  string
	store *kvstore.Store
	now   func() time.Time
	log   *slog.Logger
}

// hold runs f whenever this node leads a platform, until ctx ends. The context of f ends with the
// leadership.
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
		led.Go(rescue.Repeat(leading.Done(), l.log, "chat platform", func() { f(leading) }))
		// after that another node may lead
		for l.now().Before(until.Add(-leaseTime/3)) && Wait(ctx, leaseTime/3) == nil {
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
	_, err := l.put(parting, name, lease{Node: l.node}) // so that another can lead at once
	l.logFailure(parting, err)
}

// claim takes or renews the leadership of a platform until a time; the zero time if another node
// has it.
func (l leaderships) claim(ctx context.Context, name string) (time.Time, error) {
	until := l.now().Add(leaseTime)
	if won, err := l.put(ctx, name, lease{l.node, until.UnixMilli()}); err != nil || !won {
		return time.Time{}, err
	}
	return until, nil
}

// put stores this node's lease, unless another node's is still valid.
func (l leaderships) put(ctx context.Context, name string, mine lease) (bool, error) {
	item := kvstore.Item{Scope: ofLeases, ID: name, Data: encodeJSON(mine)}
	stands, err := l.store.First(ctx, item)
	if err != nil {
		return false, err
	}
	var now lease
	_ = json.Unmarshal([]byte(stands.Data), &now) // an unreadable lease has no owner
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

// rereadEvery is the interval of reading other nodes' ties and of checking a lease.
const rereadEvery = 5 * time.Second
