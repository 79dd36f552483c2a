package distribution

import (
	"math/bits"
	"slices"
)

// Handful is N dice of one law. The law of a die can describe any faces, exploding ones too.
type Handful struct {
	N   int
	Die *Law[int]
}

// Worth returns the law of a die with len(worths) faces, whose i-th face is worth worths[i].
func Worth(worths []int) *Law[int] {
	return inOrder(Die(len(worths), func(face int) int { return worths[face-1] }))
}

// Sorted returns the law of the state that handfuls of unequal dice lead to. It calls step with
// each value and how many dice show it, highest value first; values that no die shows are skipped.
// The result of step must depend only on its arguments.
//
// It goes down the values and stores, for each state and each number of dice left, the number of
// ways to get there. Dice that show the same value are interchangeable, so hands are never listed.
// It reports to spend in advance how many steps on machine words a value takes, and stops with the
// error of spend.
func Sorted[S comparable](hands []Handful, start S, step func(state S, value, n int) S,
	spend func(steps int) error,
) (*Law[S], error) {
	type place struct {
		state S
		left  int // numbers of dice left: a digit for each handful
	}
	total := W(1)
	var values []int
	for _, h := range hands {
		for range h.N {
			total = total.Times(h.Die.Total)
		}
		values = append(values, h.Die.Values...)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	begin := 0
	for _, h := range hands {
		begin = begin*(h.N+1) + h.N
	}
	here := map[place]Weight{{start, begin}: W(1)}
	order := []place{{start, begin}} // keeps the order, so that equal calls return equal laws
	words := 1 + total.BitLen()/64
	for i := len(values) - 1; i >= 0; i-- {
		value, ways := values[i], 1 // in which dice may show it
		for _, h := range hands {
			if at, shows := slices.BinarySearch(h.Die.Values, value); shows && at > 0 {
				ways *= 1 + h.N/2
			}
		}
		if err := spend(stepsInAdding * len(order) * ways * words); err != nil {
			return nil, err
		}
		next := make(map[place]Weight, len(order))
		var met []place
		for _, at := range order {
			s := shower{hands: hands, value: value}
			s.show(len(hands)-1, at.left, 0, 1, 0, here[at], func(left, shown int, ways Weight) {
				to := place{at.state, left}
				if shown > 0 {
					to.state = step(at.state, value, shown)
				}
				sum, known := next[to]
				if !known {
					met = append(met, to)
				}
				next[to] = sum.Plus(ways)
			})
		}
		here, order = next, met
	}
	law := &Law[S]{Total: total}
	var seen places[S]
	for _, at := range order {
		if i := seen.of(at.state); i == len(law.Weights) {
			law.Weights = append(law.Weights, here[at])
		} else {
			law.Weights[i] = law.Weights[i].Plus(here[at])
		}
	}
	law.Values = slices.Clone(seen.values)
	return law, nil
}

// shower enumerates how many dice of each handful show a value.
type shower struct {
	hands []Handful
	value int
}

// show calls each with every way in which dice of handfuls 0…h show the value. left holds the
// digits of those handfuls, rest the digits of the higher ones, whose place value is scale.
func (s *shower) show(h, left, rest, scale, shown int, ways Weight, each func(left, shown int, ways Weight)) {
	if h < 0 {
		each(rest, shown, ways)
		return
	}
	hand := s.hands[h]
	base := hand.N + 1
	have := left % base
	weight, last := Weight{}, false
	if i, ok := slices.BinarySearch(hand.Die.Values, s.value); ok {
		weight, last = hand.Die.Weights[i], i == 0 // its lowest: all that are left show it
	}
	for k := 0; k <= have; k++ {
		if k > 0 {
			if weight.IsZero() {
				return
			}
			ways = ways.Times(weight).Times(W(uint64(have - k + 1))).Over(W(uint64(k)))
		}
		if !last || k == have {
			s.show(h-1, left/base, rest+(have-k)*scale, scale*base, shown+k, ways, each)
		}
	}
}

// SumOfRanks returns the law of the sum of the dice from rank from to rank to among all handfuls.
// Rank 0 is the highest die.
func SumOfRanks(hands []Handful, from, to int, spend func(steps int) error) (*Law[int], error) {
	hands = alike(hands)
	n := 0
	for _, h := range hands {
		n += h.N
	}
	if len(hands) == 1 && (from == 0 || to == n) {
		return highest(hands[0], to-from, from > 0, spend)
	}
	type state struct{ seen, sum int }
	law, err := Sorted(hands, state{}, func(s state, value, k int) state {
		kept := max(0, min(s.seen+k, to)-max(s.seen, from))
		if s.seen += k; s.seen >= to {
			s.seen = to
		}
		s.sum += kept * value
		return s
	}, spend)
	if err != nil {
		return nil, err
	}
	return inOrder(Map(law, func(s state) int { return s.sum })), nil
}

// alike merges handfuls of the same die.
func alike(hands []Handful) []Handful {
	var all []Handful
	for _, h := range hands {
		i := slices.IndexFunc(all, func(other Handful) bool {
			return other.Die == h.Die || slices.Equal(other.Die.Values, h.Die.Values) &&
				slices.EqualFunc(other.Die.Weights, h.Die.Weights, func(a, b Weight) bool { return a.Cmp(b) == 0 })
		})
		if i < 0 {
			all = append(all, h)
		} else {
			all[i].N += h.N
		}
	}
	return all
}

// highest returns the law of the sum of the keep highest dice of a handful, or of the lowest ones.
// Like Keep for plain dice, it groups hands by the lowest die that is used and by how many are
// higher.
func highest(h Handful, keep int, lowest bool, spend func(int) error) (*Law[int], error) {
	if keep <= 0 {
		return Sure(0), nil
	}
	values, weights := h.Die.Values, h.Die.Weights
	if lowest { // the same as keeping the highest of reversed dice
		values, weights = slices.Clone(values), slices.Clone(weights)
		slices.Reverse(values)
		slices.Reverse(weights)
		for i := range values {
			values[i] = -values[i]
		}
	}
	n, total := h.N, W(1)
	for range n {
		total = total.Times(h.Die.Total)
	}
	top, bottom := values[len(values)-1], values[0]
	span := top - bottom // values are counted from the lowest
	words := 1 + total.BitLen()/64
	if err := spend(len(values) * keep * keep / 2 * (keep*span + 1) / 2 * max(1, words/2)); err != nil {
		return nil, err
	}
	choose := pascal(n)
	sums := columnOf(keep*span+1, total)
	above := make([]column, keep) // ways to each sum of j dice above the value
	for j := range above {
		above[j] = columnOf(j*span+1, total)
	}
	above[0].at(0)[0] = 1
	lo := make([]int, keep) // the lowest sum of j dice
	below := h.Die.Total
	for i := len(values) - 1; i >= 0; i-- {
		value, weight := values[i]-bottom, weights[i]
		below = below.Minus(weight)
		equal, less := powersOf(weight, n), powersOf(below, n)
		for j := range keep {
			left := n - j
			ways := W(0) // ways in which so many of the others show the value that keep dice are complete
			for m := keep - j; m <= left; m++ {
				ways = ways.Plus(choose[left][m].Times(equal[m]).Times(less[left-m]))
			}
			ways = ways.Times(choose[n][j])
			shift := (keep - j) * value
			for s := lo[j]; s < above[j].len(); s++ {
				if number := trimZeros(above[j].at(s)); len(number) > 0 {
					sums.addProduct(shift+s, number, ways)
				}
			}
		}
		for j := keep - 1; j > 0; j-- { // dice that show the value are above the next one
			for m := 1; m <= j; m++ {
				by := choose[j][m].Times(equal[m])
				from := above[j-m]
				for s := lo[j-m]; s < from.len(); s++ {
					if number := trimZeros(from.at(s)); len(number) > 0 {
						above[j].addProduct(s+m*value, number, by)
					}
				}
			}
			lo[j] = min(j*value, above[j].len())
		}
	}
	law := &Law[int]{Total: total}
	all := sums.turn(sums.len())
	for s, weight := range all {
		if !weight.IsZero() {
			law.Values, law.Weights = append(law.Values, s+keep*bottom), append(law.Weights, weight)
		}
	}
	if lowest {
		for i := range law.Values {
			law.Values[i] = -law.Values[i]
		}
		slices.Reverse(law.Values)
		slices.Reverse(law.Weights)
	}
	return law, nil
}

// pascal returns the binomials up to n over n.
func pascal(n int) [][]Weight {
	all := make([][]Weight, n+1)
	for i := range all {
		all[i] = make([]Weight, i+1)
		all[i][0], all[i][i] = W(1), W(1)
		for k := 1; k < i; k++ {
			all[i][k] = all[i-1][k-1].Plus(all[i-1][k])
		}
	}
	return all
}

// powersOf returns base^0 … base^n.
func powersOf(base Weight, n int) []Weight {
	all := make([]Weight, n+1)
	all[0] = W(1)
	for k := 1; k <= n; k++ {
		all[k] = all[k-1].Times(base)
	}
	return all
}

// Largest returns the law of the size of the largest set: how many dice show the most common value.
func Largest(hands []Handful, spend func(int) error) (*Law[int], error) {
	law, err := Sorted(alike(hands), 0, func(best, _, n int) int { return max(best, n) }, spend)
	if err != nil {
		return nil, err
	}
	return inOrder(law), nil
}

// Straight returns the law of the length of the longest run of consecutive values.
func Straight(hands []Handful, spend func(int) error) (*Law[int], error) {
	type state struct{ last, run, best int }
	law, err := Sorted(alike(hands), state{}, func(s state, value, _ int) state {
		if s.run > 0 && s.last == value+1 {
			s.run++
		} else {
			s.run = 1
		}
		s.last, s.best = value, max(s.best, s.run)
		return s
	}, spend)
	if err != nil {
		return nil, err
	}
	return inOrder(Map(law, func(s state) int { return s.best })), nil
}

// Times returns the law of the sum of n independent draws from a law.
func Times(one *Law[int], n int, spend func(int) error) (*Law[int], error) {
	all := Sure(0)
	for ; n > 0; n >>= 1 {
		var err error
		if n&1 == 1 {
			if all, err = Plus(all, one, spend); err != nil {
				return nil, err
			}
		}
		if n > 1 {
			if one, err = Plus(one, one, spend); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Plus returns the law of the sum of two independent laws, lowest first.
func Plus(a, b *Law[int], spend func(int) error) (*Law[int], error) {
	if len(a.Values) > len(b.Values) {
		a, b = b, a
	}
	if len(a.Values) == 1 { // only the values shift
		law := &Law[int]{Values: slices.Clone(b.Values), Weights: b.Weights, Total: b.Total}
		for i := range law.Values {
			law.Values[i] += a.Values[0]
		}
		return law, nil
	}
	return Combine(a, b, func(x, y int) int { return x + y }, spend)
}

// Combine returns the law of f of two independent draws, lowest first.
func Combine(a, b *Law[int], f func(x, y int) int, spend func(int) error) (*Law[int], error) {
	law, err := Set(a, b, f, spend)
	if err != nil {
		return nil, err
	}
	return inOrder(law), nil
}

// Set returns the law of f of two independent draws, in the order in which values turn up.
func Set[T comparable](a, b *Law[int], f func(x, y int) T, spend func(int) error) (*Law[T], error) {
	bigger := a.Total.BitLen() + b.Total.BitLen()
	if err := spend(stepsInAdding * len(a.Values) * len(b.Values) * (1 + bigger/bits.UintSize)); err != nil {
		return nil, err
	}
	total := a.Total.Times(b.Total)
	var mix Mix[T]
	for i, x := range a.Values {
		for k, y := range b.Values {
			mix.AddTimes(f(x, y), a.Weights[i], b.Weights[k], total)
		}
	}
	return mix.Law(), nil
}
