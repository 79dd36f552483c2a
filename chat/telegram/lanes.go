package telegram

import "sync"

// lanes do things in their order within each chat, and chats beside each other. A lane's goroutine is there as long as there's something to
// do.
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
	queue, runs := l.waiting[lane]
	l.waiting[lane] = append(queue, do)
	if runs {
		return
	}
	l.busy.Go(func() {
		for {
			l.mu.Lock()
			queue := l.waiting[lane]
			if len(queue) == 0 {
				delete(l.waiting, lane)
				l.mu.Unlock()
				return
			}
			l.waiting[lane] = queue[1:]
			l.mu.Unlock()
			queue[0]()
		}
	})
}

// length is how much a lane has to do.
func (l *lanes) length(lane string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue, runs := l.waiting[lane]
	if runs {
		return len(queue) + 1
	}
	return 0
}

// wait waits until all is done.
func (l *lanes) wait() { l.busy.Wait() }
