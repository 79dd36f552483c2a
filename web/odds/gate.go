package odds

import (
	"context"
	"errors"

	"norn/bare"
	"norn/lang"
	"norn/odds"
)

// Priced lets odds be worked out, in a place of who asks from an address and in a
// time that somebody waits for. Errors are *odds.CrowdedError, the context's and
// those of the work.
func (all *Pages) Priced(ctx context.Context, from, who string, work func(context.Context) error) error {
	how, err := all.Gate.Work(ctx, from, who, work)
	if err != nil {
		all.Meter.Odds(how)
	}
	return err
}

// Hurried says why odds can't be had now, "" for any other error.
func Hurried(r lang.Speaker, err error) string {
	var (
		crowded *odds.CrowdedError
		large   *odds.LargeError
	)
	switch {
	case errors.As(err, &large):
		return bare.SayLarge(r, large)
	case errors.As(err, &crowded) && crowded.Own:
		return r.Say("web.odds.mine")
	case errors.As(err, &crowded), errors.Is(err, context.DeadlineExceeded): // what fits is late where the machine is busy
		return r.Say("web.odds.crowded")
	}
	return ""
}
