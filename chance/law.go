package chance

import "math/big"

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

// Mix gathers weighted values whose weights may stand over different totals:
// branches that threw different numbers of dice. The zero Mix is empty and
// ready; it's not safe for concurrent use.
type Mix[T comparable] struct {
	values []T
	index  map[T]int
	heaps  []heap
}

// heap is what was gathered over one total.
type heap struct {
	total   Weight
	weights []sum
}

// Add gathers value with the chance weight / total.
func (m *Mix[T]) Add(value T, weight, total Weight) {
	if m.index == nil {
		m.index = make(map[T]int)
	}
	i, known := m.index[value]
	if !known {
		i = len(m.values)
		m.index[value] = i
		m.values = append(m.values, value)
	}
	h := m.heap(total)
	for len(h.weights) <= i {
		h.weights = append(h.weights, sum{})
	}
	h.weights[i].add(weight)
}

func (m *Mix[T]) heap(total Weight) *heap {
	for i := range m.heaps {
		if m.heaps[i].total.Cmp(total) == 0 {
			return &m.heaps[i]
		}
	}
	m.heaps = append(m.heaps, heap{total: total})
	return &m.heaps[len(m.heaps)-1]
}

// Law brings everything gathered over one total. Values stand in the order in
// which they were first added.
func (m *Mix[T]) Law() *Law[T] {
	if len(m.heaps) == 1 {
		h := m.heaps[0]
		law := &Law[T]{Values: m.values, Weights: make([]Weight, len(m.values)), Total: h.total}
		for i := range h.weights {
			law.Weights[i] = h.weights[i].weight()
		}
		return law
	}
	common := W(1)
	for _, h := range m.heaps {
		common = common.Over(gcd(common, h.total)).Times(h.total)
	}
	sums := make([]sum, len(m.values))
	for _, h := range m.heaps {
		scale := common.Over(h.total)
		for i := range h.weights {
			sums[i].add(h.weights[i].weight().Times(scale))
		}
	}
	law := &Law[T]{Values: m.values, Weights: make([]Weight, len(sums)), Total: common}
	for i := range sums {
		law.Weights[i] = sums[i].weight()
	}
	return law
}
