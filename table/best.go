package table

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Choices say how questions in the middle of a move are answered in its odds;
// those it doesn't name get their standard answer.
type Choices struct {
	Aim     string                     // best answers for one of the move's aims, "" for none; see game.Aim
	Answers map[string]json.RawMessage // by the question's id
}

// best prices the whole move under choices. What follows after it's known how
// it came out isn't walked.
func bestOf(a attempt, ctx context.Context, c Choices, decides func(to string) bool) (*odds.Odds, error) {
	ends := func(event rule.Event) (rule.Outcome, bool) { return ends((&move{actor: a.scene.Actor}), event) }
	ahead := rule.Ahead[rule.Outcome]{
		Policy: rule.Policy{}, Decides: decides, End: ends,
	}
	if c.Aim != "" {
		aim, ok := a.def.Aim(c.Aim)
		if !ok {
			var allowed []string
			for _, aim := range a.def.Aims {
				allowed = append(allowed, aim.ID)
			}
			return nil, noChoice("aim", c.Aim, allowed)
		}
		ahead.Aim = aim.Value
	}
	met := map[string]*bool{}
	for id, answer := range c.Answers {
		met[id] = new(bool)
		ahead.Policy[id] = rule.Given{JSON: answer, Met: met[id]}
	}
	best, err := odds.Best(ctx, a.def.Play(a.known, a.args), kindsOf(a), ahead)
	if err != nil {
		return nil, unbest(err)
	}
	for _, id := range slices.Sorted(maps.Keys(met)) {
		if !*met[id] {
			return nil, within("choices", &game.Refusal{Word: "table.refusal.no-question", Data: map[string]any{"Given": brief(id)}})
		}
	}
	return best, nil
}

// unbest is why there are no odds under choices.
func unbest(err error) error {
	var (
		given    *rule.GivenError
		free     *rule.FreeError
		large    *rule.LimitError
		together *rule.TogetherError
		problems form.Problems
	)
	switch {
	case errors.As(err, &given) && errors.As(given.Err, &problems):
		return within("choices."+given.Question, problems)
	case errors.As(err, &given):
		return within("choices", given.Err)
	case errors.As(err, &free):
		return refused("no-odds", nil)
	case errors.As(err, &large):
		return refused("many-choices", nil)
	case errors.As(err, &together):
		return refused("blind-choices", nil)
	}
	return &UnavailableError{err}
}
