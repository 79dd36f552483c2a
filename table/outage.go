package table

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"norn/journal"
)

// outage is a time in which the journal can't be used. The log gets a line when it begins and when
// it's over, not for every failed request.
type outage struct {
	what   string      // the failing operation, for the log: "write"
	during atomic.Bool // lets successful calls skip the lock

	mu     sync.Mutex
	since  time.Time
	failed int
}

// note handles the result of one use of the journal.
func (o *outage) note(ctx context.Context, log *slog.Logger, now func() time.Time, err error) {
	if err == nil && !o.during.Load() {
		return
	}
	var gone *journal.UnavailableError
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case errors.As(err, &gone):
		if o.failed++; o.failed == 1 {
			o.since = now()
			o.during.Store(true)
			log.ErrorContext(ctx, "the journal can't be used; what fails until it can isn't logged", "to", o.what,
				"error", gone.Err)
		}
	case err == nil && o.failed > 0:
		log.InfoContext(ctx, "the journal can be used again", "to", o.what, "after",
			now().Sub(o.since).Round(time.Millisecond), "failed", o.failed)
		o.failed = 0
		o.during.Store(false)
	}
}
