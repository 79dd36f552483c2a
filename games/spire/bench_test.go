package spire

import (
	"math"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

var nine = Check{Skill: "*", Domain: "*", Mastery: true, Helpers: 5}

// A live check through a Run, with its trail.
func BenchmarkCheckLive(b *testing.B) {
	price := checkMove.Price(game.Scene{}, nine)
	source := rule.Free(dice.NewStream([32]byte{1}))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Play(price, rule.Options{Source: source}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckSimulated(b *testing.B) {
	price := checkMove.Price(game.Scene{}, nine)
	roller := dice.NewStream([32]byte{1})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Simulate(price, roller, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The exact odds of a check with nine dice.
func BenchmarkCheckOdds(b *testing.B) {
	price := checkMove.Price(game.Scene{}, nine)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rule.Walk(price, nil, rule.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The same odds by hand in closed form, as a measure for the walk.
func BenchmarkCheckOddsByHand(b *testing.B) {
	power := func(base uint64) uint64 { return uint64(math.Pow(float64(base), 9) + 0.5) }
	b.ReportAllocs()
	for b.Loop() {
		var weights [13]uint64
		weights[0] = 1                         // all ones
		weights[1] = power(5) - 1              // highest 2–5
		weights[2] = power(7) - power(5)       // highest 6–7
		weights[3] = power(9) - power(7)       // highest 8–9
		choose, nines := uint64(9), power(9)/9 // one ten, eight others
		for tens := uint64(1); tens <= 9; tens++ {
			weights[3+tens] = choose * nines
			choose = choose * (9 - tens) / (tens + 1)
			nines /= 9
		}
		sum := uint64(0)
		for _, w := range weights {
			sum += w
		}
		if sum != 1_000_000_000 {
			b.Fatal(sum)
		}
	}
}
