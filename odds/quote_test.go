package odds_test

import (
	"context"
	"errors"
	"math/big"
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

// With little time there are fewer throws; with none nobody is kept waiting.
func TestQuoteEndsWithItsContext(t *testing.T) {
	slow := func(r *rule.Run) rule.Outcome {
		time.Sleep(time.Millisecond)
		return wide(r)
	}
	for _, c := range []struct {
		what string
		rule func(*rule.Run) rule.Outcome
		wait time.Duration
		runs bool
	}{{"some time", wide, 300 * time.Millisecond, true}, {"too little", slow, 20 * time.Millisecond, false}} {
		soon, cancel := context.WithTimeout(t.Context(), c.wait)
		began := time.Now()
		priced, err := odds.Quote(soon, c.rule, twoKinds, rule.Policy{})
		cancel()
		if c.runs && (err != nil || priced.Runs < 500) || !c.runs && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, %v", c.what, priced, err)
		}
		if c.runs && err == nil {
			sum := new(big.Rat)
			for _, row := range priced.Rows {
				sum.Add(sum, row.P)
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("%s: the chances sum to %v", c.what, sum)
			}
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s: took %v", c.what, took)
		}
	}
}
