// Package queue gathers the appends of many callers into batches for the one goroutine of a driver
// that writes: group commit.
//
// Promised:
//
//   - First come, first served; a batch holds all that wait, up to a bound. While the machine is busy the writer lets
//     those who are about to append come first: a commit costs much and one more append in it little. It doesn't wait
//     for everybody: while it waits for the disk, there must be others who have something to do.
//   - While an append waits, its context takes it out, and then nothing was
//     written. Once the writer has it, Append waits for the outcome; the writer
//     sees to it that there is one.
//   - After Close nothing more comes in; what waits is still written.
//
// The package starts no goroutine: Run is the driver's own. It imports the contract alone.
package queue

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"norn/journal"
)

// Bounds of one batch; a single append larger than these goes alone.
const (
	maxBatch      = 1024    // entries
	maxBatchBytes = 8 << 20 // of bodies
	maxYields     = 16      // before a batch
	plenty        = 16      // requests that make a batch worth its commit
)

// Request is one append on its way. From Run's hands to the end of its batch it
// belongs to the writer, before and afterwards to the queue.
type Request struct {
	Table   string
	Expect  uint64
	Entries []journal.Entry // numbered
	Err     error           // the refusal, set by the writer
	done    chan struct{}   // closed when Err is final
}

func (r *Request) size() (entries, bytes int) {
	for _, e := range r.Entries {
		bytes += len(e.Body)
	}
	return len(r.Entries), bytes
}

// Queue holds the appends that wait for the writer. It needs no bound: each
// caller waits with one append.
type Queue struct {
	mu      sync.Mutex
	change  sync.Cond // something waits, or the queue is closed
	waiting []*Request
	closed  bool
}

// New makes an open queue.
func New() *Queue {
	q := &Queue{}
	q.change.L = &q.mu
	return q
}

// Append checks and numbers what a journal's Append is given, queues it and
// waits for its outcome.
func (q *Queue) Append(
	ctx context.Context,
	table string,
	expect uint64,
	entries []journal.Entry,
) ([]journal.Entry, error) {
	numbered, err := journal.Number(table, expect, entries)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("journal: append: %w", err)
	}
	r := &Request{Table: table, Expect: expect, Entries: numbered, done: make(chan struct{})}
	if !q.put(r) {
		return nil, journal.ErrClosed
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if q.withdraw(r) {
			return nil, fmt.Errorf("journal: append: %w", ctx.Err())
		}
		<-r.done
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return numbered, nil
}

// Len returns how many requests wait for the writer.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// Run hands batches to write until the queue is closed and empty. write sets
// what single requests are refused for; an error of its own is that of them all.
func (q *Queue) Run(write func(batch []*Request) error) {
	for {
		batch := q.take()
		if len(batch) == 0 {
			return
		}
		if err := write(batch); err != nil {
			for _, r := range batch {
				r.Err = err
			}
		}
		for _, r := range batch {
			close(r.done)
		}
	}
}

// put adds a request, unless the queue is closed.
func (q *Queue) put(r *Request) bool {
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
func (q *Queue) withdraw(r *Request) bool {
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
func (q *Queue) take() []*Request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for waits := false; !waits && !q.closed; waits = len(q.waiting) > 0 { // what waited may be withdrawn meanwhile
		for len(q.waiting) == 0 && !q.closed {
			q.change.Wait()
		}
		q.gather()
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

// gather waits while more come in, until there are plenty. Each yield lasts until others who are
// ready to run have run: no time at all on an idle machine. The caller holds mu.
func (q *Queue) gather() {
	for range maxYields {
		before := len(q.waiting)
		if before >= plenty {
			return
		}
		q.mu.Unlock()
		runtime.Gosched()
		q.mu.Lock()
		if len(q.waiting) <= before {
			return
		}
	}
}

// Close lets nothing more in.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.change.Signal()
}
