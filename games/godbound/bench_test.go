package godbound

import (
	"math/big"
	"testing"

	"norn/game"
	"norn/game/gametest"
	"norn/odds"
	"norn/rule"
)

var tenDice = Damage{Dice: "10d8", Modifier: 4}

// damageJob is ten dice with a modifier on the best one.
var damageJob = gametest.Job{Move: damageMove, Args: tenDice, Odds: damageByHand}

func TestDamageOddsAgreeWithHandWrittenCode(t *testing.T) { damageJob.Check(t) }

func BenchmarkDamageOdds(b *testing.B)      { damageJob.BenchmarkOdds(b) }
func BenchmarkDamageLive(b *testing.B)      { damageJob.BenchmarkLive(b) }
func BenchmarkDamageSimulated(b *testing.B) { damageJob.BenchmarkSimulation(b) }

func damageByHand() []odds.Row {
	weights := tenDiceByHand()
	rows := make([]odds.Row, 0, len(weights))
	for points, w := range weights {
		if w > 0 {
			rows = append(rows, odds.Row{Outcome: "damage", N: points, Counts: true, P: big.NewRat(int64(w), 1<<30)})
		}
	}
	return rows
}

// tenDiceByHand counts the ways to each total of 10d8 + 4: with a twos among ten dice and b ones
// there are 3^a · 4^b ways times the multinomial.
func tenDiceByHand() (weights [23]uint64) {
	factorial := [11]uint64{1}
	for i := uint64(1); i <= 10; i++ {
		factorial[i] = factorial[i-1] * i
	}
	threes := uint64(1)
	for twos := 0; twos <= 10; twos++ {
		fours := uint64(1)
		for ones := 0; twos+ones <= 10; ones++ {
			gain := 1
			if twos > 0 {
				gain = 2
			}
			weights[2*twos+ones+gain] += factorial[10] / factorial[twos] / factorial[ones] / factorial[10-twos-ones] * threes * fours
			fours *= 4
		}
		threes *= 3
	}
	return weights
}

// thirty is a hero of 30 HP against ten foes.
var thirty = Forecast{
	Heroes: 1, HeroHP: 30, HeroAC: 5, HeroLevel: 3, HeroBonus: 3, HeroModifier: 2, HeroDice: "1d10", Fray: "1d8",
	Foes: 10, FoeHD: 1, FoeAC: 7, FoeBonus: 1, FoeDice: "1d6", Rounds: 6,
}

var fightJob = gametest.Job{Move: forecastMove, Args: thirty, Odds: fightByHand}

func TestFightOddsAgreeWithHandWrittenCode(t *testing.T) { fightJob.Check(t) }

// The exact odds of six rounds.
func BenchmarkFightOdds(b *testing.B) { fightJob.BenchmarkOdds(b) }

// The start of the fight.
const fieldHP, fieldFoes = 30, 10

// field holds the weights of a fight's states by the hero's HP and the number of foes.
type field [fieldHP + 1][fieldFoes + 1]*big.Int

func newField() *field {
	var f field
	for i := range f {
		for j := range f[i] {
			f[i][j] = new(big.Int)
		}
	}
	return &f
}

// rows returns the odds of a field's weights out of all.
func (f *field) rows(all *big.Int) []odds.Row {
	rows := make([]odds.Row, 0, fieldHP+2)
	lost, unfinished := new(big.Int), new(big.Int)
	for h := range f {
		for foes, w := range f[h] {
			switch {
			case foes == 0 && w.Sign() > 0:
				rows = append(rows, odds.Row{Outcome: "win", N: h, Counts: true, P: new(big.Rat).SetFrac(w, all)})
			case foes == 0:
			case h == 0:
				lost.Add(lost, w)
			default:
				unfinished.Add(unfinished, w)
			}
		}
	}
	return append(rows,
		odds.Row{Outcome: "unfinished", P: new(big.Rat).SetFrac(unfinished, all)},
		odds.Row{Outcome: "lose", P: new(big.Rat).SetFrac(lost, all)})
}

// volleys returns the weights, out of 120^foes, of the points that each number of foes does in a
// turn.
func volleys() (volley [fieldFoes + 1][]*big.Int) {
	// The number of ways, of 120, in which one foe does 0–2 points.
	foe := [3]int64{0: 13*6 + 7*1, 1: 7 * 4, 2: 7 * 1}
	volley[0] = []*big.Int{new(big.Int).Exp(big.NewInt(120), big.NewInt(fieldFoes), nil)}
	for n := 1; n <= fieldFoes; n++ {
		volley[n] = make([]*big.Int, 2*n+1)
		for points := range volley[n] {
			sum := new(big.Int)
			for i, ways := range foe {
				if at := points - i; at >= 0 && at < len(volley[n-1]) {
					sum.Add(sum, new(big.Int).Mul(volley[n-1][at], big.NewInt(ways)))
				}
			}
			volley[n][points] = sum.Quo(sum, big.NewInt(120))
		}
	}
	return volley
}

// fightByHand computes the same fight turn by turn. The hero hits on 8 or more of 20 and does 0–4
// points by the chart; a Fray die does 0–2; each of the foes hits on 14 or more and does 0 points
// with a 1, 1 with 2–5, 2 with a 6. The weights of a turn have one total.
func fightByHand() []odds.Row {
	const rounds = 6
	// The number of ways, of 200, to do 0–4 points with the attack, its die and modifier by the
	// chart; and of 8, with the Fray die.
	attack := [5]int64{70, 39, 52, 0, 39}
	fray := [3]int64{1, 4, 3}
	volley := volleys()
	now, next := newField(), newField()
	now[fieldHP][fieldFoes].SetInt64(1)
	var product big.Int
	turn := func(total *big.Int, move func(h, f int, w *big.Int)) {
		for h := range now {
			for f, w := range now[h] {
				if w.Sign() == 0 {
					continue
				}
				if h == 0 || f == 0 {
					next[h][f].Add(next[h][f], product.Mul(w, total))
				} else {
					move(h, f, w)
				}
				w.SetInt64(0)
			}
		}
		now, next = next, now
	}
	all := big.NewInt(1)
	for range rounds {
		for _, ways := range [][]int64{attack[:], fray[:]} {
			total := int64(0)
			for _, w := range ways {
				total += w
			}
			turn(big.NewInt(total), func(h, f int, w *big.Int) {
				for points, ways := range ways {
					to := next[h][max(0, f-points)]
					to.Add(to, product.Mul(w, big.NewInt(ways)))
				}
			})
			all.Mul(all, big.NewInt(total))
		}
		turn(volley[0][0], func(h, f int, w *big.Int) {
			for points, ways := range volley[f] {
				to := next[max(0, h-points)][f]
				to.Add(to, product.Mul(w, ways))
			}
		})
		all.Mul(all, volley[0][0])
	}
	return now.rows(all)
}

// The same fight as a chain, with the law of every round.
func BenchmarkFightCourse(b *testing.B) {
	battle := thirty.battle(game.Scene{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := odds.Chain(b.Context(), battle.Start(), battle.Round, battle.Over, battle.Rounds,
			rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
