package odds_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"norn/dice"
	"norn/odds"
	"norn/rule"
)

// pools throws several pools of dice and adds them up.
func pools(n, size, sides int) func(*rule.Run) rule.Outcome {
	return func(r *rule.Run) rule.Outcome {
		total := 0
		for range n {
			total += r.Sum(dice.Pool{N: size, Sides: sides})
		}
		return rule.Outcome{ID: "hit", N: total}
	}
}

// Rows with very long numbers cost too much, even with few branches.
func TestOddsWithTooManyDigitsAreSimulated(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	for _, c := range []struct {
		size, sides int
		exact       bool
	}{{100, 6, true}, {10, 1000, true}, {300, 10, true}, {100, 1000, false}, {1000, 100, false}} {
		priced, err := odds.Quote(t.Context(), pools(1, c.size, c.sides), twoKinds, nil)
		if err != nil || c.exact != (priced.Runs == 0) {
			t.Fatalf("%dd%d: %v", c.size, c.sides, err)
		}
		digits, sum := 0, new(big.Rat)
		for _, row := range priced.Rows {
			sum.Add(sum, row.P)
			digits += len(row.P.RatString())
		}
		if digits > 5_000_000 || len(priced.Rows) > 30_000 {
			t.Errorf("%dd%d: %d digits in %d rows", c.size, c.sides, digits, len(priced.Rows))
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%dd%d: the chances sum to %v", c.size, c.sides, sum)
		}
	}
}

// Several odds are one question: each gets its share of the dice, and what one has used the others
// can't.
func TestOddsOfOneQuestionShareABudget(t *testing.T) {
	price := func(ctx context.Context, n int) (runs int, err error) {
		priced, err := odds.Quote(ctx, pools(n, 1000, 1000), twoKinds, nil)
		if err != nil {
			return 0, err
		}
		return priced.Runs, nil
	}
	question := odds.WithSharedBudget(t.Context())
	var first int
	for left := 6; left > 0; left-- {
		runs, err := price(odds.Share(question, left), 1)
		if err != nil || runs < 500 || first != 0 && max(runs-first, first-runs) > 10 {
			t.Errorf("with %d to come: %d runs, %v", left, runs, err)
		}
		first = max(first, runs)
	}
	var large *odds.LargeError
	if runs, err := price(question, 1); !errors.As(err, &large) || large.What != odds.LargeDice {
		t.Errorf("beyond: %d runs, %v", runs, err)
	}
	if runs, err := price(t.Context(), 1); err != nil || runs <= 4*first {
		t.Errorf("another question: %d runs, %v", runs, err)
	}
	_, err := price(t.Context(), 20)
	if !errors.As(err, &large) || large.Asked != 20_000 || large.Most < 5_000 || large.Most >= 20_000 {
		t.Fatalf("20,000 dice: %v", err)
	}
	if runs, err := price(t.Context(), large.Most/1000); err != nil || runs < 500 {
		t.Errorf("what would fit doesn't: %d runs, %v", runs, err)
	}
}

// The answer doesn't depend on how much time there was.
func TestRepeatedQuoteHasTheSameRunsAndRows(t *testing.T) {
	for name, f := range map[string]func(*rule.Run) rule.Outcome{
		"walked": pools(2, 60, 6), "thrown": pools(3, 40, 20),
		"wide": wide,
	} {
		var runs []int
		for range 2 {
			priced, err := odds.Quote(t.Context(), f, twoKinds, nil)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, priced.Runs, len(priced.Rows))
		}
		if runs[0] != runs[2] || runs[1] != runs[3] {
			t.Errorf("%s: runs and rows %v", name, runs)
		}
	}
}
