package api

import (
	"net/http"
	"time"
)

// NewQuiet is New with another time after which a live stream says that there is no news.
func NewQuiet(c Config, quiet time.Duration) http.Handler { return newServer(c, quiet).handler() }
