package distribution_test

import (
	"math/big"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"norn/dice"
	"norn/distribution"
)

// sequences calls show with every sequence of faces of n dice.
func sequences(n, sides int, show func([]int)) {
	faces := make([]int, n)
	var throw func(i int)
	throw = func(i int) {
		if i == n {
			show(faces)
			return
		}
		for face := 1; face <= sides; face++ {
			faces[i] = face
			throw(i + 1)
		}
	}
	throw(0)
}

// brute computes the law of a view by counting all sequences of faces.
func brute[T comparable](n, sides int, view func([]int) T) map[T]*big.Rat {
	law := map[T]*big.Rat{}
	total := new(big.Int).Exp(big.NewInt(int64(sides)), big.NewInt(int64(n)), nil)
	one := new(big.Rat).SetFrac(big.NewInt(1), total)
	sequences(n, sides, func(faces []int) {
		v := view(faces)
		if law[v] == nil {
			law[v] = new(big.Rat)
		}
		law[v].Add(law[v], one)
	})
	return law
}

func same[T comparable](t interface{ Fatalf(string, ...any) }, law *distribution.Law[T], want map[T]*big.Rat) {
	if len(law.Values) != len(want) {
		t.Fatalf("%d values, counting gives %d: %v and %v", len(law.Values), len(want), law.Values, want)
	}
	sum := distribution.W(0)
	for i, v := range law.Values {
		if want[v] == nil || law.Chance(i).Cmp(want[v]) != 0 {
			t.Fatalf("%v has %v, counting gives %v", v, law.Chance(i), want[v])
		}
		sum = sum.Plus(law.Weights[i])
	}
	if sum.Cmp(law.Total) != 0 {
		t.Fatalf("weights sum to %v of %v", sum, law.Total)
	}
}

func TestPoolDistributionsAgreeWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, sides := rapid.IntRange(0, 4).Draw(t, "dice"), rapid.IntRange(2, 8).Draw(t, "sides")
		p := dice.Pool{N: n, Sides: sides}
		lo := rapid.IntRange(1, 10).Draw(t, "lo")
		hit, one := dice.Between(lo, rapid.IntRange(lo-1, 12).Draw(t, "hi")), dice.AtMost(lo-1)

		same(t, distribution.Count(p, hit), brute(n, sides, func(faces []int) (k int) {
			for _, f := range faces {
				if hit.Has(f) {
					k++
				}
			}
			return k
		}))
		same(t, distribution.Classes(p, hit, one), brute(n, sides, func(faces []int) (tally distribution.Tally) {
			for _, f := range faces {
				if hit.Has(f) {
					tally[0]++
				} else if one.Has(f) {
					tally[1]++
				}
			}
			return tally
		}))
		same(t, distribution.Sum(p), brute(n, sides, func(faces []int) (sum int) {
			for _, f := range faces {
				sum += f
			}
			return sum
		}))
		type best struct{ top, second int }
		keep := func(s best, face, n int) best {
			for range n {
				if s.top == 0 {
					s.top = face
				} else if s.second == 0 {
					s.second = face
				}
			}
			return s
		}
		same(t, distribution.Fold(p, best{}, keep), brute(n, sides, func(faces []int) (s best) {
			hand := slices.Clone(faces)
			slices.SortFunc(hand, func(a, b int) int { return b - a })
			for _, f := range hand {
				s = keep(s, f, 1)
			}
			return s
		}))
		hands := distribution.Throw(p)
		var mix distribution.Mix[[4]int]
		for i, w := range hands.Weights {
			var hand [4]int
			copy(hand[:], hands.Hand(i))
			mix.Add(hand, w, hands.Total)
		}
		same(t, mix.Law(), brute(n, sides, func(faces []int) (hand [4]int) {
			copy(hand[:], faces)
			slices.SortFunc(hand[:len(faces)], func(a, b int) int { return b - a })
			return hand
		}))
		if got := distribution.CountHands(p, 10_000); got != len(hands.Weights) {
			t.Fatalf("CountHands says %d, there are %d", got, len(hands.Weights))
		}
	})
}

