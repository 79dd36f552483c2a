package eclipse

import (
	"math/big"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/game/gametest"
	"norn/odds"
	"norn/rule"
)

var (
	sixty   = Test{Plain: Plain{Target: 60}}
	opposed = Opposed{Target: 60, AgainstTarget: 55}
	certain = Opposed{Target: 120, AgainstTarget: 120}
)

func live(b *testing.B, f func(*rule.Run) rule.Outcome) {
	source := rule.RollerSource(dice.NewStream([32]byte{1}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Play(f, rule.Options{Source: source}); err != nil {
			b.Fatal(err)
		}
	}
}

func walk(b *testing.B, f func(*rule.Run) rule.Outcome) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Walk(f, nil, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A live test with its trail.
func BenchmarkTestLive(b *testing.B) { live(b, testMove.Price(game.Scene{}, sixty)) }

func BenchmarkTestSimulated(b *testing.B) {
	price := testMove.Price(game.Scene{}, sixty)
	roller := dice.NewStream([32]byte{1})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Simulate(price, roller, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// testJob is a test with a target of 60, opposedJob one against 55.
var (
	testJob    = gametest.Job{Move: testMove, Args: sixty, Odds: testByHand}
	opposedJob = gametest.Job{Move: opposedMove, Args: opposed, Odds: opposedByHand}
)

func TestOddsAgreeWithHandWrittenCode(t *testing.T) {
	testJob.Check(t)
	opposedJob.Check(t)
}

func BenchmarkTestOdds(b *testing.B)    { testJob.BenchmarkOdds(b) }
func BenchmarkOpposedOdds(b *testing.B) { opposedJob.BenchmarkOdds(b) }

// testByHand counts rolls and doubles below and above 33 and 66.
func testByHand() []odds.Row {
	const target = 60
	below := func(n int) int { return min(n, target+1) }                  // rolls 0…n−1 that succeed
	doubles := func(n int) int { return (n + 10) / 11 }                   // of the rolls 0…n−1
	plain := func(n int) int { return n - doubles(n) }                    // rolls that aren't doubles
	won := func(n int) int { return plain(below(n)) }                     // plain successes below n
	lost := func(n int) int { return plain(n) - plain(min(n, target+1)) } // plain failures below n
	weights := [8]int{
		doubles(target + 1), won(100) - won(66), won(66) - won(33), won(33),
		lost(100) - lost(67), lost(67) - lost(34), lost(34), 10 - doubles(target+1),
	}
	rows := make([]odds.Row, 0, len(weights))
	for i, w := range weights {
		if w > 0 {
			rows = append(rows, odds.Row{Outcome: testOutcomes[i].ID, P: big.NewRat(int64(w), 100)})
		}
	}
	return rows
}

// opposedByHand goes once through both sides' rolls in the order of their rank.
func opposedByHand() []odds.Row {
	won, before := 0, 100-(opposed.AgainstTarget+1) // before: rolls of the other side with a lower rank
	drawn := (100 - (opposed.Target + 1)) * before
	for _, double := range []bool{false, true} {
		for roll := range 100 {
			if (roll%11 == 0) != double {
				continue
			}
			if roll <= opposed.Target {
				won += before
			}
			if roll <= opposed.AgainstTarget {
				before++
				if roll <= opposed.Target {
					drawn++
				}
			}
		}
	}
	return []odds.Row{
		{Outcome: "win", P: big.NewRat(int64(won), 10_000)},
		{Outcome: "deadlock", P: big.NewRat(int64(drawn), 10_000)},
		{Outcome: "lose", P: big.NewRat(int64(10_000-won-drawn), 10_000)},
	}
}

// The most expensive one: nearly every roll is a success.
func BenchmarkOpposedOddsCertain(b *testing.B) { walk(b, opposedMove.Price(game.Scene{}, certain)) }

func BenchmarkTaskOdds(b *testing.B) {
	walk(b, taskMove.Price(game.Scene{}, Work{Plain: Plain{Target: 60}, Pace: Pace{Rush: 1}}))
}
