package odds_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"norn/dice"
	"norn/odds"
	"norn/rule"
)

// wide has so many branches that no walk of it ends.
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

// A cancelled request isn't computed any further.
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

// The fractions of a thousand dice are too long: their chances have twelve digits and sum to 1.
func TestQuoteRoundsFractionsThatAreTooLong(t *testing.T) {
	e, err := dice.Parse("1000d6")
	if err != nil {
		t.Fatal(err)
	}
	kinds := []odds.Kind{{ID: rule.Total, Counts: true}}
	quoted, err := odds.Quote(t.Context(), rule.Notation(e), kinds, rule.Policy{})
	if err != nil || quoted.Runs != 0 || !quoted.Rounded {
		t.Fatalf("%+v, %v", quoted, err)
	}
	exact, err := odds.Price(t.Context(), rule.Notation(e), kinds, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sum := new(big.Rat)
	for _, row := range quoted.Rows {
		sum.Add(sum, row.P)
		if got, want := quoted.Text(row.P),
			exact.Rows[row.N-1000].P.FloatString(12); strings.TrimRight(want, "0") != got && row.N != 3500 {
			t.Errorf("%d: %s, want %s", row.N, got, want)
		}
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("chances make %s", sum.FloatString(15))
	}
	long, err := odds.Quote(odds.WithFractions(t.Context(), true), rule.Notation(e), kinds, rule.Policy{})
	if err != nil || long.Rounded || long.Runs != 0 {
		t.Fatalf("asked for fractions: %v, %v", long, err)
	}
	for i, row := range long.Rows {
		if row.P.Cmp(exact.Rows[i].P) != 0 {
			t.Fatalf("%d: %s, want %s", row.N, row.P, exact.Rows[i].P)
		}
	}
}

// What is asked for as fractions is never simulated or rounded, but refused.
func TestQuoteRefusesFractionsThatDoNotFit(t *testing.T) {
	kinds := []odds.Kind{{ID: rule.Total, Counts: true}}
	for text, want := range map[string]string{"1000d12": odds.LargeRows, "1000d6": ""} {
		e, err := dice.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		shared := odds.WithSharedBudget(odds.WithFractions(t.Context(), true))
		_, err = odds.Quote(shared, rule.Notation(e), kinds, rule.Policy{})
		if large, _ := errors.AsType[*odds.LargeError](err); (large == nil) != (want == "") ||
			large != nil && (large.What != want || large.Most == 0 || large.Most >= large.Asked) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	_, err := odds.Quote(odds.WithFractions(t.Context(), true), wide, twoKinds, rule.Policy{})
	if large, ok := errors.AsType[*odds.LargeError](err); !ok || large.What != odds.LargeSteps ||
		large.Most != odds.QuoteBranches {
		t.Errorf("too many steps: %v", err)
	}
}