// Large pools leave uint64; their weights must still be exact.
func TestLargePoolsSumExactly(t *testing.T) {
	check := func(name string, weights []distribution.Weight, total distribution.Weight) {
		sum := distribution.W(0)
		for _, w := range weights {
			sum = sum.Plus(w)
		}
		if sum.Cmp(total) != 0 {
			t.Errorf("%s: weights sum to %v of %v", name, sum, total)
		}
	}
	sum := distribution.Sum(dice.Pool{N: 100, Sides: 6})
	check("sum of 100d6", sum.Weights, sum.Total)
	classes := distribution.Classes(dice.Pool{N: 60, Sides: 10}, dice.AtLeast(6), dice.Exactly(1))
	check("classes of 60d10", classes.Weights, classes.Total)
	fold := distribution.Fold(dice.Pool{N: 40, Sides: 10}, 0, func(best, face, n int) int { return max(best, face) })
	check("best of 40d10", fold.Weights, fold.Total)
	// The best of 40 dice is 1 in exactly one way.
	if got, want := fold.Of(1), new(big.Rat).SetFrac(big.NewInt(1),
		new(big.Int).Exp(big.NewInt(10), big.NewInt(40), nil)); got.Cmp(want) != 0 {
		t.Errorf("all ones: %v, want %v", got, want)
	}
}

func TestMixAddsChancesWithDifferentTotals(t *testing.T) {
	var mix distribution.Mix[string]
	mix.Add("one die", distribution.W(1), distribution.W(2))
	mix.Add("two dice", distribution.W(5), distribution.W(36))
	mix.Add("one die", distribution.W(13), distribution.W(36))
	law := mix.Law()
	if got := law.Of("one die"); got.Cmp(big.NewRat(31, 36)) != 0 {
		t.Errorf("one die: %v, want 31/36", got)
	}
	if got := law.Of("two dice"); got.Cmp(big.NewRat(5, 36)) != 0 {
		t.Errorf("two dice: %v, want 5/36", got)
	}
	if got := law.Of("never"); got.Sign() != 0 {
		t.Errorf("never: %v, want 0", got)
	}
}

// Values close together, far apart and of type string take different paths.
func TestDieAgreesWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SampledFrom([]int{1, 2, 6, 100, 128, 129, 1000}).Draw(t, "sides")
		worth := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(-5, 5), rapid.IntRange(0, 600), rapid.Int()), sides,
			sides).Draw(t, "worth")
		read := func(face int) int { return worth[face-1] }
		word := func(face int) string { return strconv.Itoa(worth[face-1]) }
		same(t, distribution.Die(sides, read), brute(1, sides, func(faces []int) int { return read(faces[0]) }))
		same(t, distribution.Die(sides, word), brute(1, sides, func(faces []int) string { return word(faces[0]) }))
	})
}

// Weights above their total are a programming error.
func TestWeightsAboveTheirTotalPanic(t *testing.T) {
	for name, add := range map[string]func(*distribution.Mix[int]){
		"one weight": func(m *distribution.Mix[int]) { m.Add(1, distribution.W(7), distribution.W(6)) },
		"all together": func(m *distribution.Mix[int]) {
			m.Add(1, distribution.W(4), distribution.W(6))
			m.Add(2, distribution.W(3), distribution.W(6))
		},
		"several totals": func(m *distribution.Mix[int]) {
			m.Add(1, distribution.W(1), distribution.W(2))
			m.Add(1, distribution.W(4), distribution.W(6))
		},
		"two words": func(m *distribution.Mix[int]) {
			m.Add(1, distribution.W(1<<40).Times(distribution.W(1<<41)),
				distribution.W(1<<40).Times(distribution.W(1<<40)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("made a law")
				}
			}()
			var mix distribution.Mix[int]
			add(&mix)
			mix.Law()
		})
	}
}
