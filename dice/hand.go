package dice

import (
	"fmt"
	"slices"
)

// Hand is faces typed in from dice on a real table, in the order a rule asks for
// them. It is no Roller: typed faces can be too few, too many or impossible, and
// a die can't say so. Take each pool, then call Done.
type Hand struct {
	faces []int
	taken int
}

// NewHand holds a copy of faces.
func NewHand(faces []int) *Hand { return &Hand{faces: slices.Clone(faces)} }

// Take is the next faces, as many as the pool has dice, in the order typed; the
// caller may keep and change them. A 0 is the highest face of dice that show it
// so: ten on a d10, a hundred on a d100. It takes all or nothing: a *FaceError
// names the first face the die doesn't have, a *TooFewError tells that the faces
// ran out.
func (h *Hand) Take(p Pool) ([]int, error) {
	if p.N <= 0 {
		return nil, nil
	}
	have := min(p.N, h.Left())
	faces := h.faces[h.taken : h.taken+have : h.taken+have]
	for i, face := range faces {
		if face > p.Sides || face < 1 && !(face == 0 && showsZero(p.Sides)) {
			return nil, &FaceError{At: h.taken + i + 1, Face: face, Sides: p.Sides}
		}
	}
	if have < p.N {
		return nil, &TooFewError{Need: p, Have: have, At: len(h.faces) + 1}
	}
	h.taken += have
	for i, face := range faces {
		if face == 0 {
			faces[i] = p.Sides
		}
	}
	return faces, nil
}

// showsZero tells whether dice of so many sides show their highest face as 0.
func showsZero(sides int) bool { return sides == 10 || sides == 100 }

// Left is how many faces nobody has asked for yet.
func (h *Hand) Left() int { return len(h.faces) - h.taken }

// Done is a *TooManyError when faces are left over.
func (h *Hand) Done() error {
	if h.Left() == 0 {
		return nil
	}
	return &TooManyError{Left: h.Left(), At: h.taken + 1}
}

// TooFewError is a hand that ran out. At is the position, from 1 over the whole
// hand, of the first face that is missing: a face of Need, of which there are only Have.
type TooFewError struct {
	Need Pool
	Have int
	At   int
}

func (e *TooFewError) Error() string {
	purpose := ""
	if e.Need.For != "" {
		purpose = " for " + e.Need.For
	}
	return fmt.Sprintf("too few faces: face %d is missing, %s%s has %d of %d", e.At, e.Need, purpose, e.Have, e.Need.N)
}

// TooManyError is a hand with faces nobody asked for: Left of them, the first at
// position At, from 1.
type TooManyError struct{ Left, At int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many faces: %d left over, from face %d on", e.Left, e.At)
}

// FaceError is a face that its die doesn't have. At is its position, from 1.
type FaceError struct{ At, Face, Sides int }

func (e *FaceError) Error() string {
	return fmt.Sprintf("face %d: %d is not on a die of %d sides", e.At, e.Face, e.Sides)
}

// ParseFaces reads typed faces, "3,10,1": numbers 0…MaxSides between commas,
// semicolons or spaces; Take says on which dice there's a 0. 00 is 100, as
// percentile dice show it. An empty text is no faces. Errors are *SyntaxError,
// and *FaceError with Sides = MaxSides for a face no die has.
func ParseFaces(text string) ([]int, error) {
	r := newReader(text)
	var faces []int
	for r.space(); !r.end(); {
		from := r.at
		face, ok := r.number()
		if !ok {
			return nil, r.want(WantFace)
		}
		if string(r.runes[from:r.at]) == "00" { // as percentile dice show their highest face
			face = 100
		}
		if face > MaxSides {
			return nil, &FaceError{At: len(faces) + 1, Face: face, Sides: MaxSides}
		}
		faces = append(faces, face)

		spaced := r.space()
		switch {
		case r.eat(',', ';'):
			if r.space(); r.end() {
				return nil, r.want(WantFace)
			}
		case !spaced && !r.end():
			return nil, r.want(WantSeparator)
		}
	}
	return faces, nil
}
