package edda

import (
	"fmt"
	"math/big"
	"testing"

	"norn/distribution"
	"norn/game"
	"norn/rule"
)

// law walks a bare move.
func law(t *testing.T, m game.Move, args any) *distribution.Law[rule.Outcome] {
	t.Helper()
	l, err := rule.Walk(m.Price(game.Scene{Settings: Settings{}}, args), nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// perDie holds the chances of a die: 1/3 for a success, and 5/9 if an effort is always made.
var perDie = map[string][2]int64{"never": {1, 2}, "always": {5, 4}}

// sided returns the chance of k successes of n dice.
func sided(n, k int, effort string) *big.Rat {
	p := perDie[effort]
	if k < 0 || k > max(0, n) {
		return new(big.Rat)
	}
	all := new(big.Int).Exp(big.NewInt(p[0]+p[1]), big.NewInt(int64(max(0, n))), nil)
	return new(big.Rat).SetFrac(binomial(n, p[0], p[1])[k], all)
}

// The reference is the closed form. ED-03, ED-04, ED-15
func TestActionOddsMatchTheClosedForm(t *testing.T) {
	for pool := -2; pool <= 12; pool++ {
		for complexity := 0; complexity <= 4; complexity++ {
			for _, effort := range []string{"never", "always"} {
				l := law(t, actMove, Act{Pool: pool, Complexity: complexity, Effort: effort})
				for k := 0; k <= max(0, pool); k++ {
					want := rule.Outcome{ID: "fiasco", N: k}
					if k >= complexity {
						want.ID = "success"
					}
					if got, p := l.Of(want), sided(pool, k, effort); got.Cmp(p) != 0 {
						t.Errorf(
							"pool %d, complexity %d, effort %s: %v is %v, want %v",
							pool,
							complexity,
							effort,
							want,
							got,
							p,
						)
					}
				}
			}
		}
	}
}

// An effort only against a fiasco doesn't change successes. ED-15
func TestEffortAgainstAFiascoLeavesSuccessesUnchanged(t *testing.T) {
	const pool, complexity = 5, 2
	l := law(t, actMove, Act{Pool: pool, Complexity: complexity, Effort: "fiasco"})
	for n := 0; n <= pool; n++ {
		want := new(big.Rat)
		if n >= complexity {
			want.Add(want, sided(pool, n, "never"))
		}
		for first := 0; first < complexity; first++ {
			want.Add(want, new(big.Rat).Mul(sided(pool, first, "never"), sided(pool-first, n-first, "never")))
		}
		if got := l.Of(outcomeOf(n, complexity)); got.Cmp(want) != 0 {
			t.Errorf("%d successes: %v, want %v", n, got, want)
		}
	}
}

// The reference is the difference of both sides. ED-05
func TestContestOddsMatchTheDifferenceOfBothSides(t *testing.T) {
	for _, c := range []Contest{
		{Pool: 6, AgainstPool: 5, Effort: "always", AgainstEffort: "always"},
		{Pool: 6, AgainstPool: 5, Effort: "never", AgainstEffort: "always"},
		{Pool: 0, AgainstPool: 3, Effort: "always", AgainstEffort: "never"},
		{Pool: -1, AgainstPool: -2},
		eighteen,
	} {
		if c.Effort == "" {
			c.Effort, c.AgainstEffort = "never", "never"
		}
		name := fmt.Sprintf("%d dice, effort %s, against %d, effort %s", c.Pool, c.Effort, c.AgainstPool, c.AgainstEffort)
		t.Run(name, func(t *testing.T) {
			want := map[rule.Outcome]*big.Rat{}
			for mine := 0; mine <= max(0, c.Pool); mine++ {
				for theirs := 0; theirs <= max(0, c.AgainstPool); theirs++ {
					o := cancel(mine, theirs)
					if want[o] == nil {
						want[o] = new(big.Rat)
					}
					want[o].Add(
						want[o],
						new(big.Rat).Mul(sided(c.Pool, mine, c.Effort), sided(c.AgainstPool, theirs, c.AgainstEffort)),
					)
				}
			}
			l := law(t, contestMove, c)
			if len(l.Values) != len(want) {
				t.Errorf("%d outcomes, want %d", len(l.Values), len(want))
			}
			for o, p := range want {
				if got := l.Of(o); got.Cmp(p) != 0 {
					t.Errorf("%v is %v, want %v", o, got, p)
				}
			}
		})
	}
}

// The second of two attempts is made only after a fiasco, and there is only one effort. ED-04,
// ED-15
func TestTheSecondAttemptComesOnlyAfterAFiasco(t *testing.T) {
	s := game.Scene{Actor: "anna", Settings: Settings{}, Cast: map[string]game.Member{
		"anna": {ID: "anna", Kind: "hero", Sheet: Hero{Strengths: []Strength{{Name: "Climbing", Steps: 3}}}},
	}}
	a := Act{Action: Action{Strengths: refsOf("0")}, Complexity: 2, Attempts: 2, Effort: "always"}
	l, err := rule.Walk(actMove.Price(s, a), nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	first := new(
		big.Rat,
	).Add(
		sided(3, 0, "always"),
		sided(3, 1, "always"),
	) // an effort, always: there was a die to throw again
	for n := 0; n <= 3; n++ {
		want := new(big.Rat)
		if n <= 2 { // ED-04: the fatigue of the effort takes a die
			want.Mul(first, sided(2, n, "never"))
		}
		if n >= 2 {
			want.Add(want, sided(3, n, "always"))
		}
		if got := l.Of(outcomeOf(n, 2)); got.Cmp(want) != 0 {
			t.Errorf("%d successes: %v, want %v", n, got, want)
		}
	}
}

// The reference is the combination of all throws. ED-09
func TestJointWorkOddsMatchAllThrowsCombined(t *testing.T) {
	l := law(t, jointMove, Joint{Pool: 2, Others: []int{1}, Complexity: 1, Each: 1, Effort: "never"})
	want := map[int]*big.Rat{}
	for mine := 0; mine <= 2; mine++ {
		for theirs := 0; theirs <= 1; theirs++ {
			n := mine + theirs
			if mine == 0 {
				n -= 3
			}
			if theirs == 0 {
				n -= 3
			}
			if want[n] == nil {
				want[n] = new(big.Rat)
			}
			want[n].Add(want[n], new(big.Rat).Mul(sided(2, mine, "never"), sided(1, theirs, "never")))
		}
	}
	for n, p := range want {
		if got := l.Of(outcomeOf(n, 1)); got.Cmp(p) != 0 {
			t.Errorf("%d: %v, want %v", n, got, p)
		}
	}
}
