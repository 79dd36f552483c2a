package mage

import (
	"math/big"
	"math/bits"
	"strconv"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/game/gametest"
	"norn/odds"
	"norn/rule"
)

func rollJob(pool int) gametest.Job {
	return gametest.Job{
		Move: rollMove, Settings: standard, Args: Roll{Pool: pool, Difficulty: 6, ThresholdRule: true},
		Odds:  func() []odds.Row { return rollByHand(pool) },
		Throw: func(d *dice.Stream) rule.Outcome { return throwByHand(d, pool) },
	}
}

func TestRollOddsAgreeWithHandWrittenCode(t *testing.T) {
	for _, pool := range []int{1, 2, 7, 19, 20, 21, 40, 100} {
		rollJob(pool).Check(t)
	}
}

func bare(pool int) func(*rule.Run) rule.Outcome {
	return rollMove.Price(game.Scene{Settings: standard}, Roll{Pool: pool, Difficulty: 6, ThresholdRule: true})
}

// The exact odds of a roll at difficulty 6.
func BenchmarkRollOdds(b *testing.B) {
	for _, pool := range []int{7, 20, 100} {
		b.Run(strconv.Itoa(pool), rollJob(pool).BenchmarkOdds)
	}
}

func BenchmarkRollLive(b *testing.B)      { rollJob(7).BenchmarkLive(b) }
func BenchmarkRollSimulated(b *testing.B) { rollJob(7).BenchmarkSimulation(b) }

func benchmarkOdds(b *testing.B, price func(*rule.Run) rule.Outcome) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Walk(price, nil, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Eight rolls of six dice towards a target of ten.
func BenchmarkExtendedOdds(b *testing.B) {
	benchmarkOdds(
		b,
		extendedMove.Price(game.Scene{Settings: standard}, Work{Pool: 6, Difficulty: 6, Target: 10, Rolls: 8}),
	)
}

func BenchmarkTeamOdds(b *testing.B) {
	benchmarkOdds(b, teamMove.Price(game.Scene{Settings: standard}, Team{Pools: []int{6, 7, 5, 8, 4}, Difficulty: 6}))
}

// throwByHand rolls n dice against difficulty 6.
func throwByHand(d *dice.Stream, n int) rule.Outcome {
	hits, ones := 0, 0
	for range n {
		switch face := d.Face(10); {
		case face >= 6:
			hits++
		case face == 1:
			ones++
		}
	}
	switch {
	case hits > ones:
		return rule.Outcome{ID: "success", N: hits - ones}
	case hits == 0 && ones > 0:
		return rule.Outcome{ID: "botch"}
	}
	return rule.Outcome{ID: "failure"}
}

// rollByHand computes the odds of n dice against difficulty 6: of ten faces five are hits, four do
// nothing and one is a 1.
func rollByHand(n int) []odds.Row {
	if n < 19 { // 10^n fits int64
		return rollInWords(n)
	}
	successes, failure, botch := make([]big.Int, n+1), new(big.Int), new(big.Int)
	four := big.NewInt(4)
	first, weight, by := new(big.Int).Exp(four, big.NewInt(int64(n)), nil), new(big.Int), new(big.Int)
	for h := 0; h <= n; h++ {
		if h > 0 { // one more hit, and no 1 yet
			first.Mul(first, by.SetUint64(uint64(5*(n-h+1))))
			first.Quo(first, by.SetUint64(uint64(4*h)))
		}
		weight.Set(first)
		for o := 0; o <= n-h; o++ {
			if o > 0 {
				weight.Mul(weight, by.SetUint64(uint64(n-h-o+1)))
				weight.Quo(weight, by.SetUint64(uint64(4*o)))
			}
			switch {
			case h > o:
				successes[h-o].Add(&successes[h-o], weight)
			case h == 0 && o > 0:
				botch.Add(botch, weight)
			default:
				failure.Add(failure, weight)
			}
		}
	}
	total := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	var rows []odds.Row
	for k := 1; k <= n; k++ {
		rows = append(
			rows,
			odds.Row{Outcome: "success", N: k, Counts: true, P: new(big.Rat).SetFrac(&successes[k], total)},
		)
	}
	return append(rows,
		odds.Row{Outcome: "failure", P: new(big.Rat).SetFrac(failure, total)},
		odds.Row{Outcome: "botch", P: new(big.Rat).SetFrac(botch, total)})
}

func rollInWords(n int) []odds.Row {
	var successes [19]uint64
	failure, botch, first, total := uint64(0), uint64(0), uint64(1), uint64(1)
	for range n {
		first, total = 4*first, 10*total
	}
	for h := 0; h <= n; h++ {
		if h > 0 {
			first = scale(first/4, 5*(n-h+1), h)
		}
		weight := first
		for o := 0; o <= n-h; o++ {
			if o > 0 {
				weight = scale(weight/4, n-h-o+1, o)
			}
			switch {
			case h > o:
				successes[h-o] += weight
			case h == 0 && o > 0:
				botch += weight
			default:
				failure += weight
			}
		}
	}
	fraction := func(ways uint64) *big.Rat { return big.NewRat(int64(ways), int64(total)) }
	rows := make([]odds.Row, 0, n+2)
	for k := 1; k <= n; k++ {
		rows = append(rows, odds.Row{Outcome: "success", N: k, Counts: true, P: fraction(successes[k])})
	}
	return append(
		rows,
		odds.Row{Outcome: "failure", P: fraction(failure)},
		odds.Row{Outcome: "botch", P: fraction(botch)},
	)
}

// scale returns n · up / down, where n · up may need two words.
func scale(n uint64, up, down int) uint64 {
	hi, lo := bits.Mul64(n, uint64(up))
	n, _ = bits.Div64(hi, lo, uint64(down))
	return n
}

// byHand computes the law of a roll without Willpower, independently of the rule: weights over 10^n
// by net successes, then failure and botch.
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
