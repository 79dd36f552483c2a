package web

import (
	"net/http"
	"time"

	"norn/web/middleware"
)

// NewSlow is New with another time that a reader may take for an event of a live stream.
func NewSlow(c Config, slow time.Duration) http.Handler {
	most := middleware.Usual()
	most.Slow = slow
	return handler(c, most)
}

// NewHasty is New with one short time for everything, and some more of it to take an answer, so
// that who sends too slowly is still told so.
func NewHasty(c Config, most time.Duration) http.Handler {
	return handler(c, middleware.Times{Slow: most, Read: most, Write: 3 * most})
}
