package distribution_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"norn/dice"
	"norn/distribution"
)

// natural draws numbers around the sizes where the arithmetic changes: one word, two words, many.
func natural() *rapid.Generator[*big.Int] {
	return rapid.Custom(func(t *rapid.T) *big.Int {
		n := new(big.Int).Lsh(big.NewInt(1),
			uint(rapid.SampledFrom([]int{0, 1, 63, 64, 65, 100, 127, 128, 129, 300}).Draw(t, "bits")))
		words := rapid.SliceOfN(rapid.Uint64(), 0, 4).Draw(t, "words")
		below := new(big.Int)
		for _, w := range words {
			below.Lsh(below, 64).Or(below, new(big.Int).SetUint64(w))
		}
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			return below
		case 1:
			return n
		case 2:
			return n.Sub(n, big.NewInt(1))
		}
		return n.Add(n, below)
	})
}

// weight returns the weight of a copy, so that a test notices if it's changed.
func weight(n *big.Int) distribution.Weight { return distribution.WBig(new(big.Int).Set(n)) }

func TestWeightArithmeticAgreesWithBigInt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := natural().Draw(t, "a"), natural().Draw(t, "b")
		wa, wb := weight(a), weight(b)
		is := func(what string, got distribution.Weight, want *big.Int) {
			if got.Big().Cmp(want) != 0 || got.String() != want.String() || got.Cmp(weight(want)) != 0 {
				t.Fatalf("%v %s %v = %v, want %v", a, what, b, got, want)
			}
		}
		product := new(big.Int).Mul(a, b)
		is("+", wa.Plus(wb), new(big.Int).Add(a, b))
		is("·", wa.Times(wb), product)
		if b.Sign() > 0 {
			is("· /", weight(product).Over(wb), a)
			if got, want := wa.Ratio(wb), new(big.Rat).SetFrac(a, b); got.Cmp(want) != 0 {
				t.Fatalf("%v : %v = %v, want %v", a, b, got, want)
			}
		}
		if got, want := wa.Cmp(wb), a.Cmp(b); got != want {
			t.Fatalf("%v against %v: %d, want %d", a, b, got, want)
		}
		if got, want := wa.IsZero(), a.Sign() == 0; got != want {
			t.Fatalf("%v is 0: %v", a, got)
		}
		if got, want := wa.BitLen(), a.BitLen(); got != want {
			t.Fatalf("%v has %d bits, want %d", a, got, want)
		}
		is("unchanged", wa, a)
		is("unchanged", wb, b)
	})
}

// Sums of fractions are the reference.
func TestMixAgreesWithSumsOfFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type given struct {
			value, over int
			a, b        *big.Int
		}
		totals := make([]*big.Int, rapid.IntRange(1, 4).Draw(t, "totals"))
		for i := range totals {
			totals[i] = natural().Draw(t, "more in the total")
			totals[i].Add(totals[i], big.NewInt(1))
		}
		all := make([]given, rapid.IntRange(1, 40).Draw(t, "how many"))
		for i := range all {
			g := given{
				value: rapid.OneOf(rapid.IntRange(0, 30), rapid.Int()).Draw(t, "value"),
				over:  rapid.IntRange(0, len(totals)-1).Draw(t, "over"),
				a:     natural().Draw(t, "a"), b: natural().Draw(t, "b"),
			}
			all[i] = g
			totals[g.over].Add(totals[g.over], new(big.Int).Mul(g.a, g.b))
		}
		for _, total := range totals { // so that the chances sum to at most 1
			total.Mul(total, big.NewInt(int64(len(totals))))
		}
		var mix distribution.Mix[int]
		want := map[int]*big.Rat{}
		for _, g := range all {
			total := totals[g.over]
			mix.AddTimes(g.value, weight(g.a), weight(g.b), weight(total))
			if want[g.value] == nil {
				want[g.value] = new(big.Rat)
			}
			want[g.value].Add(want[g.value], new(big.Rat).SetFrac(new(big.Int).Mul(g.a, g.b), total))
		}
		law := mix.Law()
		if len(law.Values) != len(want) {
			t.Fatalf("%d values, want %d", len(law.Values), len(want))
		}
		for i, v := range law.Values {
			if got := law.Chance(i); got.Cmp(want[v]) != 0 {
				t.Fatalf("%d has %v, want %v", v, got, want[v])
			}
		}
	})
}

// The result must equal what math/big reduces, word for word.
func TestChanceIsAReducedFraction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := big.NewInt(1)
		for range rapid.IntRange(1, 3).Draw(t, "pools") {
			sides := rapid.SampledFrom([]int64{2, 3, 4, 6, 8, 10, 12, 20, 77, 100, 997, 1000, 1009}).Draw(t, "sides")
			n := int64(rapid.IntRange(0, 90).Draw(t, "dice"))
			total.Mul(total, new(big.Int).Exp(big.NewInt(sides), big.NewInt(n), nil))
		}
		law := &distribution.Law[int]{Total: weight(total)}
		for i := range rapid.IntRange(1, 8).Draw(t, "values") {
			w := natural().Draw(t, "weight")
			if rapid.Bool().Draw(t, "has factors in common") {
				w.GCD(nil, nil, w, total).Mul(w, big.NewInt(int64(rapid.IntRange(1, 50).Draw(t, "times"))))
			}
			if w.Sign() == 0 {
				w.SetInt64(1)
			}
			if w.Cmp(total) > 0 {
				w.Set(total)
			}
			law.Values, law.Weights = append(law.Values, i), append(law.Weights, weight(w))
		}
		for i, got := range law.Chances() {
			want := new(big.Rat).SetFrac(law.Weights[i].Big(), total)
			if got.RatString() != want.RatString() || got.Num().Cmp(want.Num()) != 0 ||
				got.Denom().Cmp(want.Denom()) != 0 {
				t.Fatalf("%v of %v is %v, want %v", law.Weights[i], total, got, want)
			}
			got.Add(got, big.NewRat(1, 3)) // the fractions share memory and mustn't overwrite each other
			if want.Add(want, big.NewRat(1, 3)); got.Cmp(want) != 0 {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	})
}

