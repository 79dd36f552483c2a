package distribution

import (
	"math/big"
	"math/bits"

	"norn/dice"
)

// MaxClasses is the largest number of classes that Classes takes. Faces in none of them form one
// more.
const MaxClasses = 4

// Tally counts the dice of a pool in each class. Unused classes are 0.
type Tally [MaxClasses]int

// Count returns the law of how many dice of p show one of the faces.
func Count(p dice.Pool, hit dice.Faces) *Law[int] {
	tally := Classes(p, hit)
	law := &Law[int]{Values: make([]int, len(tally.Values)), Weights: tally.Weights, Total: tally.Total}
	for i, t := range tally.Values {
		law.Values[i] = t[0]
	}
	return law
}

// Classes returns the law of how many dice of p fall into each class of faces: the multinomial
// distribution in closed form. Classes must not overlap, and there are at most MaxClasses.
func Classes(p dice.Pool, classes ...dice.Faces) *Law[Tally] {
	n := max(p.N, 0)
	sizes := make([]uint64, 0, MaxClasses+1)
	all := uint64(p.Sides)
	for _, class := range classes {
		size := uint64(class.Of(p.Sides))
		sizes = append(sizes, size)
		all -= size
	}
	sizes, all = reduce(append(sizes, all)), 0
	values := 1
	for i, size := range sizes {
		all += size
		if i > 0 && size > 0 {
			values = values * (n + i) / i
		}
	}
	m := multinomial{
		sizes: sizes,
		rest:  powers(sizes[len(sizes)-1], n),
		law:   &Law[Tally]{Values: make([]Tally, 0, values), Weights: make([]Weight, 0, values), Total: pow(all, n)},
		ints:  ints{n: 64},
	}
	m.fill(0, n, W(1))
	return m.law
}

// multinomial is the working state of Classes.
type multinomial struct {
	sizes []uint64
	rest  []Weight // powers of the last of them
	tally Tally
	law   *Law[Tally]

	down []divisor  // divisors of a weight on the way from k−1 to k dice of the last class but one
	now  []big.Word // the current weight, with room for one more step
	ints ints
}

// fill adds every distribution of the dice left among the classes from this one on.
func (m *multinomial) fill(class, left int, weight Weight) {
	switch size := m.sizes[class]; {
	case class == len(m.sizes)-1:
		m.add(weight.Times(m.rest[left]))
	case class == len(m.sizes)-2 && m.sizes[class+1] > 0:
		m.row(class, left, weight)
	default:
		ways := weight // the ways in which k of the dice left are in this class
		for k := 0; k <= left && (k == 0 || size > 0); k++ {
			if k > 0 {
				ways = ways.Times(W(size * uint64(left-k+1))).Over(W(uint64(k)))
			}
			m.tally[class] = k
			m.fill(class+1, left-k, ways)
		}
		m.tally[class] = 0
	}
}

// row is fill for the last two classes: each weight follows from the one before.
func (m *multinomial) row(class, left int, weight Weight) {
	size, rest := m.sizes[class], m.sizes[class+1]
	up := func(k int) uint64 { return size * uint64(left-k+1) } // the factor from k−1 to k
	weight = weight.Times(m.rest[left])
	m.add(weight)
	if size == 0 {
		return
	}
	if m.law.Total.large == nil {
		for k := 1; k <= left; k++ {
			weight = weight.Times(W(up(k))).Over(W(rest * uint64(k)))
			m.tally[class] = k
			m.add(weight)
		}
	} else {
		if m.down == nil {
			for k := range len(m.rest) {
				m.down = append(m.down, divisorOf(rest*uint64(max(1, k))))
			}
			m.now = make([]big.Word, m.law.Total.width()+1)
		}
		var room small
		clear(m.now)
		copy(m.now, weight.words(&room))
		for k := 1; k <= left; k++ {
			timesWord(m.now, big.Word(up(k)))
			m.down[k].divide(m.now)
			m.tally[class] = k
			m.add(m.ints.weight(m.now))
		}
	}
	m.tally[class] = 0
}

func (m *multinomial) add(weight Weight) {
	if !weight.IsZero() {
		m.law.Values = append(m.law.Values, m.tally)
		m.law.Weights = append(m.law.Weights, weight)
	}
}

// powers returns base^0 … base^n.
func powers(base uint64, n int) []Weight {
	all := make([]Weight, n+1)
	all[0] = W(1)
	for k := 1; k <= n; k++ {
		all[k] = all[k-1].Times(W(base))
	}
	return all
}

