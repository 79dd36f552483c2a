package distribution

import (
	"slices"

	"norn/dice"
)

// Keep returns the law of the total of the n highest dice of p, or of the n lowest, lowest total
// first. n is at most p.N.
func Keep(p dice.Pool, n int, lowest bool) *Law[int] {
	n = min(n, p.N)
	if n <= 0 {
		return Sure(0)
	}
	s := p.Sides
	total := pow(uint64(s), p.N)
	totals := columnOf(n*(s-1)+1, total) // counted from the lowest total, n
	// Group hands by the lowest die that counts and by how many dice are higher: the higher ones
	// may show anything above it.
	for face := 1; face <= s; face++ {
		above := []Weight{W(1)} // number of ways in which the higher dice reach each total, starting with all at face+1
		for higher := range n {
			if higher > 0 {
				if face == s {
					break
				}
				above = oneMore(above, s-face)
			}
			ways := keptWays(p.N, n, higher, face)
			from := higher*face + (n-higher)*(face-1)
			for i, w := range above {
				totals.addTimes(from+i, w, ways)
			}
		}
	}
	law := &Law[int]{Values: make([]int, totals.len()), Weights: totals.turn(totals.len()), Total: total}
	for i := range law.Values {
		law.Values[i] = n + i
	}
	if lowest { // the same as keeping the highest of reversed dice
		slices.Reverse(law.Weights)
	}
	return law
}

// keptWays counts the ways to choose the dice that are higher than face, times the ways in which so
// many of the others show face that n dice are complete.
func keptWays(all, n, higher, face int) Weight {
	choose := W(1) // all over higher
	for k := 1; k <= higher; k++ {
		choose = choose.Times(W(uint64(all - k + 1))).Over(W(uint64(k)))
	}
	left := all - higher
	less := powers(uint64(face-1), left)
	ways, equal := W(0), W(1) // left over k
	for k := 0; k <= left; k++ {
		if k > 0 {
			equal = equal.Times(W(uint64(left - k + 1))).Over(W(uint64(k)))
		}
		if higher+k >= n {
			ways = ways.Plus(equal.Times(less[left-k]))
		}
	}
	return choose.Times(ways)
}

// oneMore adds a die with so many sides to the number of ways to each total, starting with all dice
// at their lowest.
func oneMore(ways []Weight, sides int) []Weight {
	more := make([]Weight, len(ways)+sides-1)
	for i := range more {
		if i > 0 {
			more[i] = more[i-1]
		}
		if i < len(ways) {
			more[i] = more[i].Plus(ways[i])
		}
		if i >= sides {
			more[i] = more[i].Minus(ways[i-sides])
		}
	}
	return more
}
