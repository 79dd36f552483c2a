package web

import (
	"net/http"
	"time"

	"norn/web/middleware"
)

// NewSlow is New with another time limit for taking an event of a live stream.
func NewSlow(c Config, slow time.Duration) http.Handler {
	most := middleware.Usual()
	most.Slow = slow
	return handler(c, most)
}

// NewHasty is New with one short time limit for everything, and a longer one for responses, so that
// a slow sender still gets the reason.
func NewHasty(c Config, most time.Duration) http.Handler {
	return handler(c, middleware.Times{Slow: most, Read: most, Write: 3 * most})
}
