package web

import (
	"context"
	"errors"
	"time"

	"norn/odds"
)

// mostWait is how long odds may be worked out for one request.
const mostWait = 4 * time.Second

// priced lets odds be worked out, in the asker's place and in a time that
// somebody waits for. Errors are *odds.CrowdedError, the context's and those
// of the work.
func (s *server) priced(ctx context.Context, asker string, work func(context.Context) error) error {
	leave, err := s.Gate.Enter(ctx, asker)
	if err != nil {
		s.Meter.Odds("crowded")
		return err
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	err = work(limited)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		s.Meter.Odds("late")
	case err != nil:
		s.Meter.Odds("refused")
	}
	return err
}

// hurried says why odds can't be had now, "" for any other error.
func (r reader) hurried(err error) string {
	var crowded *odds.CrowdedError
	switch {
	case errors.As(err, &crowded) && crowded.Own:
		return r.Say("web.odds.mine")
	case errors.As(err, &crowded):
		return r.Say("web.odds.crowded")
	case errors.Is(err, context.DeadlineExceeded):
		return r.Say("web.odds.large")
	}
	return ""
}
