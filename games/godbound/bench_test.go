package godbound

import (
	"testing"

	"norn/dice"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

var tenDice = Damage{Dice: "10d8", Modifier: 4}

// A live damage roll through a Run, with its trail.
func BenchmarkDamageLive(b *testing.B) {
	price := damageMove.Price(game.Scene{}, tenDice)
	source := rule.Free(dice.NewStream([32]byte{1}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Play(price, rule.Options{Source: source}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDamageSimulated(b *testing.B) {
	price := damageMove.Price(game.Scene{}, tenDice)
	roller := dice.NewStream([32]byte{1})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Simulate(price, roller, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The exact odds of ten dice with a modifier on the best of them.
func BenchmarkDamageOdds(b *testing.B) {
	price := damageMove.Price(game.Scene{}, tenDice)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Walk(price, nil, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The same odds by hand, as a measure for the walk: with +4 on a d8 a 6 or
// more gains 2 points and all else gains 1.
func BenchmarkDamageOddsByHand(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		weights := tenDiceByHand()
		sum := uint64(0)
		for _, w := range weights {
			sum += w
		}
		if sum != 1<<30 {
			b.Fatal(sum)
		}
	}
}

// tenDiceByHand counts the ways to each total of 10d8 + 4: a twos among ten
// dice, b ones and the rest nothing is 3^a · 4^b ways times the multinomial.
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

// The exact odds of six rounds.
func BenchmarkFightOdds(b *testing.B) {
	price := forecastMove.Price(game.Scene{}, thirty)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Walk(price, nil, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The same fight as a chain, with the law of every round.
func BenchmarkFightCourse(b *testing.B) {
	battle := thirty.battle(game.Scene{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := odds.Chain(b.Context(), battle.Start(), battle.Round, battle.Over, battle.Rounds, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
