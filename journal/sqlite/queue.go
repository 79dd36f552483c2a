package sqlite

import (
	"slices"
	"sync"

	"norn/journal"
)

// Bounds of one transaction; a single append larger than these goes alone.
const (
	maxBatch      = 1024    // entries
	maxBatchBytes = 8 << 20 // of bodies
)

// request is one append on its way. From take to the closing of done it
// belongs to the writer, before and afterwards to the caller.
type request struct {
	table   string
	expect  uint64
	entries []journal.Entry // numbered
	done    chan struct{}   // closed when err is final
	err     error
}

func (r *request) size() (entries, bytes int) {
	for _, e := range r.entries {
		bytes += len(e.Body)
	}
	return len(r.entries), bytes
}

// queue holds the appends that wait for the writer, first come, first served.
// It needs no bound: each caller waits with one append.
type queue struct {
	mu      sync.Mutex
	change  sync.Cond // something waits, or the queue is closed
	waiting []*request
	closed  bool
}

func newQueue() *queue {
	q := &queue{}
	q.change.L = &q.mu
	return q
}

// put adds a request, unless the queue is closed.
func (q *queue) put(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.waiting = append(q.waiting, r)
	q.change.Signal()
	return true
}

// withdraw takes a request out; false means that the writer has it already.
func (q *queue) withdraw(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, r)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// take waits for requests and hands out a batch; nothing once the queue is
// closed and empty.
func (q *queue) take() []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.change.Wait()
	}
	n, entries, bytes := 0, 0, 0
	for _, r := range q.waiting {
		e, b := r.size()
		entries, bytes = entries+e, bytes+b
		if n > 0 && (entries > maxBatch || bytes > maxBatchBytes) {
			break
		}
		n++
	}
	batch := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return batch
}

// close lets nothing more in.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.change.Signal()
}
