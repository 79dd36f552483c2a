package projection

import (
	"context"
	"errors"
	"maps"
	"slices"

	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Best computes the odds of the whole move under choices. It doesn't enumerate what follows after
// the outcome.
func Best(a act.Attempt, ctx context.Context, c request.Choices, decides func(to string) bool) (*odds.Odds, error) {
	ends := func(event rule.Event) (rule.Outcome, bool) { return ends((&state.Move{Actor: a.Scene.Actor}), event) }
	ahead := rule.Lookahead[rule.Outcome]{
		Policy: rule.Policy{}, Decides: decides, End: ends,
	}
	if c.Aim != "" {
		aim, ok := a.Def.Aim(c.Aim)
		if !ok {
			var allowed []string
			for _, aim := range a.Def.Aims {
				allowed = append(allowed, aim.ID)
			}
			return nil, refusal.NoChoice("aim", c.Aim, allowed)
		}
		ahead.Aim = aim.Value
	}
	met := map[string]*bool{}
	for id, answer := range c.Answers {
		met[id] = new(bool)
		ahead.Policy[id] = rule.Given{JSON: answer, Met: met[id]}
	}
	best, err := odds.Best(ctx, a.Def.Play(a.Known, a.Args), kindsOf(a), ahead)
	if err != nil {
		return nil, bestError(err)
	}
	for _, id := range slices.Sorted(maps.Keys(met)) {
		if !*met[id] {
			return nil, refusal.Within("choices",
				&game.Refusal{Word: "table.refusal.no-question", Data: map[string]any{"Given": refusal.Brief(id)}})
		}
	}
	return best, nil
}

// bestError returns why there are no odds under choices.
func bestError(err error) error {
	if given, ok := errors.AsType[*rule.GivenError](err); ok {
		if problems, ok := errors.AsType[form.Problems](given.Err); ok {
			return refusal.Within("choices."+given.Question, problems)
		}
		return refusal.Within("choices", given.Err)
	}
	switch {
	case errors.As(err, new(*rule.FreeError)):
		return refusal.Refuse("no-odds", nil)
	case errors.As(err, new(*rule.LimitError)):
		return refusal.Refuse("many-choices", nil)
	case errors.As(err, new(*rule.TogetherError)):
		return refusal.Refuse("blind-choices", nil)
	}
	return &refusal.UnavailableError{Err: err}
}

// PreviewMove returns what the seat may know of an attempt whose odds it may ask for.
func PreviewMove(ctx context.Context, a act.Attempt) (before view.Preview, err error) {
	before.Sources, before.Stripped = a.Def.Sources(a.Known, a.Args), a.Def.Strip(a.Known, a.Args)
	if a.Def.Price == nil {
		return before, nil
	}
	if before.Odds, err = Odds(a, ctx, a.Args); err != nil {
		return view.Preview{}, err
	}
	if f := a.Def.Form.For(form.AtTable); f.WithoutAssumed() != f {
		before.Assumed = visibility.WithoutSheet(a.Known)
	}
	if before.Odds.Runs == 0 { // if one is too large, the others would be, too
		for _, v := range a.Def.Variants(a.Known, a.Args) {
			priced, err := Odds(a, ctx, v.Args)
			if errors.As(err, new(*odds.LargeError)) { // together with all before it
				break
			}
			if err != nil {
				return view.Preview{}, err
			}
			before.Variants = append(before.Variants,
				view.Compared{Word: v.Word, Data: v.Data, Step: v.Step, Odds: priced})
		}
	}
	before.Pools, err = a.Pools()
	return before, err
}

// Odds computes the odds of the move with these arguments.
func Odds(a act.Attempt, ctx context.Context, args any) (*odds.Odds, error) {
	if a.Def.Price == nil {
		return nil, refusal.Refuse("no-odds", nil)
	}
	priced, err := odds.Quote(ctx, a.Def.Price(a.Known, args), kindsOf(a), rule.Policy{})
	switch {
	case errors.As(err, new(*rule.FreeError)):
		return nil, refusal.Refuse("no-odds", nil)
	case err != nil:
		return nil, &refusal.UnavailableError{Err: err}
	}
	return priced, nil
}

// kindsOf returns the possible outcomes of the move.
func kindsOf(a act.Attempt) []odds.Kind {
	kinds := make([]odds.Kind, len(a.Def.Outcomes))
	for i, o := range a.Def.Outcomes {
		kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
	}
	return kinds
}
