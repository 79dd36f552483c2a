package rule_test

import (
	"errors"
	"hash/fnv"
	"slices"
	"testing"

	"norn/dice"
	"norn/distribution"
	"norn/rule"
)

// oddsOf are notations whose laws once were wrong, panicked or cost too much, and one of each kind.
var oddsOf = []string{
	// each face that a reroll leaves explodes, or none does
	"5d6kl3r<3!>2", "3d6kl2!>2r<4", "3d20kl2r<10!>9", "5d6!p>4dl4r>4", "4d6r<3!>2kh2", "2d6r<3!>2", "3d6!!>2r<3kl2",
	"3d6r<3!p>2 set", "4d10!=10r=10km2", "4d6!=6r=6 straight", "3d6r<3!p>2dh1", "3d6ro<3!>2kl2", "2d2r1!2kl1",
	// one of each kind
	"4d6kh3+2", "3d6!!kh2", "6d6!p set", "5d6 straight", "7d10>=6f1", "4dFkm2", "{2d6,1d12}kh1", "(1d4)d6!",
	"d20adv", "3d6! vs 2d8", "3x 2d6 8+", "d6 1-3 low, 4-6 high", "(2d6+3)*2/3", "d{1,1,2,5}",
}

// FuzzNotationOdds prices everything that parses, with the throw as its oracle: what falls has a
// chance, and the chances sum to 1.
func FuzzNotationOdds(f *testing.F) {
	for _, text := range oddsOf {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := dice.Parse(text)
		if err != nil {
			return
		}
		checkPriced(t, e)
	})
}

func TestOddsOfNotationHoldWhatIsThrown(t *testing.T) {
	for _, text := range oddsOf {
		t.Run(text, func(t *testing.T) {
			if checkPriced(t, parse(t, text)) == nil {
				t.Error("is too large")
			}
		})
	}
}

// checkPriced compares the odds of an expression with some throws. It returns nil for one that is
// too large for exact odds.
func checkPriced(t *testing.T, e dice.Expr) *distribution.Law[rule.Outcome] {
	t.Helper()
	law, err := rule.Walk(rule.Notation(e), nil, rule.Limits{Branches: 20_000})
	if limit := (*rule.LimitError)(nil); errors.As(err, &limit) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	sum := distribution.W(0)
	for i, w := range law.Weights {
		if w.IsZero() {
			t.Fatalf("%s: %v has no weight", e, law.Values[i])
		}
		sum = sum.Plus(w)
	}
	if sum.Cmp(law.Total) != 0 {
		t.Fatalf("%s: weights sum to %v of %v", e, sum, law.Total)
	}
	hash := fnv.New64()
	_, _ = hash.Write([]byte(e.String()))
	s := dice.NewStream([32]byte(hash.Sum(make([]byte, 24))))
	for range 5 {
		fell, err := rule.Simulate(rule.Notation(e), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(law.Values, fell) {
			t.Fatalf("%s: %v fell, which the odds don't hold", e, fell)
		}
	}
	return law
}
