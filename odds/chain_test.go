package odds_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"norn/dice"
	"norn/odds"
	"norn/rule"
)

// climb goes a step up on a five or six and a step down on a one.
func climb(r *rule.Run, height int) int {
	seen := r.Classes(dice.Pool{N: 1, Sides: 6}, dice.AtLeast(5), dice.Exactly(1))
	return max(0, height+seen[0]-seen[1])
}

func above(top int) func(int) bool { return func(height int) bool { return height >= top } }

func TestChainGivesTheOddsAfterEachStep(t *testing.T) {
	course, err := odds.Chain(t.Context(), 0, climb, above(2), 3, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		steps, height int
		want          string
	}{
		{0, 0, "1"},
		{1, 0, "2/3"},
		{1, 1, "1/3"},
		{2, 0, "1/2"},
		{2, 1, "7/18"},
		{2, 2, "1/9"}, // 2/3·2/3 + 1/3·1/6; 2/3·1/3 + 1/3·1/2; 1/3·1/3
		{3, 2, "13/54"},
		{9, 2, "13/54"}, // 1/9 + 7/18·1/3; past the end nothing changes
	} {
		want, _ := new(big.Rat).SetString(c.want)
		if got := course.At(c.steps).Of(c.height); got.Cmp(want) != 0 {
			t.Errorf("after %d steps height %d has the chance %v, want %v", c.steps, c.height, got, want)
		}
	}
	if got := course.FinishedBy(2); got.Cmp(big.NewRat(1, 9)) != 0 {
		t.Errorf("done by step 2: %v", got)
	}
	if got := course.Any(1, func(h int) bool { return h <= 1 }); got.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("on the ground or one up after a step: %v", got)
	}
}

// The rule in a loop, walked at once, is the reference.
func TestChainAgreesWithTheRuleInALoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps, top := rapid.IntRange(0, 5).Draw(t, "steps"), rapid.IntRange(1, 4).Draw(t, "top")
		loop := func(r *rule.Run) int {
			height := 0
			for range steps {
				if height < top {
					height = climb(r, height)
				}
			}
			return height
		}
		want, err := rule.Walk(loop, nil, rule.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for _, reverse := range []bool{false, true} {
			course, err := odds.Chain(context.Background(), 0, climb, above(top), steps, rule.Limits{Reverse: reverse})
			if err != nil {
				t.Fatal(err)
			}
			sum := new(big.Rat)
			for i, height := range course.At(steps).Values {
				p := course.At(steps).Chance(i)
				sum.Add(sum, p)
				if p.Cmp(want.Of(height)) != 0 {
					t.Fatalf("height %d: %v, in a loop %v", height, p, want.Of(height))
				}
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Fatalf("chances sum to %v", sum)
			}
		}
	})
}

func TestChainStopsOnceAllStatesAreDone(t *testing.T) {
	runs := 0
	down := func(_ *rule.Run, n int) int { runs++; return n - 1 }
	course, err := odds.Chain(t.Context(), 3, down, func(n int) bool { return n == 0 }, 1000, rule.Limits{})
	if err != nil || len(course.Laws) != 4 || runs != 3 {
		t.Errorf("%d laws after %d runs, %v", len(course.Laws), runs, err)
	}
}

func TestChainStopsAtItsLimitOrWhenCancelled(t *testing.T) {
	wide := func(r *rule.Run, n int) int { return n + r.Sum(dice.Pool{N: 3, Sides: 20}) }
	never := func(int) bool { return false }
	var limit *rule.LimitError
	if _, err := odds.Chain(t.Context(), 0, wide, never, 100, rule.Limits{Branches: 5000}); !errors.As(err, &limit) ||
		limit.Branches != 5000 {
		t.Errorf("a course past its branches: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := odds.Chain(gone, 0, wide, never, 100, rule.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a course that nobody waits for: %v", err)
	}
}
