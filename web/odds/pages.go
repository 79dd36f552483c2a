// Package odds is the pages of odds without a table: what is asked for, priced and drawn.
package odds

import (
	"context"
	"errors"
	"sync"

	"norn/bare"
	"norn/lang"
	"norn/odds"
	"norn/web/middleware"
)

// Pages are those of odds without a table.
type Pages struct {
	*middleware.Keeper
	Gate *odds.Gate // to where odds are worked out

	chooses sync.Map // "edda.act" to whether there's something to choose in its middle
}

// Excuse says why odds can't be had now, "" for any other error.
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
	// what fits is late where the machine is busy
	case errors.As(err, &crowded), errors.Is(err, context.DeadlineExceeded):
		return r.Say("web.odds.crowded")
	}
	return ""
}
