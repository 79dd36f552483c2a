package projection

import (
	"context"
	"errors"
	"maps"
	"slices"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
	"norn/table/internal/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Best prices the whole move under choices. What follows after it's known how
// it came out isn't walked.
func Best(a act.Attempt, ctx context.Context, c request.Choices, decides func(to string) bool) (*odds.Odds, error) {
	ends := func(event rule.Event) (rule.Outcome, bool) { return ends((&state.Move{Actor: a.Scene.Actor}), event) }
	ahead := rule.Ahead[rule.Outcome]{
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
		return nil, unbest(err)
	}
	for _, id := range slices.Sorted(maps.Keys(met)) {
		if !*met[id] {
			return nil, refusal.Within("choices", &game.Refusal{Word: "table.refusal.no-question", Data: map[string]any{"Given": refusal.Brief(id)}})
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
		return refusal.Within("choices."+given.Question, problems)
	case errors.As(err, &given):
		return refusal.Within("choices", given.Err)
	case errors.As(err, &free):
		return refusal.Refuse("no-odds", nil)
	case errors.As(err, &large):
		return refusal.Refuse("many-choices", nil)
	case errors.As(err, &together):
		return refusal.Refuse("blind-choices", nil)
	}
	return &refusal.UnavailableError{Err: err}
}

// BeforeMove is what is known of an attempt whose odds may be asked for.
func BeforeMove(ctx context.Context, a act.Attempt) (before view.Before, err error) {
	before.Sources, before.Stripped = a.Def.Sources(a.Known, a.Args), a.Def.Strip(a.Known, a.Args)
	if a.Def.Price == nil {
		return before, nil
	}
	if before.Odds, err = Odds(a, ctx, a.Args); err != nil {
		return view.Before{}, err
	}
	if f := a.Def.Form.For(form.AtTable); f.Stated() != f {
		before.Assumed = visibility.Assumed(a.Known)
	}
	if before.Odds.Runs == 0 { // what is too large once would be so for each
		for _, v := range a.Def.Variants(a.Known, a.Args) {
			priced, err := Odds(a, ctx, v.Args)
			if large := (*odds.LargeError)(nil); errors.As(err, &large) { // with all before it
				break
			}
			if err != nil {
				return view.Before{}, err
			}
			before.Variants = append(before.Variants, view.Compared{Word: v.Word, Data: v.Data, Step: v.Step, Odds: priced})
		}
	}
	before.Pool, err = poolOf(a)
	return before, err
}

// Odds prices the move with these arguments.
func Odds(a act.Attempt, ctx context.Context, args any) (*odds.Odds, error) {
	if a.Def.Price == nil {
		return nil, refusal.Refuse("no-odds", nil)
	}
	priced, err := odds.Quote(ctx, a.Def.Price(a.Known, args), kindsOf(a), rule.Policy{})
	var free *rule.FreeError
	switch {
	case errors.As(err, &free):
		return nil, refusal.Refuse("no-odds", nil)
	case err != nil:
		return nil, &refusal.UnavailableError{Err: err}
	}
	return priced, nil
}

// kindsOf are the ways in which the move comes out.
func kindsOf(a act.Attempt) []odds.Kind {
	kinds := make([]odds.Kind, len(a.Def.Outcomes))
	for i, o := range a.Def.Outcomes {
		kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
	}
	return kinds
}

// poolOf is the move's first throw.
func poolOf(a act.Attempt) (*dice.Pool, error) {
	result, err := rule.Play(a.Def.Price(a.Known, a.Args), rule.Options{Source: rule.ByHand(dice.NewHand(nil), true)})
	if err != nil {
		return nil, &refusal.UnavailableError{Err: err}
	}
	for _, open := range result.Open {
		if open.Dice != nil {
			return open.Dice, nil
		}
	}
	return nil, nil
}
