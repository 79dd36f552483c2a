package table

import (
	"crypto/rand"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Each node sends a heartbeat at intervals. Seats that watch on a silent node don't count as online
// until it's heard again. The node's seats aren't forgotten sooner by that, so that nothing must be
// sent again after the relay was down. An older norn sends no heartbeats, so its silence means
// nothing.

const (
	heartbeatTopic = "nodes" // topic of heartbeats; no table has such an id

	beatEvery   = 2 // interval, in Config.Poll
	silentAfter = 7 // in Config.Poll: two heartbeats may be lost

	maxHeartbeats = 1024 // bounds memory: any relay client can send one
)

// heartbeats tracks when each other node was last heard from.
type heartbeats struct {
	mu    sync.Mutex
	heard map[string]time.Time // last heartbeat by node

	silent atomic.Pointer[map[string]bool] // as of the last findSilent; the map is never changed
}

func newHeartbeats() *heartbeats {
	p := &heartbeats{heard: map[string]time.Time{}}
	p.silent.Store(&map[string]bool{})
	return p
}

// alive reports whether a node isn't known to be silent.
func (p *heartbeats) alive(node string) bool { return !(*p.silent.Load())[node] }

// note keeps a heartbeat of a node.
func (p *heartbeats) note(node string, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.heard[node]; known || len(p.heard) < maxHeartbeats {
		p.heard[node] = at
	}
}

// findSilent updates which nodes are silent and returns those that have become silent or returned
// since the last call. A node is forgotten long after its seats are.
func (p *heartbeats) findSilent(now time.Time, poll time.Duration) (changed []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.heard, func(_ string, at time.Time) bool {
		return now.Sub(at) > 2*(forgetAfter+announceEvery)*poll
	})
	before, silent := *p.silent.Load(), map[string]bool{}
	for node, at := range p.heard {
		if now.Sub(at) > silentAfter*poll {
			silent[node] = true
		}
		if silent[node] != before[node] {
			changed = append(changed, node)
		}
	}
	p.silent.Store(&silent)
	return changed
}

// announcements collects the tables whose online seats this node must send to others.
type announcements struct {
	node    string // this node's name on the relay
	changed chan struct{}

	mu     sync.Mutex
	tables map[*live]struct{}
}

func newAnnouncements() *announcements {
	return &announcements{node: rand.Text(), changed: make(chan struct{}, 1), tables: map[*live]struct{}{}}
}
