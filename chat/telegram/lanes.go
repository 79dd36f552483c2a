package telegram

import "sync"

// lanes do things in their order within each chat, and chats beside each other. A lane's goroutine
// is there as long as there's something to do.
type lanes struct {
	mu      sync.Mutex
	waiting map[string][]func()
	busy    sync.WaitGroup
}

// run has something done behind what the lane has to do already.
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
	l.busy.Go(func() {
		for more := true; more; more = l.finish(lane) {
			l.first(lane)()
		}
	})
}

// first is what a lane does next, or is doing.
func (l *lanes) first(lane string) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting[lane][0]
}

// finish notes that the first is done, and tells whether there's more.
func (l *lanes) finish(lane string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting[lane] = l.waiting[lane][1:]; len(l.waiting[lane]) == 0 {
		delete(l.waiting, lane)
		return false
	}
	return true
}

// length is how much a lane has to do, with what it's doing.
func (l *lanes) length(lane string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting[lane])
}

// wait waits until all is done.
func (l *lanes) wait() { l.busy.Wait() }
