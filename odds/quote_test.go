package odds_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"norn/dice"
	"norn/odds"
	"norn/rule"
)

// wide has so many branches that no walk ends.
func wide(r *rule.Run) rule.Outcome {
	n := 0
	for range 12 {
		n = 7*n + r.Sum(dice.Pool{N: 4, Sides: 20})
	}
	return rule.Outcome{ID: "hit", N: n % 3}
}

func TestQuoteSimulatesWhatIsTooLarge(t *testing.T) {
	narrow := func(r *rule.Run) rule.Outcome { return rule.Outcome{ID: "hit", N: r.Sum(dice.Pool{N: 1, Sides: 3})} }
	exact, err := odds.Quote(t.Context(), narrow, twoKinds, rule.Policy{})
	if err != nil || exact.Runs != 0 || len(exact.Rows) != 3 {
		t.Errorf("%v, %v", exact, err)
	}
	first, err := odds.Quote(t.Context(), wide, twoKinds, rule.Policy{})
	if err != nil || first.Runs != odds.QuoteRuns || first.StandardError(first.Rows[0]) <= 0 {
		t.Fatalf("%v, %v", first, err)
	}
	again, err := odds.Quote(t.Context(), wide, twoKinds, rule.Policy{})
	if err != nil || again.Rows[0].P.Cmp(first.Rows[0].P) != 0 {
		t.Errorf("asked again: %v after %v", again.Rows[0].P, first.Rows[0].P)
	}
}

// Whoever has gone isn't waited for.
func TestQuoteEndsWithItsContext(t *testing.T) {
	slow := func(r *rule.Run) rule.Outcome {
		time.Sleep(time.Millisecond) // a rule that takes its time
		return wide(r)
	}
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if priced, err := odds.Quote(soon, slow, twoKinds, rule.Policy{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, %v", priced, err)
	}
}
