package distribution

import (
	"cmp"
	"math/big"
	"slices"
)

// Law is a finite probability distribution: Values[i] has the chance Weights[i] / Total. Values are
// distinct. A finished law is read-only.
type Law[T comparable] struct {
	Values  []T
	Weights []Weight
	Total   Weight
}

// Sure returns the law of a value that is certain.
func Sure[T comparable](value T) *Law[T] {
	return &Law[T]{Values: []T{value}, Weights: []Weight{W(1)}, Total: W(1)}
}

// Chance returns the chance of the i-th value as a reduced fraction.
func (l *Law[T]) Chance(i int) *big.Rat { return l.Weights[i].Ratio(l.Total) }

// Of returns the chance of a value, 0 for one that isn't in the law.
func (l *Law[T]) Of(value T) *big.Rat {
	for i, v := range l.Values {
		if v == value {
			return l.Chance(i)
		}
	}
	return new(big.Rat)
}

// Map returns the law of f of a draw. Values that f maps to the same are merged.
func Map[T, U comparable](l *Law[T], f func(T) U) *Law[U] {
	var mix Mix[U]
	for i, v := range l.Values {
		mix.Add(f(v), l.Weights[i], l.Total)
	}
	return mix.Law()
}

// Compare returns the law of how a draw from a compares with a draw from b: −1, 0 or +1.
func Compare[T cmp.Ordered](a, b *Law[T]) *Law[int] {
	a, b = inOrder(a), inOrder(b)
	total := a.Total.Times(b.Total)
	sums := columnOf(3, total)
	below, others := Weight{}, b.Values // b's values that are lower, and those that aren't
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
	weights[0] = total.Minus(weights[1]).Minus(weights[2])
	law := &Law[int]{Values: make([]int, 0, 3), Weights: make([]Weight, 0, 3), Total: total}
	for i, weight := range weights {
		if !weight.IsZero() {
			law.Values, law.Weights = append(law.Values, i-1), append(law.Weights, weight)
		}
	}
	return law
}

// inOrder returns the law with its values sorted, lowest first.
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

// Mix collects weighted values whose weights may have different totals, as branches that threw
// different numbers of dice have. The chances of everything added must sum to at most 1: numbers
// are as wide as their total, so a larger sum overflows. Law panics where it finds that weights
// exceed their total. The zero Mix is empty and ready to use. It isn't safe for concurrent use.
type Mix[T comparable] struct {
	places[T]
	heaps []heap
	heap  int // the one that was added to last
	spare []big.Word
}

// heap holds what was collected over one total.
type heap struct {
	total Weight
	sums  column // by the values' places
}

// Add adds value with the chance weight / total.
func (m *Mix[T]) Add(value T, weight, total Weight) { m.AddTimes(value, weight, W(1), total) }

// AddTimes adds value with the chance a · b / total.
func (m *Mix[T]) AddTimes(value T, a, b, total Weight) {
	at := m.of(value)
	h := m.over(total)
	if at >= h.sums.len() {
		h.sums.grow(max(8, 2*at))
	}
	h.sums.addTimes(at, a, b)
}

// Len returns the number of distinct values added.
func (m *Mix[T]) Len() int { return len(m.values) }

// over returns the heap for a total, which it adds if it's new.
func (m *Mix[T]) over(total Weight) *heap {
	if m.heap < len(m.heaps) && m.heaps[m.heap].total == total {
		return &m.heaps[m.heap]
	}
	m.heap = slices.IndexFunc(m.heaps, func(h heap) bool { return h.total.Cmp(total) == 0 })
	if m.heap < 0 {
		m.heap = len(m.heaps)
		if m.heap < cap(m.heaps) { // reuse the memory of an earlier law's heap
			m.heaps = m.heaps[:m.heap+1]
			h := &m.heaps[m.heap]
			h.total, h.sums = total, column{total.width(), h.sums.words[:0]}
		} else {
			m.heaps = append(m.heaps, heap{total, columnOf(0, total)})
		}
	}
	return &m.heaps[m.heap]
}

// Law returns everything collected, over one common total. Values are in the order in which they
// were first added. The Mix is empty afterwards and keeps its memory.
func (m *Mix[T]) Law() *Law[T] {
	n := len(m.values)
	law := &Law[T]{Values: slices.Clone(m.values), Total: W(1)}
	if len(m.heaps) == 1 {
		law.Total, law.Weights = m.heaps[0].total, m.heaps[0].sums.weights(n)
	} else {
		for _, h := range m.heaps {
			law.Total = law.Total.Over(GCD(law.Total, h.total)).Times(h.total)
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

// mustFit panics if the weights exceed their total. Large weights need no check: they would have
// run out of words before.
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
