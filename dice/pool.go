package dice

import (
	"math"
	"strconv"
)

// Bounds of one throw. A rule or a person asking for more is refused before a die is thrown.
const (
	MaxDice  = 1000 // dice in one throw
	MaxSides = 1000 // sides of one die
)

// Pool is a handful of like dice. For says in one word what they are for
// ("pool", "stress"); it names the throw in trails, logs and JSON.
// A pool with N ≤ 0 throws nothing.
type Pool struct {
	N, Sides int
	For      string
}

// String is the pool in notation, "3d6" or "d20", without what it is for.
func (p Pool) String() string {
	dice := "d" + strconv.Itoa(p.Sides)
	if p.N == 1 {
		return dice
	}
	return strconv.Itoa(p.N) + dice
}

// Check tells whether the pool keeps to the bounds: N up to MaxDice, Sides
// 1…MaxSides. A pool that throws nothing always does. The error is a *RangeError
// whose field is "dice" or "sides".
func (p Pool) Check() error {
	switch {
	case p.N <= 0:
		return nil
	case p.N > MaxDice:
		return &RangeError{Field: FieldDice, Min: 0, Max: MaxDice, Given: p.N}
	case p.Sides < 1 || p.Sides > MaxSides:
		return &RangeError{Field: FieldSides, Min: 1, Max: MaxSides, Given: p.Sides}
	}
	return nil
}

// Faces is a run of faces Lo…Hi, both included; empty when Lo > Hi. Comparable.
// A die's faces are always 1…Sides.
type Faces struct{ Lo, Hi int }

// AtLeast is n and above, whatever the die.
func AtLeast(n int) Faces { return Faces{Lo: n, Hi: math.MaxInt} }

// AtMost is 1…n.
func AtMost(n int) Faces { return Faces{Lo: 1, Hi: n} }

// Exactly is the single face n.
func Exactly(n int) Faces { return Faces{Lo: n, Hi: n} }

// Between is lo…hi, both included.
func Between(lo, hi int) Faces { return Faces{Lo: lo, Hi: hi} }

// Has tells whether face lies in the run.
func (f Faces) Has(face int) bool { return f.Lo <= face && face <= f.Hi }

// Of is how many of a die's faces 1…sides lie in the run.
func (f Faces) Of(sides int) int {
	lo, hi := max(f.Lo, 1), min(f.Hi, sides)
	if lo > hi {
		return 0
	}
	return hi - lo + 1
}

// Roller throws single dice, uniformly on 1…sides. Not safe for concurrent use.
type Roller interface {
	Face(sides int) int
}

// Throw throws the pool die by die and gives the faces in the order they fell.
// The pool is expected to pass Check.
func Throw(r Roller, p Pool) []int {
	if p.N <= 0 {
		return nil
	}
	faces := make([]int, p.N)
	for i := range faces {
		faces[i] = r.Face(p.Sides)
	}
	return faces
}
