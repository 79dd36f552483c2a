package mage

import (
	"math/big"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

func bare(pool int) func(*rule.Run) rule.Outcome {
	return rollMove.Price(game.Scene{Settings: standard}, Roll{Pool: pool, Difficulty: 6, ThresholdRule: true})
}

// A live roll through a Run, with its trail.
func BenchmarkRollLive(b *testing.B) {
	price := bare(7)
	source := rule.Free(dice.NewStream([32]byte{1}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Play(price, rule.Options{Source: source}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRollSimulated(b *testing.B) {
	price := bare(7)
	roller := dice.NewStream([32]byte{1})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Simulate(price, roller, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkOdds(b *testing.B, price func(*rule.Run) rule.Outcome) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Walk(price, nil, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRollOdds7(b *testing.B)   { benchmarkOdds(b, bare(7)) }
func BenchmarkRollOdds20(b *testing.B)  { benchmarkOdds(b, bare(20)) }
func BenchmarkRollOdds100(b *testing.B) { benchmarkOdds(b, bare(100)) }

// Eight rolls of six dice towards a target of ten.
func BenchmarkExtendedOdds(b *testing.B) {
	benchmarkOdds(b, extendedMove.Price(game.Scene{Settings: standard}, Work{Pool: 6, Difficulty: 6, Target: 10, Rolls: 8}))
}

func BenchmarkTeamOdds(b *testing.B) {
	benchmarkOdds(b, teamMove.Price(game.Scene{Settings: standard}, Team{Pools: []int{6, 7, 5, 8, 4}, Difficulty: 6}))
}

// The odds of a roll at difficulty 6 by hand in closed form, as a measure for
// the walk: of n dice h show 6–10 and o show a 1.
func BenchmarkRollOddsByHand20(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		byHand(20, 6, 0)
	}
}

// byHand is the law of a roll without Willpower, written down apart from the
// rule: weights over 10^n by net successes, then failure and botch.
func byHand(n, difficulty, threshold int) (successes []*big.Int, failure, botch *big.Int) {
	successes, failure, botch = make([]*big.Int, n+1), new(big.Int), new(big.Int)
	for i := range successes {
		successes[i] = new(big.Int)
	}
	hit, rest := int64(11-difficulty), int64(difficulty-2)
	var weight, factor big.Int
	for h := 0; h <= n; h++ {
		for o := 0; o <= n-h; o++ {
			weight.Binomial(int64(n), int64(h))
			weight.Mul(&weight, factor.Binomial(int64(n-h), int64(o)))
			weight.Mul(&weight, factor.Exp(big.NewInt(hit), big.NewInt(int64(h)), nil))
			weight.Mul(&weight, factor.Exp(big.NewInt(rest), big.NewInt(int64(n-h-o)), nil))
			switch left := h - threshold; {
			case left > o:
				successes[left-o].Add(successes[left-o], &weight)
			case left <= 0 && o > 0:
				botch.Add(botch, &weight)
			default:
				failure.Add(failure, &weight)
			}
		}
	}
	return successes, failure, botch
}
