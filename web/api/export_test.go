package api

import (
	"net/http"
	"time"
)

// NewTimed is New with other times: after which a live stream says that there is no news, and that
// a reader may take for an event.
func NewTimed(c Config, quiet, slow time.Duration) http.Handler {
	return newServer(c, quiet, slow).handler()
}