// reduce divides sizes by their greatest common divisor: a d10 that hits on
// half its faces is a coin.
func reduce(sizes []uint64) []uint64 {
	divisor := W(0)
	for _, size := range sizes {
		divisor = GCD(divisor, W(size))
	}
	for i := range sizes {
		sizes[i] /= divisor.lo
	}
	return sizes
}

// Sum returns the law of the total of p, lowest first.
func Sum(p dice.Pool) *Law[int] {
	if p.N <= 0 {
		return Sure(0)
	}
	n, s := p.N, p.Sides
	top := n * (s - 1) // totals are counted from the lowest, n
	law := &Law[int]{Values: make([]int, top+1), Weights: make([]Weight, top+1), Total: pow(uint64(s), n)}
	half := columnOf(top/2+1, law.Total)
	half.at(0)[0] = 1
	// The number of ways is a coefficient of (1 + x + … + x^(s-1))^n. Coefficients follow a
	// recurrence of three terms and are symmetric about the middle.
	ways := make([]big.Word, half.width+1)
	for k := 1; k <= top/2; k++ {
		if n == 1 {
			half.at(k)[0] = 1
			continue
		}
		clear(ways)
		addTimesWord(ways, trimZeros(half.at(k-1)), big.Word(n+k-1))
		if k > s {
			addTimesWord(ways, trimZeros(half.at(k-s-1)), big.Word(n*s-n-(k-1-s)))
		}
		if k >= s {
			lessTimesWord(ways, trimZeros(half.at(k-s)), big.Word(n*s-(k-s)))
		}
		by := divisorOf(uint64(k))
		by.divide(ways)
		copy(half.at(k), ways)
	}
	for i, weight := range half.turn(half.len()) {
		law.Weights[i], law.Weights[top-i] = weight, weight
	}
	for k := range law.Values {
		law.Values[k] = n + k
	}
	return law
}

// binomials returns the binomials up to n over n, half of each row; over gives their places.
func binomials(n int) column {
	all := column{width: n/bits.UintSize + 1} // no binomial needs more than n bits
	all.grow(over(n+1, 0))
	for i := range n + 1 {
		all.at(over(i, 0))[0] = 1
		for k := 1; k <= i/2; k++ {
			all.addWords(over(i, k), all.at(over(i-1, k-1)), unit)
			all.addWords(over(i, k), all.at(over(i-1, k)), unit)
		}
	}
	return all
}

var unit = []big.Word{1}

// over returns the place of n over k among the binomials. n − k has the same place.
func over(n, k int) int { return (n+1)*(n+1)/4 + min(k, n-k) }

// Hands is the law of the hands that a pool can show. A hand lists its faces highest first; the
// order of the throw doesn't matter.
type Hands struct {
	n       int
	faces   []int // n faces for each hand
	Weights []Weight
	Total   Weight
}

// Hand returns the i-th hand, which must not be changed.
func (h *Hands) Hand(i int) []int { return h.faces[i*h.n : (i+1)*h.n : (i+1)*h.n] }

// CountHands returns how many different hands p has without making them. It stops counting above
// the limit.
func CountHands(p dice.Pool, limit int) int {
	count := W(1)
	for k := 1; k <= p.N; k++ {
		count = count.Times(W(uint64(p.Sides + k - 1))).Over(W(uint64(k)))
		if count.Cmp(W(uint64(limit))) > 0 {
			return limit + 1
		}
	}
	return int(count.lo)
}

// Throw returns the law of the hands of p.
func Throw(p dice.Pool) *Hands {
	n := max(p.N, 0)
	hands := &Hands{n: n, Total: pow(uint64(p.Sides), n)}
	hand := make([]int, 0, n)
	var walk func(face, left int, weight Weight)
	walk = func(face, left int, weight Weight) {
		if left == 0 {
			hands.faces = append(hands.faces, hand...)
			hands.Weights = append(hands.Weights, weight)
			return
		}
		if face == 1 {
			for range left {
				hand = append(hand, 1)
			}
			hands.faces = append(hands.faces, hand...)
			hands.Weights = append(hands.Weights, weight)
			hand = hand[:len(hand)-left]
			return
		}
		ways := weight // the ways in which k of the dice left show this face
		for k := left; k >= 0; k-- {
			for range k {
				hand = append(hand, face)
			}
			walk(face-1, left-k, ways)
			hand = hand[:len(hand)-k]
			ways = ways.Times(W(uint64(k))).Over(W(uint64(left - k + 1)))
		}
	}
	walk(p.Sides, n, W(1))
	return hands
}
