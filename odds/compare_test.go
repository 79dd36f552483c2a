package odds_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/distribution"
	"norn/odds"
	"norn/rule"
)

var twoKinds = []odds.Kind{{ID: "hit", Counts: true}, {ID: "miss"}}

// law returns odds of hits by their n, in twelfths; the rest are misses.
func law(hits map[int]uint64) *odds.Odds {
	var mix distribution.Mix[rule.Outcome]
	left := uint64(12)
	for n, parts := range hits {
		mix.Add(rule.Outcome{ID: "hit", N: n}, distribution.W(parts), distribution.W(12))
		left -= parts
	}
	if left > 0 {
		mix.Add(rule.Outcome{ID: "miss"}, distribution.W(left), distribution.W(12))
	}
	return odds.Of(mix.Law(), twoKinds)
}

func TestCompareAlignsRowsOfAllSides(t *testing.T) {
	c := odds.Compare(twoKinds, law(map[int]uint64{1: 6, 3: 3}), law(map[int]uint64{2: 12}),
		law(map[int]uint64{1: 1, 2: 1}))
	var b strings.Builder
	for _, row := range c.Rows {
		b.WriteString(row.Outcome)
		for side, p := range row.P {
			b.WriteString(" " + p.RatString() + " (" + row.Difference(side).RatString() + ")")
		}
		b.WriteString("\n")
	}
	const want = `hit 1/2 (0) 0 (-1/2) 1/12 (-5/12)
hit 0 (0) 1 (1) 1/12 (1/12)
hit 1/4 (0) 0 (-1/4) 0 (-1/4)
miss 1/4 (0) 0 (-1/4) 5/6 (7/12)
`
	if b.String() != want {
		t.Errorf("lined up:\n%swant:\n%s", b.String(), want)
	}
}

// Each side keeps its own chances, and each row occurs once.
func TestCompareKeepsTheChancesOfEachSide(t *testing.T) {
	side := rapid.Custom(func(t *rapid.T) *odds.Odds {
		hits, left := map[int]uint64{}, uint64(12)
		for n := range rapid.IntRange(0, 4).Draw(t, "hits") {
			parts := rapid.Uint64Range(0, left).Draw(t, "parts")
			if parts > 0 {
				hits[n*rapid.IntRange(1, 3).Draw(t, "step")] = 0
			}
		}
		for n := range hits {
			hits[n] = rapid.Uint64Range(1, max(1, left/8)).Draw(t, "weight")
			left -= hits[n]
		}
		return law(hits)
	})
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(side, 1, 5).Draw(t, "sides")
		c := odds.Compare(twoKinds, sides...)
		seen := map[rule.Outcome]bool{}
		sums := make([]*big.Rat, len(sides))
		for i := range sums {
			sums[i] = new(big.Rat)
		}
		for _, row := range c.Rows {
			key := rule.Outcome{ID: row.Outcome, N: row.N}
			if seen[key] {
				t.Fatalf("%v stands twice", key)
			}
			seen[key] = true
			for i, p := range row.P {
				sums[i].Add(sums[i], p)
				want := new(big.Rat)
				for _, r := range sides[i].Rows {
					if r.Outcome == row.Outcome && r.N == row.N {
						want = r.P
					}
				}
				if p.Cmp(want) != 0 {
					t.Fatalf("%v on side %d: %v, want %v", key, i, p, want)
				}
			}
		}
		for i, sum := range sums {
			if sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Fatalf("side %d sums to %v", i, sum)
			}
		}
	})
}

func TestCSVHasFractionsAndProbabilities(t *testing.T) {
	var one, both strings.Builder
	a, b := law(map[int]uint64{1: 3}), law(map[int]uint64{2: 12})
	if err := a.CSV(&one); err != nil {
		t.Fatal(err)
	}
	if want := "outcome,n,fraction,probability\nhit,1,1/4,0.25\nmiss,,3/4,0.75\n"; one.String() != want {
		t.Errorf("%q, want %q", one.String(), want)
	}
	if err := odds.Compare(twoKinds, a, b).CSV(&both, []string{"x=1", "x=2"}); err != nil {
		t.Fatal(err)
	}
	if want := "setting,outcome,n,fraction,probability\nx=1,hit,1,1/4,0.25\nx=1,miss,,3/4,0.75\nx=2,hit,2,1,1\n"; both.String() != want {
		t.Errorf("%q, want %q", both.String(), want)
	}
}
