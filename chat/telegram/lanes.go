package telegram

import (
	"log/slog"
	"sync"

	"norn/internal/rescue"
)

// lanes runs functions in order within each lane, and lanes in parallel. A lane's goroutine exists
// only while there's work.
type lanes struct {
	log     *slog.Logger
	mu      sync.Mutex
	waiting map[string][]func()
	busy    sync.WaitGroup
}

// run queues a function in a lane.
func (l *lanes) run(lane string, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = map[string][]func(){}
	}
	l.waiting[lane] = append(l.waiting[lane], do)
	if len(l.waiting[lane]) > 1 {
		return
	}
	l.busy.Go(func() { // each function is rescued by itself, so that the lane goes on
		for more := true; more; more = l.finish(lane) {
			rescue.Wrap(l.log, "telegram", l.first(lane))()
		}
	})
}

// first returns a lane's current or next function.
func (l *lanes) first(lane string) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting[lane][0]
}

// finish removes the first function, and reports whether there are more.
func (l *lanes) finish(lane string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting[lane] = l.waiting[lane][1:]; len(l.waiting[lane]) == 0 {
		delete(l.waiting, lane)
		return false
	}
	return true
}

// length returns the number of functions in a lane, including the running one.
func (l *lanes) length(lane string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting[lane])
}

// wait waits until all work is done.
func (l *lanes) wait() { l.busy.Wait() }
