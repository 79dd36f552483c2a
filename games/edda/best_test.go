package edda

import (
	"math/big"
	"testing"

	"norn/game"
	"norn/rule"
)

// best walks a bare move with its best choices.
func best(t *testing.T, m game.Move, args any, aim string) *rule.Prospect[rule.Outcome] {
	t.Helper()
	a, ok := m.Aim(aim)
	if !ok {
		t.Fatalf("%s has no aim %s", m.ID, aim)
	}
	p, err := rule.Lookahead[rule.Outcome]{Aim: a.Value}.Walk(m.Price(game.Scene{Settings: Settings{}}, args))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// An effort for success equals one against a fiasco; one for successes is always made. ED-15
func TestBestEffortIsMadeOnlyWhereItHelps(t *testing.T) {
	for _, c := range []struct {
		aim, effort string
		worth       func(rule.Outcome) bool
	}{{"succeed", "fiasco", func(o rule.Outcome) bool { return o.ID == "success" }}, {"successes", "always", nil}} {
		args := Act{Pool: 5, Complexity: 2, Effort: "never"}
		got := best(t, actMove, args, c.aim)
		args.Effort = c.effort
		want := law(t, actMove, args)
		for i, o := range want.Values {
			if p := got.Law.Of(o); p.Cmp(want.Chance(i)) != 0 {
				t.Errorf("%s: %v is %v, with the effort %s %v", c.aim, o, p, c.effort, want.Chance(i))
			}
		}
	}
}

// The one special effort of several attempts is saved for the last one, or made earlier if more
// dice can be rerolled, as the recurrence says. ED-04, ED-15
func TestBestEffortOfSeveralAttemptsFollowsTheRecurrence(t *testing.T) {
	const whole, complexity = 4, 3
	var chance func(left int, spent bool) *big.Rat
	again := func(n, need int) *big.Rat { // of at least need successes
		p := new(big.Rat)
		for k := max(0, need); k <= n; k++ {
			p.Add(p, sided(n, k, "never"))
		}
		return p
	}
	chance = func(left int, spent bool) *big.Rat {
		p, pool := new(big.Rat), whole
		if spent { // ED-04: the condition that paid counts
			pool--
		}
		for hits := 0; hits <= pool; hits++ {
			value := big.NewRat(1, 1)
			if hits < complexity {
				next := func(spent bool) *big.Rat {
					if left == 1 {
						return new(big.Rat)
					}
					return chance(left-1, spent)
				}
				value = next(spent)
				if !spent {
					fails := new(big.Rat).Sub(big.NewRat(1, 1), again(pool-hits, complexity-hits))
					effort := new(big.Rat).Add(again(pool-hits, complexity-hits), new(big.Rat).Mul(fails, next(true)))
					if effort.Cmp(value) > 0 {
						value = effort
					}
				}
			}
			p.Add(p, new(big.Rat).Mul(value, sided(pool, hits, "never")))
		}
		return p
	}
	for attempts := 1; attempts <= 4; attempts++ {
		got := best(t, actMove, Act{Pool: whole, Complexity: complexity, Attempts: attempts}, "succeed")
		if want := chance(attempts, false); got.Worth.Cmp(want) != 0 {
			t.Errorf("%d attempts: %v, want %v", attempts, got.Worth, want)
		}
	}
}

// The other side's effort in a contest isn't chosen for this side's aim. ED-05
func TestBestEffortsDoNotChooseForTheOtherSide(t *testing.T) {
	got := best(t, contestMove, Contest{Pool: 4, AgainstPool: 3, Effort: "never", AgainstEffort: "never"}, "win")
	want := law(t, contestMove, Contest{Pool: 4, AgainstPool: 3, Effort: "always", AgainstEffort: "never"})
	for i, o := range want.Values {
		if p := got.Law.Of(o); p.Cmp(want.Chance(i)) != 0 {
			t.Errorf(
				"%v is %v, want %v: nobody knows the other side's dice, so the effort is always worth it",
				o,
				p,
				want.Chance(i),
			)
		}
	}
}
