package rule_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"norn/dice"
	"norn/rule"
)

// Sorting and counting choose the highest and lowest of many dice in different ways, with the same
// result.
func TestKeepBySortingAndByCountingAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := dice.Pool{
			N:     rapid.IntRange(1, 200).Draw(t, "dice"),
			Sides: rapid.SampledFrom([]int{2, 6, 20, 1000}).Draw(t, "sides"),
		}
		n, lowest := rapid.IntRange(0, p.N).Draw(t, "kept"), rapid.Bool().Draw(t, "lowest")
		seed := [32]byte{byte(rapid.IntRange(0, 255).Draw(t, "seed"))}
		hand := dice.Throw(dice.NewStream(seed), p)
		slices.Sort(hand)
		if !lowest {
			slices.Reverse(hand)
		}
		want := 0
		for _, face := range hand[:n] {
			want += face
		}
		got, err := rule.Simulate(func(r *rule.Run) int { return r.Keep(p, n, lowest) }, dice.NewStream(seed), nil)
		if err != nil || got != want {
			t.Fatalf("%v, %v; want %d", got, err, want)
		}
	})
}
