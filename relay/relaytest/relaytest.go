// Package relaytest is the suite that every relay must pass: Run says it all.
package relaytest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"norn/relay"
)

// patience is how long a message may take.
const patience = 5 * time.Second

// Run checks a relay. open gives two ends of one relay, as two nodes have
// them, with nobody subscribed; for a relay within one process both are the
// same. It closes them itself, through t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	t.Run("everybody hears", func(t *testing.T) { everybodyHears(t, open) })
	t.Run("the last seq arrives", func(t *testing.T) { lastArrives(t, open) })
	t.Run("cancel", func(t *testing.T) { cancelled(t, open) })
	t.Run("close", func(t *testing.T) { closed(t, open) })
	t.Run("at once", func(t *testing.T) { atOnce(t, open) })
}

type message struct {
	table string
	seq   uint64
}

// ear is a subscriber that remembers.
type ear struct {
	mu    sync.Mutex
	heard map[message]int
	last  map[string]uint64
}

func listen(r relay.Relay) (*ear, func()) {
	e := &ear{heard: map[message]int{}, last: map[string]uint64{}}
	return e, r.Subscribe(func(table string, seq uint64) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.heard[message{table, seq}]++
		e.last[table] = max(e.last[table], seq)
	})
}

func (e *ear) count(m message) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard[m]
}

func (e *ear) highest(table string) uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last[table]
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

func everybodyHears(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	own, _ := listen(here)
	second, _ := listen(here)
	far, _ := listen(there)
	m := message{"abc", 7}
	here.Publish(m.table, m.seq)
	for name, e := range map[string]*ear{"the publisher's node": own, "a second subscriber": second, "the other node": far} {
		eventually(t, name, func() bool { return e.count(m) > 0 })
	}
	back := message{"abc", 8}
	there.Publish(back.table, back.seq)
	eventually(t, "the way back", func() bool { return own.count(back) > 0 })
	if got := own.highest("abd"); got != 0 {
		t.Errorf("another table was heard of: %d", got)
	}
}

func lastArrives(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	far, _ := listen(there)
	const most = 500
	for seq := uint64(1); seq <= most; seq++ {
		here.Publish("t", seq)
	}
	eventually(t, "the last of many", func() bool { return far.highest("t") == most })
}

func cancelled(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	gone, cancel := listen(there)
	stays, _ := listen(there)
	cancel()
	cancel()
	m := message{"t", 1}
	here.Publish(m.table, m.seq)
	eventually(t, "who stays", func() bool { return stays.count(m) > 0 })
	if gone.count(m) > 0 {
		t.Error("who cancelled was called")
	}
}

func closed(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, _ := open(t)
	before, _ := listen(here)
	if err := here.Close(); err != nil {
		t.Fatal(err)
	}
	if err := here.Close(); err != nil {
		t.Errorf("a second time: %v", err)
	}
	here.Publish("t", 1)
	after, cancel := listen(here)
	here.Publish("t", 2)
	cancel()
	time.Sleep(20 * time.Millisecond)
	if before.highest("t")+after.highest("t") > 0 {
		t.Error("somebody was called after Close")
	}
}

// atOnce has many publish, subscribe and cancel at the same time; nobody is
// called once cancel has returned.
func atOnce(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	stays, _ := listen(there)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for seq := uint64(1); seq <= 100; seq++ {
				here.Publish(fmt.Sprint("t", i), seq)
			}
		})
		wg.Go(func() {
			for range 100 {
				var gone atomic.Bool
				cancel := there.Subscribe(func(string, uint64) {
					if gone.Load() {
						t.Error("called after cancel has returned")
					}
				})
				cancel()
				gone.Store(true)
			}
		})
	}
	wg.Wait()
	for i := range 4 {
		eventually(t, "the last of each", func() bool { return stays.highest(fmt.Sprint("t", i)) == 100 })
	}
}
