// Package odds serves the pages of odds without a table.
package odds

import (
	"context"
	"errors"
	"sync"

	"norn/internal/bare"
	"norn/lang"
	"norn/odds"
	"norn/web/middleware"
)

// Pages serves odds without a table.
type Pages struct {
	*middleware.Keeper
	Gate *odds.Gate // limits the computations of odds

	chooses sync.Map // by names such as "edda.act", whether the move asks questions in its middle
}

// Excuse says why odds can't be computed now, "" for any other error.
func Excuse(r lang.Speaker, err error) string {
	var (
		crowded *odds.CrowdedError
		large   *odds.LargeError
	)
	switch {
	case errors.As(err, &large):
		return bare.SayLarge(r, large)
	case errors.As(err, &crowded) && crowded.Own:
		return r.Say("web.odds.mine")
	// its own computation was too slow, which a busy machine may cause
	case errors.As(err, &crowded), errors.Is(err, context.DeadlineExceeded):
		return r.Say("web.odds.crowded")
	}
	return ""
}
