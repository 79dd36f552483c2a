package distribution

import (
	"math/big"
	"math/bits"
	"strconv"
)

// Weight is a non-negative integer of any size: two machine words while it fits, a big.Int above.
// The zero Weight is 0. Weights are values: no method changes its operands.
type Weight struct {
	hi, lo uint64
	large  *big.Int // nil while the weight fits 128 bits
}

// W returns n as a weight.
func W(n uint64) Weight { return Weight{lo: n} }

// WBig returns a non-negative n as a weight. The caller must not change n afterwards.
func WBig(n *big.Int) Weight {
	if n.BitLen() > 128 {
		return Weight{large: n}
	}
	var w Weight
	for i, word := range n.Bits() {
		switch at := i * bits.UintSize; {
		case at < 64:
			w.lo |= uint64(word) << at
		default:
			w.hi |= uint64(word) << (at - 64)
		}
	}
	return w
}

// appendWords appends the weight's words to buf, the lowest first.
func (w Weight) appendWords(buf []big.Word) []big.Word {
	if w.large != nil {
		return append(buf, w.large.Bits()...)
	}
	for hi, lo := w.hi, w.lo; hi|lo != 0; {
		buf = append(buf, big.Word(lo))
		if bits.UintSize == 64 {
			hi, lo = 0, hi
		} else {
			hi, lo = hi>>32, lo>>32|hi<<32
		}
	}
	return buf
}

// Big returns the weight as a new big integer.
func (w Weight) Big() *big.Int {
	if w.large != nil {
		return new(big.Int).Set(w.large)
	}
	return w.view() // built from the words, so it's new
}

// view returns the weight as a big integer that must not be changed.
func (w Weight) view() *big.Int {
	if w.large != nil {
		return w.large
	}
	return new(big.Int).SetBits(w.appendWords(nil))
}

// BitLen returns the number of bits of the weight.
func (w Weight) BitLen() int {
	switch {
	case w.large != nil:
		return w.large.BitLen()
	case w.hi > 0:
		return 64 + bits.Len64(w.hi)
	}
	return bits.Len64(w.lo)
}

// IsZero reports whether the weight is 0.
func (w Weight) IsZero() bool { return w == Weight{} }

// isOne reports whether the weight is 1.
func (w Weight) isOne() bool { return w == Weight{lo: 1} }

// Plus returns w + x.
func (w Weight) Plus(x Weight) Weight {
	if w.large == nil && x.large == nil {
		lo, carry := bits.Add64(w.lo, x.lo, 0)
		if hi, carry := bits.Add64(w.hi, x.hi, carry); carry == 0 {
			return Weight{hi: hi, lo: lo}
		}
	}
	return WBig(new(big.Int).Add(w.view(), x.view()))
}

// Minus returns w − x, which must not be below 0.
func (w Weight) Minus(x Weight) Weight {
	if w.large == nil { // x is no larger, so it isn't large either
		lo, borrow := bits.Sub64(w.lo, x.lo, 0)
		hi, _ := bits.Sub64(w.hi, x.hi, borrow)
		return Weight{hi: hi, lo: lo}
	}
	return WBig(new(big.Int).Sub(w.view(), x.view()))
}

// Times returns w · x.
func (w Weight) Times(x Weight) Weight {
	if product, ok := w.times(x); ok {
		return product
	}
	switch {
	case w.isOne():
		return x
	case x.isOne():
		return w
	}
	var left, right small
	product := make([]big.Word, w.width()+x.width())
	addProduct(product, w.words(&left), x.words(&right))
	return new(ints).weight(product)
}

// times multiplies two weights of up to two words. ok is false if the product is larger.
func (w Weight) times(x Weight) (product Weight, ok bool) {
	if w.large != nil || x.large != nil {
		return Weight{}, false
	}
	if w.hi > x.hi {
		w, x = x, w
	}
	if w.hi > 0 {
		return Weight{}, false
	}
	carry, lo := bits.Mul64(w.lo, x.lo)
	if x.hi == 0 {
		return Weight{hi: carry, lo: lo}, true
	}
	over, hi := bits.Mul64(w.lo, x.hi)
	hi, more := bits.Add64(hi, carry, 0)
	return Weight{hi: hi, lo: lo}, over|more == 0
}

// Over returns w / x, rounded down. x must not be 0.
func (w Weight) Over(x Weight) Weight {
	switch {
	case x.isOne():
		return w
	case w.large == nil && x.large == nil && x.hi == 0:
		hi, rest := w.hi/x.lo, w.hi%x.lo
		lo, _ := bits.Div64(rest, w.lo, x.lo)
		return Weight{hi: hi, lo: lo}
	}
	return WBig(new(big.Int).Quo(w.view(), x.view()))
}

// Cmp compares w with x: −1, 0 or +1.
func (w Weight) Cmp(x Weight) int {
	switch {
	case w == x:
		return 0
	case w.large != nil || x.large != nil:
		return w.view().Cmp(x.view())
	case w.hi < x.hi || w.hi == x.hi && w.lo < x.lo:
		return -1
	}
	return 1
}

// Ratio returns w / x as a reduced fraction; x must not be 0.
func (w Weight) Ratio(x Weight) *big.Rat { return new(big.Rat).SetFrac(w.view(), x.view()) }

// String prints the weight in decimal.
func (w Weight) String() string { return w.view().String() }

// Append appends the weight in decimal.
func (w Weight) Append(b []byte) []byte {
	if w.large == nil && w.hi == 0 {
		return strconv.AppendUint(b, w.lo, 10)
	}
	return w.view().Append(b, 10)
}

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

// GCD returns the greatest common divisor of two weights, not both 0.
func GCD(a, b Weight) Weight {
	if a.large == nil && b.large == nil && a.hi|b.hi == 0 {
		x, y := a.lo, b.lo
		for y != 0 {
			x, y = y, x%y
		}
		return W(x)
	}
	return WBig(new(big.Int).GCD(nil, nil, a.view(), b.view()))
}
