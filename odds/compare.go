package odds

import (
	"cmp"
	"math/big"
	"slices"
)

// Comparison shows several odds next to each other.
type Comparison struct {
	Sides []*Odds
	Rows  []Aligned // every outcome that any side has, in the order of the kinds
}

// Aligned is one outcome with its chance on each side, 0 where it is impossible.
type Aligned struct {
	Outcome string
	N       int
	Counts  bool
	P       []*big.Rat
}

// Compare aligns odds row by row, in the order of the kinds. Odds of other moves may have their rows
// in another order.
func Compare(kinds []Kind, sides ...*Odds) *Comparison {
	c := &Comparison{Sides: slices.Clone(sides)}
	for i, side := range sides {
		order := func(a, b Row) int {
			return cmp.Or(cmp.Compare(place(kinds, a.Outcome), place(kinds, b.Outcome)), cmp.Compare(a.N, b.N))
		}
		if !slices.IsSortedFunc(side.Rows, order) {
			sorted := *side
			sorted.Rows = slices.SortedStableFunc(slices.Values(side.Rows), order)
			c.Sides[i] = &sorted
		}
	}
	sides = c.Sides
	next := make([]int, len(sides))
	for {
		var first *Row // the first row that isn't aligned yet
		for i, side := range sides {
			if next[i] < len(side.Rows) && (first == nil || before(kinds, side.Rows[next[i]], *first)) {
				first = &side.Rows[next[i]]
			}
		}
		if first == nil {
			return c
		}
		row := Aligned{Outcome: first.Outcome, N: first.N, Counts: first.Counts, P: make([]*big.Rat, len(sides))}
		for i, side := range sides {
			row.P[i] = new(big.Rat)
			if next[i] < len(side.Rows) && side.Rows[next[i]].Outcome == row.Outcome && side.Rows[next[i]].N == row.N {
				row.P[i] = side.Rows[next[i]].P
				next[i]++
			}
		}
		c.Rows = append(c.Rows, row)
	}
}

func before(kinds []Kind, a, b Row) bool {
	if d := place(kinds, a.Outcome) - place(kinds, b.Outcome); d != 0 {
		return d < 0
	}
	return a.N < b.N
}

// Sum returns the sum of the row's chances on all sides, for choosing what's shown.
func (r Aligned) Sum() (sum float64) {
	for _, p := range r.P {
		sum += Float(p)
	}
	return sum
}

// Difference returns how much higher the row's chance is on a side than on the first one.
func (r Aligned) Difference(side int) *big.Rat { return new(big.Rat).Sub(r.P[side], r.P[0]) }
