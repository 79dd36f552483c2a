package distribution

import (
	"math/big"
	"math/bits"
	"slices"
)

// Numbers on their way to become weights are words, lowest first. Those that
// stand over one total are as wide as it: none of them, and no sum of those of
// distinct values, is larger.

// column is numbers of one width side by side.
type column struct {
	width int
	words []big.Word
}

// columnOf is a column of n numbers that are no larger than most.
func columnOf(n int, most Weight) column {
	width := most.width()
	return column{width: width, words: make([]big.Word, n*width)}
}

// width is how many words the weight takes, one at least.
func (w Weight) width() int { return max(1, (w.BitLen()+bits.UintSize-1)/bits.UintSize) }

// at is the i-th number.
func (c column) at(i int) []big.Word { return c.words[i*c.width : (i+1)*c.width : (i+1)*c.width] }

// len is how many numbers there are.
func (c column) len() int { return len(c.words) / c.width }

// grow makes room for n numbers at least.
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

// addWide is addTimes for numbers of more than a word.
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

// addProduct is addTimes for a number in words.
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

// addWords is addTimes for two numbers in words.
func (c column) addWords(i int, a, b []big.Word) {
	if c.width == 1 {
		for _, word := range a {
			c.words[i] += word * b[0]
		}
		return
	}
	addProduct(c.at(i), a, trimZeros(b))
}

// fill makes the numbers the powers of base, from base^0.
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

// weights reads the first n numbers, as many as there are. The column may be
// used again.
func (c column) weights(n int) []Weight {
	if c.width*bits.UintSize > 128 { // large weights keep their words
		c.words = slices.Clone(c.words[:min(n, c.len())*c.width])
	}
	return c.turn(n)
}

// turn is weights for a column that isn't used any more.
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

// smallWeight is the weight of a number of two words.
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

// ints is room for large weights, which are made many at once.
type ints struct {
	words []big.Word
	ints  []big.Int
	n     int // how many are made at once
}

// weight is the weight of a number, which is copied.
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

// small is room for the words of a weight that isn't large.
type small [128 / bits.UintSize]big.Word

// words are the weight's words, in room unless it's large; they must not be
// changed.
func (w Weight) words(room *small) []big.Word {
	if w.large != nil {
		return w.large.Bits()
	}
	return w.appendWords(room[:0])
}

// addProduct adds a · b, which fits together with what is there.
func addProduct(to, a, b []big.Word) {
	if len(a) < len(b) {
		a, b = b, a
	}
	for i, by := range b {
		addTimesWord(to[i:], a, by)
	}
}

// addTimesWord adds a · by.
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

// lessTimesWord takes a · by away, which is no more than what is there.
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

// timesWord multiplies words in place, and returns what doesn't fit.
func timesWord(words []big.Word, by big.Word) (over big.Word) {
	carry := uint(0)
	for i, word := range words {
		hi, lo := bits.Mul(uint(word), uint(by))
		lo, c := bits.Add(lo, carry, 0)
		words[i], carry = big.Word(lo), hi+c
	}
	return big.Word(carry)
}

// divisor divides numbers that it divides exactly: by its inverse modulo the
// size of a word, from the lowest word up.
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

// divide divides words in place.
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

// short is what words fall short of by, times a power of the size of a word,
// so that an odd divisor would divide them: 0 if it does.
func (d divisor) short(words []big.Word) uint {
	borrow := uint(0)
	for _, word := range words {
		rest, less := bits.Sub(uint(word), borrow, 0)
		over, _ := bits.Mul(rest*d.inverse, d.odd)
		borrow = over + less
	}
	return borrow % d.odd
}
