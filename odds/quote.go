package odds

import (
	"context"
	"errors"

	"norn/rule"
)

// Quote prices for somebody who waits: exactly where that fits into what one question may cost, else by throws, always
// of the same dice, so that who asks again is told the same. Odds.Runs tells how many. Errors are
// those of Price but for *rule.LimitError, and a *LargeError for what doesn't fit in either way.
func Quote(ctx context.Context, f func(*rule.Run) rule.Outcome, kinds []Kind, policy rule.Policy) (*Odds, error) {
	b := budgetOf(ctx)
	var granted []Granted // by whatever the walk has come to, if it's too long
	law, err := b.walk(ctx, f, policy, &granted)
	short := false
	if err == nil {
		if err = b.rows(law); err != nil && ctx.Value(fractionsKey{}) == nil && b.rounds(law) {
			law, short = roundLaw(law), true
			err = b.rows(law)
		}
	}
	if err == nil {
		odds := Of(law, kinds)
		odds.Rounded = short
		odds.Granted = granted
		return odds, nil
	}
	var (
		long  *rule.LimitError
		large *LargeError
	)
	if !errors.As(err, &long) && !errors.As(err, &large) {
		return nil, err
	}
	law, err = b.simulate(ctx, f, policy)
	if err == nil {
		err = b.rows(law)
	}
	if err != nil {
		return nil, err
	}
	odds := Of(law, kinds)
	odds.Granted = granted
	odds.Runs = int(law.Total.Big().Int64())
	return odds, nil
}
