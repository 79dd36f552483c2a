package distribution

import (
	"math/big"
	"math/bits"
	"slices"
)

// column holds numbers that will become weights, as machine words, lowest word first. All numbers
// of a column have the width of their total: no weight, and no sum of weights of distinct values,
// exceeds it.
type column struct {
	width int
	words []big.Word
}

// columnOf returns a column of n zeros, each wide enough for numbers up to most.
func columnOf(n int, most Weight) column {
	width := most.width()
	return column{width: width, words: make([]big.Word, n*width)}
}

// width returns how many words the weight takes, at least one.
func (w Weight) width() int { return max(1, (w.BitLen()+bits.UintSize-1)/bits.UintSize) }

// at returns the words of the i-th number.
func (c column) at(i int) []big.Word { return c.words[i*c.width : (i+1)*c.width : (i+1)*c.width] }

// len returns the number of numbers.
func (c column) len() int { return len(c.words) / c.width }

// grow makes room for at least n numbers.
func (c *column) grow(n int) {
	if have, need := len(c.words), n*c.width; need > have {
		c.words = slices.Grow(c.words, need-have)[:need]
		clear(c.words[have:])
	}
}

// addTimes adds a · b to the i-th number.
func (c column) addTimes(i int, a, b Weight) {
	if c.width == 1 {
		c.words[i] += big.Word(a.lo * b.lo)
	} else {
		c.addWide(i, a, b)
	}
}

// addWide does the work of addTimes for numbers of more than one word.
func (c column) addWide(i int, a, b Weight) {
	if c.width*bits.UintSize == 128 && bits.UintSize == 64 {
		to := c.words[2*i : 2*i+2]
		product, _ := a.times(b)
		lo, carry := bits.Add64(uint64(to[0]), product.lo, 0)
		to[0], to[1] = big.Word(lo), to[1]+big.Word(product.hi)+big.Word(carry)
		return
	}
	var left, right small
	addProduct(c.at(i), a.words(&left), b.words(&right))
}

// addProduct adds a · b to the i-th number; a is given as words.
func (c column) addProduct(i int, a []big.Word, b Weight) {
	if c.width == 1 {
		for _, word := range a {
			c.words[i] += word * big.Word(b.lo)
		}
		return
	}
	var right small
	addProduct(c.at(i), a, b.words(&right))
}

// addWords adds a · b to the i-th number; both are given as words.
func (c column) addWords(i int, a, b []big.Word) {
	if c.width == 1 {
		for _, word := range a {
			c.words[i] += word * b[0]
		}
		return
	}
	addProduct(c.at(i), a, trimZeros(b))
}

// fill sets the numbers to the powers of base, from base^0.
func (c column) fill(base uint64) {
	if c.width == 1 {
		power := big.Word(1)
		for i := range c.words {
			c.words[i] = power
			power *= big.Word(base)
		}
		return
	}
	clear(c.words)
	c.words[0] = 1
	for i := 1; i < c.len(); i++ {
		addTimesWord(c.at(i), trimZeros(c.at(i-1)), big.Word(base))
	}
}

// weights returns the first n numbers as weights, or all if there are fewer. It copies, so the
// column may be reused.
func (c column) weights(n int) []Weight {
	if c.width*bits.UintSize > 128 { // large weights keep their words
		c.words = slices.Clone(c.words[:min(n, c.len())*c.width])
	}
	return c.turn(n)
}

// turn returns the first n numbers as weights that may share the column's memory. The column must
// not be used afterwards.
func (c column) turn(n int) []Weight {
	weights := make([]Weight, n)
	if c.width == 1 {
		for i, word := range c.words[:min(n, c.len())] {
			weights[i].lo = uint64(word)
		}
		return weights
	}
	var room []big.Int
	for i := range min(n, c.len()) {
		number := trimZeros(c.at(i))
		if len(number)*bits.UintSize <= 128 {
			weights[i] = smallWeight(number)
			continue
		}
		if room == nil {
			room = make([]big.Int, n-i)
		}
		weights[i].large, room = room[0].SetBits(number), room[1:]
	}
	return weights
}

// smallWeight returns the weight of a number of up to two words.
func smallWeight(words []big.Word) Weight {
	var w Weight
	for i, word := range words {
		if at := i * bits.UintSize; at < 64 {
			w.lo |= uint64(word) << at
		} else {
			w.hi |= uint64(word) << (at - 64)
		}
	}
	return w
}

// ints allocates the big integers of large weights in batches.
type ints struct {
	words []big.Word
	ints  []big.Int
	n     int // size of the next batch
}

