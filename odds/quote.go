package odds

import (
	"context"
	"errors"

	"norn/dice"
	"norn/rule"
)

// What a quote may cost: an exact walk of a second or so, else so many throws.
const (
	QuoteBranches = 300_000
	QuoteRuns     = 20_000
)

// Quote prices for somebody who waits: exactly where a walk needs no more than
// QuoteBranches, else by QuoteRuns throws, always with the same dice, so that
// who asks again is told the same. Odds.Runs tells which. Errors are those of
// Price and Simulate but for *rule.LimitError.
func Quote(ctx context.Context, f func(*rule.Run) rule.Outcome, kinds []Kind, policy rule.Policy) (*Odds, error) {
	priced, err := Price(ctx, f, kinds, policy, rule.Limits{Branches: QuoteBranches})
	var large *rule.LimitError
	if errors.As(err, &large) {
		return Simulate(ctx, f, kinds, policy, dice.NewStream([32]byte{}), QuoteRuns)
	}
	return priced, err
}
