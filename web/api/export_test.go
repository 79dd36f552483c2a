package api

import (
	"net/http"
	"time"
)

// NewTimed is New with other times: after which an idle live stream sends a keep-alive, and that a
// client may take for an event.
func NewTimed(c Config, quiet, slow time.Duration) http.Handler {
	return newServer(c, quiet, slow).handler()
}
