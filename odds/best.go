package odds

import (
	"context"
	"math/big"

	"norn/rule"
)

// Best returns the odds of a rule whose questions get the best answers; the policy is in
// Odds.Policy. Its cost is bounded by ahead.Limits.Branches, or, if that is 0, by what one question
// may cost; see WithSharedBudget.
//
// The context replaces ahead.Limits.Stop. Errors are those of rule.Lookahead and of the context,
// and a *LargeError.
func Best(ctx context.Context, f func(*rule.Run) rule.Outcome, kinds []Kind, ahead rule.Lookahead[rule.Outcome]) (*Odds,
	error,
) {
	b, spent := budgetOf(ctx), 0
	ahead.Limits.Stop, ahead.Limits.Spent = yielding(ctx), &spent
	quoted := ahead.Limits.Branches == 0
	if quoted {
		if b.branches <= 0 {
			return nil, &rule.LimitError{}
		}
		ahead.Limits.Branches = b.branches
	}
	prospect, err := ahead.Walk(f)
	b.branches -= spent
	if err == nil && quoted {
		err = b.rows(prospect.Law)
	}
	if err != nil {
		return nil, err
	}
	odds := Of(prospect.Law, kinds)
	if ahead.Aim != nil {
		odds.Policy = &Policy{Worth: prospect.Worth, Taken: prospect.Choices, Assumed: prospect.Assumed}
	}
	return odds, nil
}

// Policy lists the best choices of a rule and what they are worth.
type Policy struct {
	Worth   *big.Rat          // the aim's expected value
	Taken   []rule.BestChoice // best choices, in the order in which they come up
	Assumed []string          // questions with too many answers to try
}