// keep computes the law of the n highest dice with Fold, independently of Keep.
func keep(p dice.Pool, n int) *distribution.Law[int] {
	type kept struct{ left, sum int }
	law := distribution.Fold(p, kept{left: n}, func(k kept, face, n int) kept {
		n = min(n, k.left)
		return kept{k.left - n, k.sum + n*face}
	})
	return distribution.Map(law, func(k kept) int { return k.sum })
}

func TestKeepAgreesWithFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := dice.Pool{N: rapid.IntRange(1, 12).Draw(t, "dice"), Sides: rapid.IntRange(1, 12).Draw(t, "sides")}
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			p.N = 45 // more than two words
		}
		n := rapid.IntRange(1, p.N).Draw(t, "kept")
		want, high, low := keep(p, n), distribution.Keep(p, n, false), distribution.Keep(p, n, true)
		if len(high.Values) != len(want.Values) || high.Total.Cmp(want.Total) != 0 {
			t.Fatalf("%d values of %v, want %d of %v", len(high.Values), high.Total, len(want.Values), want.Total)
		}
		for i, total := range high.Values {
			if high.Chance(i).Cmp(want.Of(total)) != 0 {
				t.Fatalf("%d with %v, want %v", total, high.Chance(i), want.Of(total))
			}
			// The lowest dice are the highest of reversed dice.
			if turned := n*(p.Sides+1) - total; low.Of(turned).Cmp(high.Chance(i)) != 0 {
				t.Fatalf("lowest: %d with %v, want %v", turned, low.Of(turned), high.Chance(i))
			}
		}
	})
}

// The states don't change at some faces and change at others.
func TestFoldThatSkipsFacesAgreesWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, sides := rapid.IntRange(0, 4).Draw(t, "dice"), rapid.IntRange(2, 8).Draw(t, "sides")
		// moves[state][face][n] is added to the state; 0 leaves it unchanged. The table may be any
		// function.
		moves := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2}), 3*9*5, 3*9*5).Draw(t, "moves")
		step := func(state, face, n int) int { return (state + moves[(state*9+face)*5+n]) % 3 }
		same(t, distribution.Fold(dice.Pool{N: n, Sides: sides}, 0, step), brute(n, sides, func(faces []int) int {
			counts := make([]int, sides+1)
			for _, f := range faces {
				counts[f]++
			}
			state := 0
			for face := sides; face >= 1; face-- {
				if counts[face] > 0 {
					state = step(state, face, counts[face])
				}
			}
			return state
		}))
	})
}

// Fold over all faces is the reference: dice of one grade count at the grade's highest face.
func TestFoldByGradeAgreesWithEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, sides := rapid.IntRange(0, 4).Draw(t, "dice"), rapid.IntRange(1, 8).Draw(t, "sides")
		of := rapid.SliceOfN(rapid.IntRange(0, 3), sides+1, sides+1).Draw(t, "grades")
		grade := func(face int) int { return of[face] }
		step := func(state, grade, n int) int { return (state*7 + grade*3 + n) % 11 } // the order matters
		grades := distribution.GradesOf(sides, grade)
		law, err := distribution.FoldWithin(dice.Pool{N: n, Sides: sides}, grades, 0, step, func(int) error {
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		same(t, law, brute(n, sides, func(faces []int) int {
			state := 0
			shown := map[int]bool{}
			for face := sides; face >= 1; face-- {
				g := grade(face)
				count := 0
				for _, f := range faces {
					if grade(f) == g {
						count++
					}
				}
				if !shown[g] && count > 0 {
					state = step(state, g, count)
				}
				shown[g] = true
			}
			return state
		}))
	})
}

func TestCompareAgreesWithEveryPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) *distribution.Law[int] {
			var mix distribution.Mix[int]
			n := uint64(rapid.IntRange(1, 9).Draw(t, name))
			for range n {
				mix.Add(rapid.IntRange(-4, 4).Draw(t, name), distribution.W(1), distribution.W(n))
			}
			return mix.Law()
		}
		a, b := draw("a"), draw("b")
		want := map[int]*big.Rat{}
		for i, x := range a.Values {
			for j, y := range b.Values {
				sign := min(1, max(-1, x-y))
				if want[sign] == nil {
					want[sign] = new(big.Rat)
				}
				want[sign].Add(want[sign], new(big.Rat).Mul(a.Chance(i), b.Chance(j)))
			}
		}
		same(t, distribution.Compare(a, b), want)
	})
}
