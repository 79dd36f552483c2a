package chance

import (
	"math/big"

	"norn/dice"
)

// MaxClasses is how many classes of faces a pool can be told into; the faces
// in none of them make one more.
const MaxClasses = 4

// Tally is how many dice of a pool fell into each class; unused ones are 0.
type Tally [MaxClasses]int

// Count is the law of how many dice of p show one of the faces.
func Count(p dice.Pool, hit dice.Faces) *Law[int] {
	tally := Classes(p, hit)
	law := &Law[int]{Values: make([]int, len(tally.Values)), Weights: tally.Weights, Total: tally.Total}
	for i, t := range tally.Values {
		law.Values[i] = t[0]
	}
	return law
}

// Classes is the law of how many dice of p fall into each class of faces:
// the multinomial in closed form. Classes must not overlap; there may be at
// most MaxClasses.
func Classes(p dice.Pool, classes ...dice.Faces) *Law[Tally] {
	n := max(p.N, 0)
	sizes := make([]uint64, 0, MaxClasses+1)
	rest := uint64(p.Sides)
	for _, class := range classes {
		size := uint64(class.Of(p.Sides))
		sizes = append(sizes, size)
		rest -= size
	}
	sizes = reduce(append(sizes, rest))

	all := uint64(0)
	powers := make([][]Weight, len(sizes)) // powers[c][k] = sizes[c]^k
	for c, size := range sizes {
		all += size
		powers[c] = make([]Weight, n+1)
		powers[c][0] = W(1)
		for k := 1; k <= n; k++ {
			powers[c][k] = powers[c][k-1].Times(W(size))
		}
	}
	law := &Law[Tally]{Total: pow(all, n)}
	var tally Tally
	var walk func(class, left int, weight Weight)
	walk = func(class, left int, weight Weight) {
		if class == len(sizes)-1 {
			if weight = weight.Times(powers[class][left]); !weight.IsZero() {
				law.Values = append(law.Values, tally)
				law.Weights = append(law.Weights, weight)
			}
			return
		}
		choose := W(1) // left over k
		for k := 0; k <= left; k++ {
			if k > 0 {
				choose = choose.Times(W(uint64(left - k + 1))).Over(W(uint64(k)))
			}
			if powers[class][k].IsZero() {
				break
			}
			tally[class] = k
			walk(class+1, left-k, weight.Times(choose).Times(powers[class][k]))
		}
		tally[class] = 0
	}
	walk(0, n, W(1))
	return law
}

// reduce divides sizes by their greatest common divisor: a d10 that hits on
// half its faces is a coin.
func reduce(sizes []uint64) []uint64 {
	divisor := W(0)
	for _, size := range sizes {
		divisor = gcd(divisor, W(size))
	}
	for i := range sizes {
		sizes[i] /= divisor.small
	}
	return sizes
}

// Sum is the law of the total of p, lowest first.
func Sum(p dice.Pool) *Law[int] {
	if p.N <= 0 {
		return Sure(0)
	}
	n, s := p.N, p.Sides
	top := n * (s - 1) // totals counted from the lowest, n
	c := make([]*big.Int, top+1)
	c[0] = big.NewInt(1)
	// The number of ways is a coefficient of (1 + x + … + x^(s-1))^n, and
	// those follow a recurrence of three terms, mirrored past the middle.
	var term, factor big.Int
	for k := 1; k <= top; k++ {
		if 2*k > top {
			c[k] = c[top-k]
			continue
		}
		ways := new(big.Int).Mul(c[k-1], factor.SetInt64(int64(n+k-1)))
		if k >= s {
			ways.Add(ways, term.Mul(c[k-s], factor.SetInt64(int64(k-s-n*s))))
		}
		if k > s {
			ways.Add(ways, term.Mul(c[k-s-1], factor.SetInt64(int64(n*s-n-(k-1-s)))))
		}
		c[k] = ways.Quo(ways, factor.SetInt64(int64(k)))
	}
	law := &Law[int]{Values: make([]int, top+1), Weights: make([]Weight, top+1), Total: pow(uint64(s), n)}
	for k, ways := range c {
		law.Values[k] = n + k
		law.Weights[k] = WBig(ways)
	}
	return law
}

