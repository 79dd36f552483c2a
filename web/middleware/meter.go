package middleware

import (
	"context"
	"net/http"
	"time"
)

// Meter hears what there is to count. Its methods don't wait.
type Meter interface {
	// Answered is told of each request: the pattern that took it, "" for none, and how long it
	// took, 0 for a live stream.
	Answered(route string, status int, took time.Duration)
	Frame() // an event of a live stream was written
	Slow()  // a live stream was cut, since its reader took nothing
}

// Uncounted hears nothing.
type Uncounted struct{}

func (Uncounted) Answered(string, int, time.Duration) {}
func (Uncounted) Frame()                              {}
func (Uncounted) Slow()                               {}

// Health answers for those who watch the server: 200 while ready says nothing is
// wrong, else 503. Why stays in the log, for anybody may ask. ready may be nil.
func Health(ready func(context.Context) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Type", "text/plain; charset=utf-8")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if ready != nil && ready(r.Context()) != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte("not ready\n")) // who has gone needs no answer
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
}
