package chance

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
	var (
		mix   Mix[int]
		below Weight // of b's values
		total = a.Total.Times(b.Total)
		as    = order(a)
		bs    = order(b)
	)
	gather := func(sign, i int, weight Weight) {
		if !weight.IsZero() {
			mix.AddTimes(sign, a.Weights[i], weight, total)
		}
	}
	at := 0
	for _, i := range as {
		for at < len(bs) && b.Values[bs[at]] < a.Values[i] {
			below = below.Plus(b.Weights[bs[at]])
			at++
		}
		equal := Weight{}
		if at < len(bs) && b.Values[bs[at]] == a.Values[i] {
			equal = b.Weights[bs[at]]
		}
		gather(1, i, below)
		gather(0, i, equal)
		gather(-1, i, b.Total.minus(below).minus(equal))
	}
	return mix.Law()
}

// order lists the places of a law's values, lowest value first.
func order[T cmp.Ordered](l *Law[T]) []int {
	places := make([]int, len(l.Values))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(i, j int) int { return cmp.Compare(l.Values[i], l.Values[j]) })
	return places
}

// Mix gathers weighted values whose weights may stand over different totals:
// branches that threw different numbers of dice. The zero Mix is empty and
// ready; it's not safe for concurrent use.
type Mix[T comparable] struct {
	values []T
	last   int       // where a value was found last; the next is often the same
	index  map[T]int // once values are many
	heaps  []heap
	heap   int // the one added to last
	room   scratch
}

// heap is what was gathered over one total.
type heap struct {
	total Weight
	sums  []sum
}

// Add gathers value with the chance weight / total.
func (m *Mix[T]) Add(value T, weight, total Weight) { m.AddTimes(value, weight, W(1), total) }

// AddTimes is Add with the weight a · b.
func (m *Mix[T]) AddTimes(value T, a, b, total Weight) {
	i := m.place(value)
	h := m.over(total)
	if i >= len(h.sums) {
		h.sums = append(h.sums, make([]sum, i+1-len(h.sums))...)
	}
	h.sums[i].addTimes(a, b, &m.room)
}

// Len is how many values have been gathered.
func (m *Mix[T]) Len() int { return len(m.values) }

// place returns the place of a value, a new one at the end if need be.
func (m *Mix[T]) place(value T) int {
	if m.last < len(m.values) && m.values[m.last] == value {
		return m.last
	}
	m.last = m.find(value)
	if m.last < 0 {
		m.last = len(m.values)
		m.values = append(m.values, value)
		switch {
		case m.index != nil:
			m.index[value] = m.last
		case m.last == few:
			m.index = make(map[T]int, 4*few)
			for i, v := range m.values {
				m.index[v] = i
			}
		}
	}
	return m.last
}

func (m *Mix[T]) find(value T) int {
	if m.index != nil {
		if i, ok := m.index[value]; ok {
			return i
		}
		return -1
	}
	return slices.Index(m.values, value)
}

// over returns the heap over a total.
func (m *Mix[T]) over(total Weight) *heap {
	if m.heap < len(m.heaps) && m.heaps[m.heap].total.Cmp(total) == 0 {
		return &m.heaps[m.heap]
	}
	m.heap = slices.IndexFunc(m.heaps, func(h heap) bool { return h.total.Cmp(total) == 0 })
	if m.heap < 0 {
		m.heap = len(m.heaps)
		m.heaps = append(m.heaps, heap{total: total})
	}
	return &m.heaps[m.heap]
}

// Law brings everything gathered over one total. Values stand in the order in
// which they were first added. The Mix must not be added to afterwards.
func (m *Mix[T]) Law() *Law[T] {
	law := &Law[T]{Values: m.values, Weights: make([]Weight, len(m.values)), Total: W(1)}
	if len(m.heaps) == 1 {
		h := m.heaps[0]
		law.Total = h.total
		for i := range h.sums {
			law.Weights[i] = h.sums[i].weight()
		}
		return law
	}
	for _, h := range m.heaps {
		law.Total = law.Total.Over(gcd(law.Total, h.total)).Times(h.total)
	}
	sums := make([]sum, len(m.values))
	for _, h := range m.heaps {
		scale := law.Total.Over(h.total)
		for i := range h.sums {
			sums[i].addTimes(h.sums[i].weight(), scale, &m.room)
		}
	}
	for i := range sums {
		law.Weights[i] = sums[i].weight()
	}
	return law
}