// Fold is the law of a state that a pool leaves when its dice are shown to
// step as (face, how many), highest face first; faces that don't turn up
// aren't shown. Equal states are merged as soon as they meet.
func Fold[S comparable](p dice.Pool, start S, step func(state S, face, n int) S) *Law[S] {
	if p.N <= 0 {
		return Sure(start)
	}
	choose := pascal(p.N)
	// now[left] holds the states with that many dice yet to be shown.
	now, next := make([]pile[S], p.N+1), make([]pile[S], p.N+1)
	now[p.N].add(start, W(1))
	for face := p.Sides; face >= 1; face-- {
		for left := range now {
			for i, state := range now[left].states {
				weight := now[left].weights[i]
				if face == 1 && left > 0 { // all that are left
					next[0].add(step(state, face, left), weight)
					continue
				}
				next[left].add(state, weight)
				for k := 1; k <= left; k++ {
					next[left-k].add(step(state, face, k), weight.Times(choose[left][k]))
				}
			}
			now[left].clear()
		}
		now, next = next, now
	}
	return &Law[S]{Values: now[0].states, Weights: now[0].weights, Total: pow(uint64(p.Sides), p.N)}
}

// pile is a handful of weighted states, found by looking through them while
// they're few.
type pile[S comparable] struct {
	states  []S
	weights []Weight
	index   map[S]int // once they're many
}

const few = 24

func (p *pile[S]) add(state S, weight Weight) {
	if i := p.find(state); i >= 0 {
		p.weights[i] = p.weights[i].Plus(weight)
		return
	}
	p.states, p.weights = append(p.states, state), append(p.weights, weight)
	switch n := len(p.states); {
	case p.index != nil:
		p.index[state] = n - 1
	case n > few:
		p.index = make(map[S]int, 2*n)
		for i, s := range p.states {
			p.index[s] = i
		}
	}
}

func (p *pile[S]) find(state S) int {
	if p.index != nil {
		if i, ok := p.index[state]; ok {
			return i
		}
		return -1
	}
	for i, s := range p.states {
		if s == state {
			return i
		}
	}
	return -1
}

func (p *pile[S]) clear() { p.states, p.weights, p.index = p.states[:0], p.weights[:0], nil }

// pascal returns the binomials up to n over n.
func pascal(n int) [][]Weight {
	rows := make([][]Weight, n+1)
	for i := range rows {
		rows[i] = make([]Weight, i+1)
		rows[i][0], rows[i][i] = W(1), W(1)
		for k := 1; k < i; k++ {
			rows[i][k] = rows[i-1][k-1].Plus(rows[i-1][k])
		}
	}
	return rows
}

// Hands is the law of the hands a pool can show: each hand the faces highest
// first, order apart.
type Hands struct {
	n       int
	faces   []int // n faces a hand
	Weights []Weight
	Total   Weight
}

// Hand returns the i-th hand, which must not be changed.
func (h *Hands) Hand(i int) []int { return h.faces[i*h.n : (i+1)*h.n : (i+1)*h.n] }

// CountHands tells how many hands p has, without making them; it stops
// counting above the limit.
func CountHands(p dice.Pool, limit int) int {
	count := W(1)
	for k := 1; k <= p.N; k++ {
		count = count.Times(W(uint64(p.Sides + k - 1))).Over(W(uint64(k)))
		if count.Cmp(W(uint64(limit))) > 0 {
			return limit + 1
		}
	}
	return int(count.small)
}

// Throw is the law of the hands of p.
func Throw(p dice.Pool) *Hands {
	n := max(p.N, 0)
	hands := &Hands{n: n, Total: pow(uint64(p.Sides), n)}
	choose := pascal(n)
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
		for k := left; k >= 0; k-- {
			for range k {
				hand = append(hand, face)
			}
			walk(face-1, left-k, weight.Times(choose[left][k]))
			hand = hand[:len(hand)-k]
		}
	}
	walk(p.Sides, n, W(1))
	return hands
}
