package spire

import (
	"math/big"
	"testing"

	"norn/dice"
	"norn/game/gametest"
	"norn/odds"
	"norn/rule"
)

// nineDice is a check with nine dice.
var nineDice = gametest.Job{
	Move: checkMove, Args: Check{Skill: "*", Domain: "*", Mastery: true, Helpers: 5},
	Odds: nineByHand, Throw: throwNine,
}

func TestNineDiceOddsAgreeWithHandWrittenCode(t *testing.T) { nineDice.Check(t) }

func BenchmarkCheckOdds(b *testing.B)      { nineDice.BenchmarkOdds(b) }
func BenchmarkCheckLive(b *testing.B)      { nineDice.BenchmarkLive(b) }
func BenchmarkCheckSimulated(b *testing.B) { nineDice.BenchmarkSimulation(b) }

// nineByHand computes the highest die by powers, and the tens by binomials.
func nineByHand() []odds.Row {
	power := func(base int64) int64 {
		n := int64(1)
		for range 9 {
			n *= base
		}
		return n
	}
	rows := make([]odds.Row, 0, 13)
	row := func(outcome string, n int, weight int64) {
		rows = append(rows, odds.Row{Outcome: outcome, N: n, Counts: n > 0, P: big.NewRat(weight, 1_000_000_000)})
	}
	choose, nines := int64(9), power(9)/9 // one ten, eight others
	for tens := int64(1); tens <= 9; tens++ {
		row("critical-success", int(tens), choose*nines)
		choose = choose * (9 - tens) / (tens + 1)
		nines /= 9
	}
	row("success", 0, power(9)-power(7))
	row("success-at-cost", 0, power(7)-power(5))
	row("failure", 0, power(5)-1)
	row("critical-failure", 0, 1)
	return rows
}

func throwNine(d *dice.Stream) rule.Outcome {
	best, tens := 0, 0
	for range 9 {
		face := d.Face(10)
		best = max(best, face)
		if face == 10 {
			tens++
		}
	}
	switch {
	case tens > 0:
		return rule.Outcome{ID: "critical-success", N: tens}
	case best >= 8:
		return rule.Outcome{ID: "success"}
	case best >= 6:
		return rule.Outcome{ID: "success-at-cost"}
	case best >= 2:
		return rule.Outcome{ID: "failure"}
	}
	return rule.Outcome{ID: "critical-failure"}
}
