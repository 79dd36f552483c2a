package dice

import (
	"math"
	"strconv"
)

// Limits of one throw. Larger throws are refused before a die is thrown.
const (
	MaxDice  = 1000 // dice in one throw
	MaxSides = 1000 // sides of one die
)

// Pool is a number of equal dice. For is their purpose in one word ("pool", "stress"), which names
// the throw in logs and JSON. A pool with N ≤ 0 throws nothing.
type Pool struct {
	N, Sides int
	For      string
}

// String returns the pool in notation, "3d6" or "d20", without its purpose.
func (p Pool) String() string {
	dice := "d" + strconv.Itoa(p.Sides)
	if p.N == 1 {
		return dice
	}
	return strconv.Itoa(p.N) + dice
}

// Check returns an error unless the pool is within the limits: N up to MaxDice, Sides 1…MaxSides. A
// pool without dice is always valid. The error is a *RangeError whose field is "dice" or "sides".
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

// Faces is a range of faces Lo…Hi, both included; it's empty if Lo > Hi. It is comparable. A die
// has only the faces 1…Sides.
type Faces struct{ Lo, Hi int }

// AtLeast returns n and all faces above.
func AtLeast(n int) Faces { return Faces{Lo: n, Hi: math.MaxInt} }

// AtMost returns 1…n.
func AtMost(n int) Faces { return Faces{Lo: 1, Hi: n} }

// Exactly returns the single face n.
func Exactly(n int) Faces { return Faces{Lo: n, Hi: n} }

// Between returns lo…hi, both included.
func Between(lo, hi int) Faces { return Faces{Lo: lo, Hi: hi} }

// Has reports whether face is in the range.
func (f Faces) Has(face int) bool { return f.Lo <= face && face <= f.Hi }

// Of returns how many of a die's faces 1…sides are in the range.
func (f Faces) Of(sides int) int {
	lo, hi := max(f.Lo, 1), min(f.Hi, sides)
	if lo > hi {
		return 0
	}
	return hi - lo + 1
}

// Roller throws single dice, uniformly on 1…sides. It isn't safe for concurrent use.
type Roller interface {
	Face(sides int) int
}

// Throw throws the pool die by die and returns the faces in that order. The pool must pass Check.
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

// between reports whether the range has two different ends.
func (f Faces) between() bool { return f.Lo != math.MinInt && f.Hi != math.MaxInt && f.Lo < f.Hi }
