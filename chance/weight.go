package chance

import (
	"math/big"
	"math/bits"
)

// Weight is a non-negative integer of any size. The zero Weight is 0. Weights
// are values: no method changes its operands.
type Weight struct {
	small uint64
	large *big.Int // nil while the weight fits uint64
}

// W makes a weight of n.
func W(n uint64) Weight { return Weight{small: n} }

// WBig makes a weight of a non-negative n, which the caller must not change
// afterwards.
func WBig(n *big.Int) Weight {
	if n.IsUint64() {
		return Weight{small: n.Uint64()}
	}
	return Weight{large: n}
}

// Big returns the weight as a fresh big integer.
func (w Weight) Big() *big.Int {
	if w.large != nil {
		return new(big.Int).Set(w.large)
	}
	return new(big.Int).SetUint64(w.small)
}

// view returns the weight as a big integer that must not be changed.
func (w Weight) view() *big.Int {
	if w.large != nil {
		return w.large
	}
	return new(big.Int).SetUint64(w.small)
}

// IsZero tells whether the weight is 0.
func (w Weight) IsZero() bool { return w.large == nil && w.small == 0 }

// Plus returns w + x.
func (w Weight) Plus(x Weight) Weight {
	if w.large == nil && x.large == nil {
		if sum, carry := bits.Add64(w.small, x.small, 0); carry == 0 {
			return Weight{small: sum}
		}
	}
	return WBig(new(big.Int).Add(w.view(), x.view()))
}

// Times returns w · x.
func (w Weight) Times(x Weight) Weight {
	if w.large == nil && x.large == nil {
		if hi, lo := bits.Mul64(w.small, x.small); hi == 0 {
			return Weight{small: lo}
		}
	}
	return WBig(new(big.Int).Mul(w.view(), x.view()))
}

// Over returns w / x, which must divide exactly.
func (w Weight) Over(x Weight) Weight {
	if w.large == nil && x.large == nil {
		return Weight{small: w.small / x.small}
	}
	return WBig(new(big.Int).Quo(w.view(), x.view()))
}

// Cmp compares w with x: −1, 0 or +1.
func (w Weight) Cmp(x Weight) int {
	if w.large == nil && x.large == nil {
		switch {
		case w.small < x.small:
			return -1
		case w.small > x.small:
			return 1
		}
		return 0
	}
	return w.view().Cmp(x.view())
}

// Ratio returns w / x as a reduced fraction; x must not be 0.
func (w Weight) Ratio(x Weight) *big.Rat { return new(big.Rat).SetFrac(w.view(), x.view()) }

// String prints the weight in decimal.
func (w Weight) String() string { return w.view().String() }

// pow returns base to the power of n.
func pow(base uint64, n int) Weight {
	result := W(1)
	for range n {
		result = result.Times(W(base))
		if result.large != nil {
			return WBig(new(big.Int).Exp(new(big.Int).SetUint64(base), big.NewInt(int64(n)), nil))
		}
	}
	return result
}

// gcd returns the greatest common divisor of two weights, not both 0.
func gcd(a, b Weight) Weight {
	if a.large == nil && b.large == nil {
		x, y := a.small, b.small
		for y != 0 {
			x, y = y, x%y
		}
		return W(x)
	}
	return WBig(new(big.Int).GCD(nil, nil, a.view(), b.view()))
}

// sum is a weight that grows in place, so that long sums of big weights make
// no garbage.
type sum struct {
	small uint64
	large *big.Int
	spare big.Int
}

func (s *sum) add(w Weight) {
	if s.large == nil && w.large == nil {
		total, carry := bits.Add64(s.small, w.small, 0)
		if carry == 0 {
			s.small = total
			return
		}
	}
	if s.large == nil {
		s.large = new(big.Int).SetUint64(s.small)
	}
	if w.large != nil {
		s.large.Add(s.large, w.large)
		return
	}
	s.large.Add(s.large, s.spare.SetUint64(w.small))
}

func (s *sum) weight() Weight {
	if s.large != nil {
		return WBig(s.large)
	}
	return W(s.small)
}
