// Package relaytest is the test suite that every relay must pass.
package relaytest

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"norn/internal/relay"
)

// patience bounds the delivery of a message.
const patience = 5 * time.Second

// Run tests a relay. open returns two ends of one relay, as two nodes have them, without followers;
// for a relay within one process both are the same. It closes them through t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	t.Run("everybody hears", func(t *testing.T) { testEverybodyHears(t, open) })
	t.Run("the last seq arrives", func(t *testing.T) { testLastArrives(t, open) })
	t.Run("words", func(t *testing.T) { testWords(t, open) })
	t.Run("cancel", func(t *testing.T) { testCancel(t, open) })
	t.Run("close", func(t *testing.T) { testClose(t, open) })
	t.Run("at once", func(t *testing.T) { testConcurrently(t, open) })
}

// follower records the messages that it hears.
type follower struct {
	mu      sync.Mutex
	heard   map[relay.Message]int
	highest uint64
	word    string
}

func listen(r relay.Relay, table string) (*follower, func()) {
	e := &follower{heard: map[relay.Message]int{}}
	return e, r.Follow(table, func(m relay.Message) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.heard[m]++
		e.highest = max(e.highest, m.Seq)
		if m.Word != "" {
			e.word = m.Word
		}
	})
}

func (e *follower) count(m relay.Message) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard[m]
}

func (e *follower) last() (seq uint64, word string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.highest, e.word
}

// until repeats say, since a message may be lost, until is returns true.
func until(t *testing.T, what string, say func(), is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		say()
		for range 5 {
			if is() {
				return
			}
			time.Sleep(time.Millisecond)
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

func testEverybodyHears(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	own, _ := listen(here, "abc")
	second, _ := listen(here, "abc")
	far, _ := listen(there, "abc")
	other, _ := listen(there, "abd")
	m := relay.Message{Table: "abc", Seq: 7}
	for name, e := range map[string]*follower{
		"the publisher's node": own, "a second follower": second,
		"the other node": far,
	} {
		until(t, name, func() { here.Publish(m) }, func() bool { return e.count(m) > 0 })
	}
	back := relay.Message{Table: "abc", Seq: 8}
	until(t, "the way back", func() { there.Publish(back) }, func() bool { return own.count(back) > 0 })
	if seq, _ := other.last(); seq != 0 {
		t.Errorf("who follows another table heard of %d", seq)
	}
}

func testLastArrives(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	far, _ := listen(there, "t")
	const most = 500
	for seq := uint64(1); seq < most; seq++ {
		here.Publish(relay.Message{Table: "t", Seq: seq})
	}
	until(t, "the last of many", func() { here.Publish(relay.Message{Table: "t", Seq: most}) }, func() bool {
		seq, _ := far.last()
		return seq == most
	})
}

// testWords checks that words and seqs don't replace each other.
func testWords(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	far, _ := listen(there, "t")
	long := strings.Repeat("s", relay.MaxWord)
	for _, word := range []string{"node s1 s2", "5", "=", long} {
		until(t, "a word", func() {
			here.Publish(relay.Message{Table: "t", Seq: 3})
			here.Publish(relay.Message{Table: "t", Word: word})
		}, func() bool {
			seq, heard := far.last()
			return heard == word && seq == 3
		})
	}
}

func testCancel(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	gone, cancel := listen(there, "t")
	stays, _ := listen(there, "t")
	cancel()
	cancel()
	m := relay.Message{Table: "t", Seq: 1}
	until(t, "who stays", func() { here.Publish(m) }, func() bool { return stays.count(m) > 0 })
	if gone.count(m) > 0 {
		t.Error("who cancelled was called")
	}
}

func testClose(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, _ := open(t)
	before, _ := listen(here, "t")
	if err := here.Close(); err != nil {
		t.Fatal(err)
	}
	if err := here.Close(); err != nil {
		t.Errorf("a second time: %v", err)
	}
	here.Publish(relay.Message{Table: "t", Seq: 1})
	after, cancel := listen(here, "t")
	here.Publish(relay.Message{Table: "t", Seq: 2})
	cancel()
	time.Sleep(20 * time.Millisecond)
	for _, e := range []*follower{before, after} {
		if seq, _ := e.last(); seq > 0 {
			t.Error("somebody was called after Close")
		}
	}
}

// testConcurrently publishes, follows and cancels from many goroutines; no follower may be called once cancel
// has returned.
func testConcurrently(t *testing.T, open func(t *testing.T) (here, there relay.Relay)) {
	here, there := open(t)
	tables := []string{"t0", "t1", "t2", "t3"}
	var stay []*follower
	for _, table := range tables {
		e, _ := listen(there, table)
		stay = append(stay, e)
	}
	var wg sync.WaitGroup
	for _, table := range tables {
		wg.Go(func() {
			for seq := uint64(1); seq < 100; seq++ {
				here.Publish(relay.Message{Table: table, Seq: seq})
			}
		})
		wg.Go(func() {
			for range 100 {
				var gone atomic.Bool
				cancel := there.Follow(table, func(relay.Message) {
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
	for i, table := range tables {
		until(t, "the last of each", func() { here.Publish(relay.Message{Table: table, Seq: 100}) }, func() bool {
			seq, _ := stay[i].last()
			return seq == 100
		})
	}
}
