package table

import (
	"crypto/rand"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Each node says every so often that it lives. Who watches on one that has
// fallen silent isn't counted as online, and is again when it's heard; what its
// seats are isn't forgotten any sooner for that, so nothing needs to be told
// anew after the relay was away. A norn that has never said that it lives is older
// than this word, and nothing is read from its silence.

const (
	heartbeatTopic = "nodes" // where nodes say it; no table has such an id

	beatEvery   = 2 // in Config.Poll
	silentAfter = 7 // likewise: two beats may be lost

	maxHeartbeats = 1024 // nodes that are remembered: anybody on the relay can say a word
)

// heartbeats is which other nodes live.
type heartbeats struct {
	mu    sync.Mutex
	heard map[string]time.Time // when each was heard last

	silent atomic.Pointer[map[string]bool] // as of the last findSilent; not changed once it's there
}

func newHeartbeats() *heartbeats {
	p := &heartbeats{heard: map[string]time.Time{}}
	p.silent.Store(&map[string]bool{})
	return p
}

// alive tells whether a node isn't known to have fallen silent.
func (p *heartbeats) alive(node string) bool { return !(*p.silent.Load())[node] }

// hear is told that a node lives.
func (p *heartbeats) hear(node string, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.heard[node]; known || len(p.heard) < maxHeartbeats {
		p.heard[node] = at
	}
}

// findSilent finds which nodes are silent by now, and gives those that have fallen
// silent or come back since it was last called. Nodes are forgotten when their
// seats long are.
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

// announcements are the tables of which this node has something to tell.
type announcements struct {
	node    string // this node, as others hear of it
	changed chan struct{}

	mu     sync.Mutex
	tables map[*live]struct{}
}

func newAnnouncements() *announcements {
	return &announcements{node: rand.Text(), changed: make(chan struct{}, 1), tables: map[*live]struct{}{}}
}
