package bare

import (
	"context"
	"errors"

	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Best returns the throw's odds with the best answers, for one of its move's aims, to all questions
// during the move that given doesn't answer; without an aim they get their usual answers. Odds.Policy
// lists the best ones. Errors are form.Problems for an aim that the move doesn't have, *game.Refusal if
// the best answers can't be found, *rule.GivenError, *odds.LargeError, and that of the context.
func (t Throw) Best(ctx context.Context, aim string, given rule.Policy) (*odds.Odds, error) {
	if given == nil {
		given = rule.Policy{}
	}
	if aim == "" {
		return odds.Quote(ctx, t.Rule(), t.Kinds(), given)
	}
	wanted, ok := t.Move.Aim(aim)
	if !ok {
		unknown := form.Problem{Path: "aim", Code: form.NoChoice, Given: aim}
		for _, aim := range t.Move.Aims {
			unknown.Allowed = append(unknown.Allowed, aim.ID)
		}
		return nil, form.Problems{unknown}
	}
	best, err := t.ahead(ctx, wanted, given, 0)
	var (
		large    *rule.LimitError
		together *rule.TogetherError
	)
	switch {
	case errors.As(err, &large):
		return nil, game.Refuse("", "bare.refusal.many-choices")
	case errors.As(err, &together):
		return nil, game.Refuse("", "bare.refusal.blind-choices")
	}
	return best, err
}

func (t Throw) ahead(ctx context.Context, aim game.Aim, given rule.Policy, branches int) (*odds.Odds, error) {
	return odds.Best(ctx, t.Rule(), t.Kinds(), rule.Lookahead[rule.Outcome]{
		Policy: given, Aim: aim.Value, Limits: rule.Limits{Branches: branches},
	})
}

// Chooses reports whether a short lookahead finds a choice during the throw.
func (t Throw) Chooses(ctx context.Context) bool {
	const shortly = 5_000
	for _, aim := range t.Move.Aims {
		if best, err := t.ahead(ctx, aim, rule.Policy{}, shortly); err == nil && len(best.Policy.Taken) > 0 {
			return true
		}
	}
	return false
}
