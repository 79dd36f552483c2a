package odds

import (
	"context"
	"errors"
	"time"

	"norn/dice"
	"norn/rule"
)

// What a quote may cost: an exact walk of a second or so, else so many throws.
const (
	QuoteBranches = 300_000
	QuoteRuns     = 20_000
)

// leastRuns is how many throws tell anything.
const leastRuns = 500

// Quote prices for somebody who waits: exactly where a walk needs no more than
// QuoteBranches, else by QuoteRuns throws, always with the same dice, so that
// who asks again is told the same. Where the context has a deadline, half of the
// time there is goes to the exact walk, and then as many throws are made as the
// rest allows. Odds.Runs tells how many. Errors are those of Price and Simulate
// but for *rule.LimitError.
func Quote(ctx context.Context, f func(*rule.Run) rule.Outcome, kinds []Kind, policy rule.Policy) (*Odds, error) {
	until, hurried := ctx.Deadline()
	exact, simulated := ctx, ctx
	if hurried {
		left := time.Until(until)
		var cancel context.CancelFunc
		exact, cancel = context.WithTimeout(ctx, left/2)
		defer cancel()
		simulated, cancel = context.WithTimeout(ctx, left*7/8)
		defer cancel()
	}
	priced, err := Price(exact, f, kinds, policy, rule.Limits{Branches: QuoteBranches})
	var large *rule.LimitError
	if !errors.As(err, &large) && (exact.Err() == nil || ctx.Err() != nil) {
		return priced, err
	}
	return simulate(simulated, f, kinds, policy, dice.NewStream([32]byte{}), QuoteRuns, leastRuns)
}
