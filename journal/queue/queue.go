// Package queue batches the appends of many callers for a driver's single writing goroutine: group
// commit.
//
// Guarantees:
//
//   - First come, first served; a batch holds all waiting appends, up to a limit. On a busy
//     machine the writer first lets goroutines run that are about to append: a commit is
//     expensive, and one more append in it costs little. It doesn't wait for all of them: while
//     it waits for the disk, others should have something to do.
//   - An append whose context ends while it waits is removed, and nothing was written. Once the
//     writer has it, Append waits for the outcome, and the writer must provide one.
//   - After Close no more appends are accepted; those that wait are still written.
//
// The package starts no goroutine: the driver calls Run in its own. It imports only package
// journal.
package queue

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"norn/journal"
)

// Limits of one batch. A single append larger than these is a batch of its own.
const (
	maxBatch      = 1024    // entries
	maxBatchBytes = 8 << 20 // of bodies
	maxYields     = 16      // before a batch
	plenty        = 16      // number of requests for which a batch starts at once
)

// Request is one append, deletion or blanking in progress. It belongs to the writer from Run until the end of its batch,
// and to the queue otherwise.
type Request struct {
	Table   string
	Expect  uint64
	Entries []journal.Entry // numbered
	Delete  time.Time       // removes the table, at this time; zero for an append
	Blanked []journal.Entry // bodies to replace, by seq, in addition to the append
	Err     error           // the refusal, set by the writer
	done    chan struct{}   // closed when Err is final
}

// Erases reports whether the request isn't only an append. It is a batch of its own.
func (r *Request) Erases() bool { return !r.Delete.IsZero() || len(r.Blanked) > 0 }

func (r *Request) size() (entries, bytes int) {
	for _, e := range r.Entries {
		bytes += len(e.Body)
	}
	return len(r.Entries), bytes
}

// Queue holds the appends that wait for the writer. It needs no limit: each caller waits with one
// append.
type Queue struct {
	mu      sync.Mutex
	change  sync.Cond // signals that something waits or the queue is closed
	waiting []*Request
	closed  bool
}

// New makes an open queue.
func New() *Queue {
	q := &Queue{}
	q.change.L = &q.mu
	return q
}

// Append checks and numbers the arguments of a journal's Append, queues them and waits for the
// outcome.
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
	if err := q.wait(ctx, &Request{Table: table, Expect: expect, Entries: numbered}); err != nil {
		return nil, err
	}
	return numbered, nil
}

// Delete checks the arguments of a journal's Delete, queues them and waits for the outcome.
func (q *Queue) Delete(ctx context.Context, table string, expect uint64, at time.Time) error {
	if err := journal.CheckDelete(table, expect, at); err != nil {
		return err
	}
	return q.wait(ctx, &Request{Table: table, Expect: expect, Delete: at})
}

// Blank checks and numbers the arguments of a journal's Blank, queues them and waits for the
// outcome.
func (q *Queue) Blank(ctx context.Context, table string, expect uint64, blanked []journal.Entry,
	said journal.Entry,
) ([]journal.Entry, error) {
	numbered, err := journal.Number(table, expect, []journal.Entry{said})
	if err != nil {
		return nil, err
	}
	if err := journal.CheckBlank(expect, blanked); err != nil {
		return nil, err
	}
	if err := q.wait(ctx, &Request{Table: table, Expect: expect, Entries: numbered, Blanked: blanked}); err != nil {
		return nil, err
	}
	return numbered, nil
}

// wait queues a request and waits for the outcome.
func (q *Queue) wait(ctx context.Context, r *Request) error {
	r.done = make(chan struct{})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("journal: append: %w", err)
	}
	if !q.put(r) {
		return journal.ErrClosed
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if q.withdraw(r) {
			return fmt.Errorf("journal: append: %w", ctx.Err())
		}
		<-r.done
	}
	return r.Err
}

// Len returns how many requests wait for the writer.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// Run calls write with batches until the queue is closed and empty. write sets the errors of single
// requests; the error that it returns applies to all of them.
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

// withdraw removes a request. It returns false if the writer already has it.
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

// take waits for requests and returns a batch, or nothing once the queue is closed and empty.
func (q *Queue) take() []*Request {
	q.mu.Lock()
	defer q.mu.Unlock()
	for waits := false; !waits && !q.closed; waits = len(q.waiting) > 0 { // requests may have been withdrawn
		for len(q.waiting) == 0 && !q.closed {
			q.change.Wait()
		}
		q.gather()
	}
	n, entries, bytes := 0, 0, 0
	for _, r := range q.waiting {
		if r.Erases() {
			n = max(n, 1)
			break
		}
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

// gather waits while more requests arrive, until there are plenty. Each yield lasts until other
// goroutines that are ready have run: no time at all on an idle machine. The caller holds mu.
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

// Close makes the queue refuse new requests.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.change.Signal()
}
