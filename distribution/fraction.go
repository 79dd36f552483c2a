package distribution

import (
	"math"
	"math/big"
	"math/bits"

	"norn/dice"
)

// Chances returns the chances of all values as reduced fractions, in the order of the values.
//
// A law's total is a product of numbers of sides, so its prime factors are few and small. Dividing
// each weight by those reduces a fraction without computing a greatest common divisor.
func (l *Law[T]) Chances() []*big.Rat {
	chances := make([]*big.Rat, len(l.Weights))
	total := l.Total.appendWords(nil)
	var few [8]factor // usually enough for a total of dice
	factors, complete := factorise(total, few[:0])
	if !complete {
		for i := range chances {
			chances[i] = l.Chance(i)
		}
		return chances
	}
	rats := make([]big.Rat, len(chances))
	// A reduced fraction needs at most as many words as the total, above and below the line.
	room := make([]big.Word, 2*len(total)*len(chances))
	place := func(n int) []big.Word {
		words := room[:0:n]
		room = room[n:]
		return words
	}
	for i, w := range l.Weights {
		above := w.appendWords(place(len(total)))
		below := append(place(len(total)), total...)
		for _, f := range factors {
			above, below = f.cancel(above, below)
		}
		r := &rats[i]
		*r = *one // allocates the denominator, which is overwritten
		r.Num().SetBits(above)
		r.Denom().SetBits(below)
		chances[i] = r
	}
	return chances
}

var one = big.NewRat(1, 1)

// factor is a prime power that divides a total.
type factor struct {
	prime  big.Word
	times  int
	chunk  big.Word // the largest power of the prime in one word
	within int      // the exponent of the prime in chunk
	by     divisor  // divides by chunk
}

// factorise appends the prime factors that are at most the largest die's number of sides. complete
// is false if a factor is left over.
func factorise(total []big.Word, factors []factor) (all []factor, complete bool) {
	var room small
	rest := append(room[:0], total...)
	isOne := func() bool { return len(rest) == 1 && rest[0] == 1 }
	for prime := big.Word(2); !isOne(); prime += 1 + prime&1 {
		if prime > dice.MaxSides {
			return factors, false
		}
		if remainder(rest, prime) != 0 {
			continue
		}
		f := factor{prime: prime, chunk: prime, within: 1}
		if prime > 2 { // powers of 2 need no divisor: they are shifted out
			for most := math.MaxUint / prime; f.chunk <= most; f.within++ {
				f.chunk *= prime
			}
			f.by = divisorOf(uint64(f.chunk))
		}
		f.times = f.count(rest, len(rest)*bits.UintSize)
		rest = f.divide(rest, f.times)
		factors = append(factors, f)
	}
	return factors, true
}

// cancel divides both numbers by the prime as often as it divides both.
func (f factor) cancel(above, below []big.Word) (a, b []big.Word) {
	n := f.count(above, f.times)
	return f.divide(above, n), f.divide(below, n)
}

// count returns how often the prime divides words, at most most times.
func (f factor) count(words []big.Word, most int) int {
	n := 0
	if f.prime == 2 {
		for _, word := range words {
			zeros := bits.TrailingZeros(uint(word))
			if n += zeros; zeros < bits.UintSize {
				break
			}
		}
		return min(n, most)
	}
	rest := f.by.short(words) // the prime divides the rest as often as it divides words
	for copied := false; rest == 0 && n < most; rest = f.by.short(words) {
		if !copied {
			words, copied = append([]big.Word(nil), words...), true
		}
		f.by.divide(words)
		words, n = trimZeros(words), n+f.within
	}
	for prime := uint(f.prime); rest > 0 && rest%prime == 0; rest /= prime {
		n++
	}
	return min(n, most)
}

// divide divides words in place by the n-th power of the prime.
func (f factor) divide(words []big.Word, n int) []big.Word {
	switch {
	case n == 0:
		return words
	case f.prime == 2:
		return halve(words, n)
	}
	for ; n >= f.within; n -= f.within {
		f.by.divide(words)
		words = trimZeros(words)
	}
	if n == 0 {
		return words
	}
	power := uint64(1)
	for range n {
		power *= uint64(f.prime)
	}
	divisorOf(power).divide(words)
	return trimZeros(words)
}

// remainder returns words mod d.
func remainder(words []big.Word, d big.Word) big.Word {
	rest := uint(0)
	for i := len(words) - 1; i >= 0; i-- {
		_, rest = bits.Div(rest, uint(words[i]), uint(d))
	}
	return big.Word(rest)
}

// halve divides words in place by the n-th power of 2.
func halve(words []big.Word, n int) []big.Word {
	whole, part := n/bits.UintSize, n%bits.UintSize
	for i := range len(words) - whole {
		words[i] = words[i+whole] >> part
		if i+whole+1 < len(words) {
			words[i] |= words[i+whole+1] << (bits.UintSize - part)
		}
	}
	return trimZeros(words[:len(words)-whole])
}

func trimZeros(words []big.Word) []big.Word {
	for len(words) > 0 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	return words
}
