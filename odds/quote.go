package odds

import (
	"context"
	"errors"

	"norn/rule"
)

// Quote computes odds for a person who is waiting: exactly if that fits into what one question may
// cost, otherwise by a simulation of Odds.Runs runs. A simulation always throws the same dice, so
// the same question gets the same answer. In a context of WithFractions it never simulates. Errors are
// those of Price except *rule.LimitError, and a *LargeError if no way fits.
func Quote(ctx context.Context, f func(*rule.Run) rule.Outcome, kinds []Kind, policy rule.Policy) (*Odds, error) {
	b := budgetOf(ctx)
	var granted []Granted // the answers assumed so far, even if the walk is too long to finish
	law, err := b.walk(ctx, f, policy, &granted)
	short := false
	if err == nil {
		if err = b.rows(law); err != nil && !wantsFractions(ctx) && b.rounds(law) {
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
	if wantsFractions(ctx) {
		if large == nil {
			large = &LargeError{What: LargeSteps, Most: QuoteBranches}
		}
		return nil, large
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
	odds.Asked = b.asked
	return odds, nil
}
