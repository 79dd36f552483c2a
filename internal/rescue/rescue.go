// Package rescue keeps a panic from ending the process. A panic ends what it happened in: a request,
// an update of a chat, a job. It is counted and logged once, with its stack.
//
// Every goroutine of a server runs through Wrap or Repeat, and every place where something comes in
// recovers by Run or Note; norn's ways_test.go finds a goroutine that doesn't. Without this, one
// mistake in a rule would end all tables, and a platform that repeats its update would end norn
// again at each start.
//
// The counts are those of the process, because a goroutine of a journal has no metrics at hand. The
// package imports nothing of norn.
package rescue

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// Error is a panic that was recovered.
type Error struct {
	Where string // the boundary that recovered it, such as "telegram update"
	Value any
}

func (e *Error) Error() string { return fmt.Sprintf("%s panicked: %v", e.Where, e.Value) }

// Run calls f and returns its error. A panic in f is noted and returned as an *Error. where names
// the boundary, in few words that are known in advance; a nil log means the default one.
func Run(log *slog.Logger, where string, f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = Note(log, where, value)
		}
	}()
	return f()
}

// Wrap returns f for a goroutine: a panic in it is noted, and ends only that goroutine.
func Wrap(log *slog.Logger, where string, f func()) func() {
	return func() {
		_ = Run(log, where, func() error { // it is noted
			f()
			return nil
		})
	}
}

// Repeat returns f for a goroutine that works as long as the server: a panic in it is noted, and f
// is called again after a while, until done is closed.
func Repeat(done <-chan struct{}, log *slog.Logger, where string, f func()) func() {
	return func() {
		for pause := firstPause; ; pause = min(2*pause, maxPause) {
			err := Run(log, where, func() error {
				f()
				return nil
			})
			if err == nil {
				return
			}
			select {
			case <-done:
				return
			case <-time.After(pause):
			}
		}
	}
}

const (
	firstPause = 100 * time.Millisecond
	maxPause   = time.Minute
)

// Note counts and logs a panic that its caller has recovered, and returns it as an error. more are
// attributes for the log.
func Note(log *slog.Logger, where string, value any, more ...any) *Error {
	counting.Lock()
	counts[where]++
	counting.Unlock()
	if log == nil {
		log = slog.Default()
	}
	log.Error("panic", append([]any{
		"where", where, "panic", fmt.Sprint(value), "stack", string(debug.Stack()),
	}, more...)...)
	return &Error{where, value}
}

var (
	counting sync.Mutex
	counts   = map[string]int{}
)

// Counts returns how many panics each boundary has recovered.
func Counts() map[string]int {
	counting.Lock()
	defer counting.Unlock()
	return maps.Clone(counts)
}

// Handler returns next with its panics noted and answered with 500. It is for small servers next to
// the one with pages.
func Handler(log *slog.Logger, where string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := Run(log, where, func() error {
			next.ServeHTTP(w, r)
			return nil
		})
		if err != nil {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})
}
