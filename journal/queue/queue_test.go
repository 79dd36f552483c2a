package queue

import (
	"runtime"
	"slices"
	"testing"

	"norn/journal"
)

// A batch with plenty of requests starts at once, before anybody else can lock the queue.
func TestConcurrentCallsShareABatch(t *testing.T) {
	q := New()
	for range plenty {
		q.put(&Request{})
	}
	q.mu.Lock()
	late := make(chan bool)
	go func() { late <- q.put(&Request{}) }()
	for range 100 {
		runtime.Gosched() // until it waits for the lock
	}
	q.gather()
	if n := len(q.waiting); n != plenty {
		t.Errorf("%d wait, want %d", n, plenty)
	}
	q.mu.Unlock()
	if !<-late {
		t.Error("an open queue refused")
	}
}

func TestAQueueGivesBatchesInOrder(t *testing.T) {
	q := New()
	ofSize := func(entries, bytes int) *Request {
		r := &Request{Entries: make([]journal.Entry, entries)}
		r.Entries[0].Body = make([]byte, bytes)
		return r
	}
	put := func(rs ...*Request) {
		for _, r := range rs {
			if !q.put(r) {
				t.Fatal("an open queue refused")
			}
		}
	}
	take := func(want ...*Request) {
		t.Helper()
		if got := q.take(); !slices.Equal(got, want) {
			t.Errorf("took %d requests, want %d in order", len(got), len(want))
		}
	}
	a, b, c := ofSize(1, 10), ofSize(2, 0), ofSize(1, 0)
	put(a, b, c)
	if !q.withdraw(b) || q.withdraw(b) {
		t.Error("a waiting request can be withdrawn once")
	}
	take(a, c)
	if q.withdraw(a) {
		t.Error("a taken request was withdrawn")
	}

	many, large, huge := ofSize(maxBatch, 0), ofSize(1, maxBatchBytes-5), ofSize(3*maxBatch, 2*maxBatchBytes)
	put(many, a, large, c, huge, b)
	take(many)
	take(a)
	take(large, c)
	take(huge)
	put(c)
	q.Close()
	if q.put(a) {
		t.Error("a closed queue took a request")
	}
	take(b, c)
	take()
	take()
}
