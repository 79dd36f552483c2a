package odds

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestSumAgreesWithFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s sum
		want := new(big.Rat)
		for range rapid.IntRange(0, 12).Draw(t, "terms") {
			p := big.NewRat(rapid.Int64Range(-50, 50).Draw(t, "above"),
				rapid.SampledFrom([]int64{1, 2, 3, 6, 7, 10, 36, 1 << 40}).Draw(t, "below"))
			n := rapid.IntRange(-3, 1000).Draw(t, "times")
			s.add(p, n)
			want.Add(want, new(big.Rat).Mul(p, big.NewRat(int64(n), 1)))
		}
		if got := s.rat(); got.Cmp(want) != 0 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