// weight returns the weight of a number. It copies the words.
func (room *ints) weight(words []big.Word) Weight {
	words = trimZeros(words)
	n := len(words)
	if n*bits.UintSize <= 128 {
		return smallWeight(words)
	}
	if len(room.ints) == 0 {
		room.ints = make([]big.Int, max(1, room.n))
	}
	if cap(room.words)-len(room.words) < n {
		room.words = make([]big.Word, 0, max(1, room.n)*n)
	}
	at := len(room.words)
	room.words = append(room.words, words...)
	large := &room.ints[0]
	room.ints = room.ints[1:]
	return Weight{large: large.SetBits(room.words[at : at+n : at+n])}
}

// small is a buffer for the words of a weight that fits two 64-bit words.
type small [128 / bits.UintSize]big.Word

// words returns the weight's words, stored in room unless the weight is large. They must not be
// changed.
func (w Weight) words(room *small) []big.Word {
	if w.large != nil {
		return w.large.Bits()
	}
	return w.appendWords(room[:0])
}

// addProduct adds a · b to the number in to, which must have room for the result.
func addProduct(to, a, b []big.Word) {
	if len(a) < len(b) {
		a, b = b, a
	}
	for i, by := range b {
		addTimesWord(to[i:], a, by)
	}
}

// addTimesWord adds a · by to the number in to.
func addTimesWord(to, a []big.Word, by big.Word) {
	carry := uint(0)
	head := to[:len(a)]
	for i, word := range a {
		hi, lo := bits.Mul(uint(word), uint(by))
		lo, c := bits.Add(lo, carry, 0)
		hi += c
		lo, c = bits.Add(uint(head[i]), lo, 0)
		head[i], carry = big.Word(lo), hi+c
	}
	for i := len(a); carry != 0; i++ {
		sum, c := bits.Add(uint(to[i]), carry, 0)
		to[i], carry = big.Word(sum), c
	}
}

// lessTimesWord subtracts a · by from the number in to, which must be at least that large.
func lessTimesWord(to, a []big.Word, by big.Word) {
	borrow := uint(0)
	for i, word := range a {
		hi, lo := bits.Mul(uint(word), uint(by))
		lo, c := bits.Add(lo, borrow, 0)
		hi += c
		lo, c = bits.Sub(uint(to[i]), lo, 0)
		to[i], borrow = big.Word(lo), hi+c
	}
	for i := len(a); borrow != 0; i++ {
		rest, c := bits.Sub(uint(to[i]), borrow, 0)
		to[i], borrow = big.Word(rest), c
	}
}

// timesWord multiplies words in place and returns the overflow.
func timesWord(words []big.Word, by big.Word) (over big.Word) {
	carry := uint(0)
	for i, word := range words {
		hi, lo := bits.Mul(uint(word), uint(by))
		lo, c := bits.Add(lo, carry, 0)
		words[i], carry = big.Word(lo), hi+c
	}
	return big.Word(carry)
}

// divisor divides numbers that are multiples of it. It multiplies by its inverse modulo the word
// size, from the lowest word up.
type divisor struct {
	odd, inverse uint
	twos         int
}

func divisorOf(n uint64) divisor {
	d := divisor{twos: bits.TrailingZeros64(n)}
	d.odd = uint(n >> d.twos)
	d.inverse = d.odd // right in its lowest three bits, and in twice as many each time
	for right := 3; right < bits.UintSize; right *= 2 {
		d.inverse *= 2 - d.odd*d.inverse
	}
	return d
}

// divide divides words in place; they must be a multiple of the divisor.
func (d divisor) divide(words []big.Word) {
	if d.twos > 0 {
		above := uint(0)
		for i := len(words) - 1; i >= 0; i-- {
			word := uint(words[i])
			words[i], above = big.Word(word>>d.twos|above), word<<(bits.UintSize-d.twos)
		}
	}
	if d.odd == 1 {
		return
	}
	borrow := uint(0)
	for i, word := range words {
		rest, less := bits.Sub(uint(word), borrow, 0)
		quotient := rest * d.inverse
		over, _ := bits.Mul(quotient, d.odd)
		words[i], borrow = big.Word(quotient), over+less
	}
}

// short returns 0 if the odd part of the divisor divides words, and another number if it doesn't.
// The result is the remainder, times a power of the word size.
func (d divisor) short(words []big.Word) uint {
	borrow := uint(0)
	for _, word := range words {
		rest, less := bits.Sub(uint(word), borrow, 0)
		over, _ := bits.Mul(rest*d.inverse, d.odd)
		borrow = over + less
	}
	return borrow % d.odd
}
