package middleware

import (
	"context"
	"net/http"
	"time"
)

// Meter counts requests. Its methods don't block.
type Meter interface {
	// CountRequest counts a request by its route, "" for none, with its duration, 0 for a live stream.
	CountRequest(route string, status int, took time.Duration)
	CountFrame() // an event of a live stream was written
	CountSlow()  // a live stream was cut because its client was too slow
}

// Uncounted counts nothing.
type Uncounted struct{}

func (Uncounted) CountRequest(string, int, time.Duration) {}
func (Uncounted) CountFrame()                             {}
func (Uncounted) CountSlow()                              {}

// Health serves monitoring: 200 if ready returns no error, otherwise 503. The reason is only
// logged, since anybody may ask. ready may be nil.
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
			_, _ = w.Write([]byte("not ready\n")) // the client may have disconnected
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
}
