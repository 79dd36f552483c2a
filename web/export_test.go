package web

import (
	"net/http"
	"time"
)

// NewSlow is New with another time that a reader may take for an event of a live stream.
func NewSlow(c Config, slow time.Duration) http.Handler { return handler(c, slow) }
