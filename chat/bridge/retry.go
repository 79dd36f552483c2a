package bridge

import (
	"context"
	"iter"
	"time"
)

// Wait waits; the error is the context's.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return ctx.Err()
	}
}

// Tries yields until ctx ends or the loop does, after pauses that double up to the longest.
func Tries(ctx context.Context, first, longest time.Duration) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n, pause := 1, first; ctx.Err() == nil && yield(n) && Wait(ctx, pause) == nil; n++ {
			pause = min(2*pause, longest)
		}
	}
}
