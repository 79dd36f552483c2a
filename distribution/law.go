package distribution

import (
	"cmp"
	"math/big"
	"slices"
)

// Law is a finite distribution: Values[i] comes with the chance
// Weights[i] / Total. Values are distinct. A law is read only once made.
type Law[T comparable] struct {
	Values  []T
	Weights []Weight
	Total   Weight
}

// Sure is the law of what can't turn out otherwise.
func Sure[T comparable](value T) *Law[T] {
	return &Law[T]{Values: []T{value}, Weights: []Weight{W(1)}, Total: W(1)}
}

// Chance returns the chance of the i-th value as a reduced fraction.
func (l *Law[T]) Chance(i int) *big.Rat { return l.Weights[i].Ratio(l.Total) }

// Of returns the chance of a value, 0 for one that can't be.
func (l *Law[T]) Of(value T) *big.Rat {
	for i, v := range l.Values {
		if v == value {
			return l.Chance(i)
		}
	}
	return new(big.Rat)
}

// Map sees a law through f and merges what f makes equal.
func Map[T, U comparable](l *Law[T], f func(T) U) *Law[U] {
	var mix Mix[U]
	for i, v := range l.Values {
		mix.Add(f(v), l.Weights[i], l.Total)
	}
	return mix.Law()
}

// Compare is the law of how what is drawn from one law compares with what is
// drawn from another: −1, 0 or +1.
func Compare[T cmp.Ordered](a, b *Law[T]) *Law[int] {
	a, b = inOrder(a), inOrder(b)
	total := a.Total.Times(b.Total)
	sums := columnOf(3, total)
	below, others := Weight{}, b.Values // of b's values that are lower, and those that aren't
	for i, value := range a.Values {
		for len(others) > 0 && others[0] < value {
			below = below.Plus(b.Weights[len(b.Values)-len(others)])
			others = others[1:]
		}
		if len(others) > 0 && others[0] == value {
			sums.addTimes(1, a.Weights[i], b.Weights[len(b.Values)-len(others)])
		}
		sums.addTimes(2, a.Weights[i], below)
	}
	weights := sums.turn(3)
	weights[0] = total.minus(weights[1]).minus(weights[2])
	law := &Law[int]{Values: make([]int, 0, 3), Weights: make([]Weight, 0, 3), Total: total}
	for i, weight := range weights {
		if !weight.IsZero() {
			law.Values, law.Weights = append(law.Values, i-1), append(law.Weights, weight)
		}
	}
	return law
}

// inOrder is a law with its lowest value first.
func inOrder[T cmp.Ordered](l *Law[T]) *Law[T] {
	if slices.IsSorted(l.Values) {
		return l
	}
	order := make([]int, len(l.Values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(l.Values[i], l.Values[j]) })
	sorted := &Law[T]{Values: make([]T, len(order)), Weights: make([]Weight, len(order)), Total: l.Total}
	for to, from := range order {
		sorted.Values[to], sorted.Weights[to] = l.Values[from], l.Weights[from]
	}
	return sorted
}

// Mix gathers weighted values whose weights may stand over different totals:
// branches that threw different numbers of dice. All it's given comes to a
// chance of 1 at most: numbers are as wide as their total, so a weight above it
// goes round. Law panics where it sees that weights come to more than their
// total. The zero Mix is empty and ready; it's not safe for concurrent use.
type Mix[T comparable] struct {
	places[T]
	heaps []heap
	heap  int // the one added to last
	spare []big.Word
}

// heap is what was gathered over one total.
type heap struct {
	total Weight
	sums  column // by the values' places
}

// Add gathers value with the chance weight / total.
func (m *Mix[T]) Add(value T, weight, total Weight) { m.AddTimes(value, weight, W(1), total) }

// AddTimes is Add with the weight a · b.
func (m *Mix[T]) AddTimes(value T, a, b, total Weight) {
	at := m.of(value)
	h := m.over(total)
	if at >= h.sums.len() {
		h.sums.grow(max(8, 2*at))
	}
	h.sums.addTimes(at, a, b)
}

// Len is how many values have been gathered.
func (m *Mix[T]) Len() int { return len(m.values) }

// over returns the heap over a total.
func (m *Mix[T]) over(total Weight) *heap {
	if m.heap < len(m.heaps) && m.heaps[m.heap].total == total {
		return &m.heaps[m.heap]
	}
	m.heap = slices.IndexFunc(m.heaps, func(h heap) bool { return h.total.Cmp(total) == 0 })
	if m.heap < 0 {
		m.heap = len(m.heaps)
		if m.heap < cap(m.heaps) { // one of a law before, whose room is used again
			m.heaps = m.heaps[:m.heap+1]
			h := &m.heaps[m.heap]
			h.total, h.sums = total, column{total.width(), h.sums.words[:0]}
		} else {
			m.heaps = append(m.heaps, heap{total, columnOf(0, total)})
		}
	}
	return &m.heaps[m.heap]
}

// Law brings everything gathered over one total. Values stand in the order in
// which they were first added. The Mix is empty afterwards, and keeps its room.
func (m *Mix[T]) Law() *Law[T] {
	n := len(m.values)
	law := &Law[T]{Values: slices.Clone(m.values), Total: W(1)}
	if len(m.heaps) == 1 {
		law.Total, law.Weights = m.heaps[0].total, m.heaps[0].sums.weights(n)
	} else {
		for _, h := range m.heaps {
			law.Total = law.Total.Over(gcd(law.Total, h.total)).Times(h.total)
		}
		sums := column{law.Total.width(), m.spare[:0]}
		sums.grow(n)
		for _, h := range m.heaps {
			scale := law.Total.Over(h.total)
			for i := range min(n, h.sums.len()) {
				sums.addProduct(i, trimZeros(h.sums.at(i)), scale)
			}
		}
		law.Weights, m.spare = sums.weights(n), sums.words
	}
	m.clear()
	m.heaps, m.heap = m.heaps[:0], 0
	law.mustFit()
	return law
}

// mustFit panics where weights come to more than their total. Large ones can't
// go round: they would have run out of their words before.
func (l *Law[T]) mustFit() {
	if l.Total.large != nil {
		return
	}
	sum := Weight{}
	for _, w := range l.Weights {
		sum = sum.Plus(w)
	}
	if sum.Cmp(l.Total) > 0 {
		panic("distribution: weights come to more than their total")
	}
}
