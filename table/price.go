package table

import (
	"context"
	"errors"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Compared are the odds of another way to make a move.
type Compared struct {
	Word string         // id of its short name
	Data map[string]any // the name's data
	Step bool           // the same move broken off sooner
	Odds *odds.Odds
}

// Before is what is known of a move before it's made.
type Before struct {
	Odds     *odds.Odds // nil for a move without chance
	Variants []Compared // other ways to make it
	Sources  []game.Source
	Assumed  []string   // characters whose sheets the seat doesn't see, where the odds assume what stands there
	Pool     *dice.Pool // its first throw, nil if it throws nothing at first
	Stripped any        // its arguments without a table, as near as the seat can tell
}

// foreseen is what is known of an attempt whose odds may be asked for.
func foreseen(ctx context.Context, a attempt) (before Before, err error) {
	before.Sources, before.Stripped = a.def.Sources(a.known, a.args), a.def.Strip(a.known, a.args)
	if a.def.Price == nil {
		return before, nil
	}
	if before.Odds, err = priceOf(a, ctx, a.args); err != nil {
		return Before{}, err
	}
	if f := a.def.Form.For(form.AtTable); f.Stated() != f {
		before.Assumed = unseen(a.known)
	}
	if before.Odds.Runs == 0 { // what is too large once would be so for each
		for _, v := range a.def.Variants(a.known, a.args) {
			priced, err := priceOf(a, ctx, v.Args)
			if large := (*odds.LargeError)(nil); errors.As(err, &large) { // with all before it
				break
			}
			if err != nil {
				return Before{}, err
			}
			before.Variants = append(before.Variants, Compared{v.Word, v.Data, v.Step, priced})
		}
	}
	before.Pool, err = poolOf(a)
	return before, err
}

// seesOdds tells whether the seat may ask for a move's odds.
func (e eye) seesOdds(def *game.Move) bool {
	return def.Price != nil && (def == &game.Plain || e.st.game.View.SeesOdds(e.viewer, e.st.settings, def.ID))
}

// price prices the move with these arguments.
func priceOf(a attempt, ctx context.Context, args any) (*odds.Odds, error) {
	if a.def.Price == nil {
		return nil, refused("no-odds", nil)
	}
	priced, err := odds.Quote(ctx, a.def.Price(a.known, args), kindsOf(a), rule.Policy{})
	var free *rule.FreeError
	switch {
	case errors.As(err, &free):
		return nil, refused("no-odds", nil)
	case err != nil:
		return nil, &UnavailableError{err}
	}
	return priced, nil
}

// kinds are the ways in which the move comes out.
func kindsOf(a attempt) []odds.Kind {
	kinds := make([]odds.Kind, len(a.def.Outcomes))
	for i, o := range a.def.Outcomes {
		kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
	}
	return kinds
}

// pool is the move's first throw.
func poolOf(a attempt) (*dice.Pool, error) {
	result, err := rule.Play(a.def.Price(a.known, a.args), rule.Options{Source: rule.ByHand(dice.NewHand(nil), true)})
	if err != nil {
		return nil, &UnavailableError{err}
	}
	for _, open := range result.Open {
		if open.Dice != nil {
			return open.Dice, nil
		}
	}
	return nil, nil
}
