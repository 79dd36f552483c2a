package edda

import (
	"math/big"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/game/gametest"
	"norn/odds"
	"norn/rule"
)

var eighteen = Contest{Pool: 18, AgainstPool: 18, Effort: "always", AgainstEffort: "always"}

// A live action with a special effort and its trail.
func BenchmarkActLive(b *testing.B) {
	price := actMove.Price(game.Scene{}, Act{Pool: 9, Complexity: 3, Effort: "always"})
	source := rule.RollerSource(dice.NewStream([32]byte{1}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Play(price, rule.Options{Source: source, Policy: rule.Policy{}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkActSimulated(b *testing.B) {
	price := actMove.Price(game.Scene{}, Act{Pool: 9, Complexity: 3, Effort: "always"})
	roller := dice.NewStream([32]byte{1})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Simulate(price, roller, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// contestJob is a contest of eighteen dice against eighteen, both with a special effort.
var contestJob = gametest.Job{Move: contestMove, Args: eighteen, Odds: contestByHand}

func TestContestOddsAgreeWithHandWrittenCode(t *testing.T) { contestJob.Check(t) }

func BenchmarkContestOdds(b *testing.B) { contestJob.BenchmarkOdds(b) }

// contestByHand computes the difference of two binomials: with an effort each die is a success with
// 5/9.
func contestByHand() []odds.Row {
	const n = 18
	side := binomial(n, 5, 4)
	var differences [2*n + 1]big.Int // from −n
	var product big.Int
	for mine := range side {
		for theirs := range side {
			d := &differences[n+mine-theirs]
			d.Add(d, product.Mul(side[mine], side[theirs]))
		}
	}
	total := new(big.Int).Exp(big.NewInt(9), big.NewInt(2*n), nil)
	rows := make([]odds.Row, 0, len(differences))
	row := func(outcome string, left, at int) {
		rows = append(
			rows,
			odds.Row{Outcome: outcome, N: left, Counts: left > 0, P: new(big.Rat).SetFrac(&differences[at], total)},
		)
	}
	for left := 1; left <= n; left++ {
		row("win", left, n+left)
	}
	row("draw", 0, n)
	for left := 1; left <= n; left++ {
		row("lose", left, n-left)
	}
	return rows
}

// binomial returns the number of ways in which k of n dice are successes, if each has hit ways to
// be one and miss ways not to be.
func binomial(n int, hit, miss int64) []*big.Int {
	n = max(0, n)
	ways := make([]*big.Int, n+1)
	for k := range ways {
		w := new(big.Int).Binomial(int64(n), int64(k))
		w.Mul(w, new(big.Int).Exp(big.NewInt(hit), big.NewInt(int64(k)), nil))
		ways[k] = w.Mul(w, new(big.Int).Exp(big.NewInt(miss), big.NewInt(int64(n-k)), nil))
	}
	return ways
}

// The odds of a joint task of twelve heroes with twelve dice each.
func BenchmarkJointOdds(b *testing.B) {
	a := Joint{Pool: 12, Complexity: 20, Each: 2, Effort: "fiasco"}
	for range 11 {
		a.Others = append(a.Others, 12)
	}
	price := jointMove.Price(game.Scene{}, a)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Walk(price, nil, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
