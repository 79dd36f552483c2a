package dice

import (
	"encoding/binary"
	"math"
	"strconv"
	"testing"
)

// The tests in this file are statistical, over dice thrown as at a table: each throw with a key of
// its own. Everything is derived from seedOfTests, so each test always has the same result. They
// compare about a hundred and thirty figures with a bound that a fair generator exceeds about once
// in a million, so one in some ten thousand seeds would fail. Unfair dice must exceed the same
// bounds; see the controls.

// oddly is the largest deviation allowed, in standard deviations: a chance of one in a million in
// both directions together.
const oddly = 4.75

// strange returns how far the counts are from equal shares, in standard deviations: Pearson's
// chi-square, made normal by Wilson and Hilferty's approximation. Far above 0 is too uneven, far
// below too even.
func strange(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	each, chi := float64(total)/float64(len(counts)), 0.0
	for _, n := range counts {
		chi += (float64(n) - each) * (float64(n) - each) / each
	}
	free := float64(len(counts) - 1)
	return (math.Cbrt(chi/free) - (1 - 2/(9*free))) / math.Sqrt(2/(9*free))
}

// thrown returns the dice of a part of a move at a test table.
func thrown(move int, part string) *Stream {
	secret := secretOf(seedOfTests)
	return NewStream(Key(secret, []string{"seven grey cranes", "4417"}, "table", "m"+strconv.Itoa(move),
		"n"+strconv.Itoa(move*7919), part))
}

// The figures of all dice together must also vary as much as chance makes them vary.
func TestFacesComeUpEquallyOften(t *testing.T) {
	const throws, dice, most = 1000, 40, 100 // for each die
	sum := 0.0
	for sides := 2; sides <= most; sides++ {
		counts := make([]int, sides)
		for i := range throws {
			s := thrown(sides*throws+i, "0#0")
			for range dice {
				counts[s.Face(sides)-1]++
			}
		}
		z := strange(counts)
		if math.Abs(z) > oddly {
			t.Errorf("d%d: the faces are off by %.1f standard deviations: %v", sides, z, counts)
		}
		sum += z
	}
	if mean := sum / (most - 1) * math.Sqrt(most-1); math.Abs(mean) > oddly {
		t.Errorf("over all dice the faces are off by %.1f standard deviations", mean)
	}
}

// A die must be independent of its neighbour in a throw, of the next move, of another part of the
// move, of the next throw of the part, and of another nonce.
func TestThrownDiceAreIndependent(t *testing.T) {
	first := func(sides, move int, part string) int { return thrown(move, part).Face(sides) }
	for name, pair := range map[string]func(sides, i int) (int, int){
		"beside each other in a throw": func(sides, i int) (int, int) {
			s := thrown(i, "0#0")
			return s.Face(sides), s.Face(sides)
		},
		"first and tenth of a throw": func(sides, i int) (int, int) {
			s := thrown(i, "0#0")
			a := s.Face(sides)
			for range 8 {
				s.Face(sides)
			}
			return a, s.Face(sides)
		},
		"of one move and the next": func(sides, i int) (int, int) {
			return first(sides, 2*i, "0#0"), first(sides, 2*i+1, "0#0")
		},
		"of two parts of a move": func(sides, i int) (int, int) {
			return first(sides, i, "0.0#0"), first(sides, i, "0.1#0")
		},
		"of two throws of a part": func(sides, i int) (int, int) {
			return first(sides, i, "0.1#0"), first(sides, i, "0.1#1")
		},
		"of a pool and a single die": func(sides, i int) (int, int) {
			return first(sides, i, "0#0"), thrown(i, "1#0").Face(sides)
		},
	} {
		for _, sides := range []int{3, 6, 10, 20} {
			counts := make([]int, sides*sides)
			for i := range 12_000 {
				a, b := pair(sides, i)
				counts[(a-1)*sides+b-1]++
			}
			if z := strange(counts); math.Abs(z) > oddly {
				t.Errorf("d%d, dice %s: pairs are off by %.1f standard deviations", sides, name, z)
			}
		}
	}
}

// The number of throws until a face comes up again must have its geometric distribution.
func TestWaitsForAFaceAreGeometric(t *testing.T) {
	const sides, longest = 6, 24
	counts, waited, total := make([]int, longest+1), 0, 0
	for i := range 20_000 {
		if waited++; thrown(i, "0#0").Face(sides) == sides {
			counts[min(waited, longest+1)-1]++
			waited, total = 0, total+1
		}
	}
	chi, rest := 0.0, float64(total)
	for _, n := range counts[:longest] {
		here := rest / sides
		chi += (float64(n) - here) * (float64(n) - here) / here
		rest -= here
	}
	chi += (float64(counts[longest]) - rest) * (float64(counts[longest]) - rest) / rest
	free := float64(longest)
	if z := (math.Cbrt(chi/free) - (1 - 2/(9*free))) / math.Sqrt(2/(9*free)); math.Abs(z) > oddly {
		t.Errorf("waiting times are off by %.1f standard deviations: %v", z, counts)
	}
}

// The bounds must catch: a remainder instead of rejecting words, a loaded die, dice that are dealt
// instead of thrown, a die that follows the previous one, and keys that are counted instead of
// derived.
func TestFairnessChecksCatchUnfairDice(t *testing.T) {
	control := func(name string, counts []int) {
		t.Helper()
		if z := strange(counts); math.Abs(z) <= oddly {
			t.Errorf("%s passes: %.1f standard deviations", name, z)
		}
	}
	const faces = 12_000
	s := NewStream(seedOfTests)
	remainder, loaded, dealt, follows := make([]int, 100), make([]int, 6), make([]int, 20), make([]int, 36)
	last := 1
	for i := range faces {
		remainder[(s.Face(256)-1)%100]++
		face := s.Face(6)
		if s.Face(20) == 1 { // one throw in twenty
			face = 6
		}
		loaded[face-1]++
		dealt[i%20]++
		next := s.Face(6)
		if s.Face(10) == 1 { // one throw in ten
			next = last
		}
		follows[(last-1)*6+next-1]++
		last = next
	}
	control("a remainder", remainder)
	control("a loaded die", loaded)
	control("a dealt die", dealt)
	control("a die that follows", follows)
	counted := make([]int, 36)
	for i := range faces {
		// the key is the number itself
		word := func(n int) uint64 { return binary.LittleEndian.Uint64([]byte{7: byte(n)}) }
		a, _ := faceOf(word(2*i), 6)
		b, _ := faceOf(word(2*i+1), 6)
		counted[(max(a, 1)-1)*6+max(b, 1)-1]++
	}
	control("counted keys", counted)
}
