package dice

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Hand holds faces typed in from dice on a real table, in the order in which a rule asks for them.
// It is no Roller, because typed faces can be too few, too many or impossible, and a Roller can't
// return an error. Call Take for each pool, then CheckEmpty.
type Hand struct {
	faces   []int
	taken   int
	minuses bool // see ReadOnesAsMinus
}

// NewHand returns a hand with a copy of faces.
func NewHand(faces []int) *Hand { return &Hand{faces: slices.Clone(faces)} }

// Take returns the next faces, as many as the pool has dice, in the order typed. The caller may
// change the slice. A 0 is the highest face of dice that show it that way: ten on a d10, a hundred
// on a d100. Fate dice show −, 0 and +; if any of these is among the faces, a 1 is +1. Take takes all
// faces or none: a *FaceError names the first face that the die doesn't have, a *TooFewError reports
// that the faces ran out.
func (h *Hand) Take(p Pool) ([]int, error) {
	if p.N <= 0 {
		return nil, nil
	}
	have := min(p.N, h.Remaining())
	faces := h.faces[h.taken : h.taken+have : h.taken+have]
	fate := p.For == FateDice && p.Sides == 3
	if fate && slices.ContainsFunc(faces, isFateValue) {
		for i, face := range faces {
			if face == 1 {
				faces[i] = typedPlus
			}
		}
	}
	ones := fate && have > 0 && !slices.ContainsFunc(faces, func(face int) bool { return face != 1 })
	for i, face := range faces {
		if total, ok := totalOf(face); ok {
			return nil, &TotalError{At: h.taken + i + 1, Total: total, Of: p}
		}
		if shownFace(face, p) == 0 {
			return nil, &FaceError{At: h.taken + i + 1, Face: face, Sides: p.Sides}
		}
	}
	if have < p.N {
		return nil, &TooFewError{Need: p, Have: have, At: len(h.faces) + 1}
	}
	h.taken += have
	h.minuses = h.minuses || ones
	for i, face := range faces {
		faces[i] = shownFace(face, p)
	}
	return faces, nil
}

// ReadOnesAsMinus reports whether only ones were typed for Fate dice and read as the first of the
// die's three sides, a minus. The person may have intended +1.
func (h *Hand) ReadOnesAsMinus() bool { return h.minuses }

// TakeTotal is Take for a rule that needs only the total of the dice. If a total was typed in place
// of the faces, it returns faces that add up to it, and true. A total that the dice can't have is a
// *TotalError.
func (h *Hand) TakeTotal(p Pool) (faces []int, typed bool, err error) {
	if h.Remaining() == 0 || p.N <= 0 {
		faces, err = h.Take(p)
		return faces, false, err
	}
	total, typed := totalOf(h.faces[h.taken])
	if !typed {
		faces, err = h.Take(p)
		return faces, false, err
	}
	shift := 0
	if p.For == FateDice && p.Sides == 3 { // they show −1 to +1
		shift = 2 * p.N
	}
	sum := total + shift
	if sum < p.N || sum > p.N*p.Sides {
		return nil, true, &TotalError{At: h.taken + 1, Total: total, Of: p, Least: p.N - shift, Most: p.N*p.Sides - shift}
	}
	h.taken++
	faces = make([]int, p.N)
	for i := range faces {
		faces[i] = sum / p.N
		if i < sum%p.N {
			faces[i]++
		}
	}
	return faces, true, nil
}

// ShownTotal returns the total of a pool's faces as the dice show them.
func ShownTotal(p Pool, faces []int) (total int) {
	for _, face := range faces {
		total += face
	}
	if p.For == FateDice && p.Sides == 3 {
		total -= 2 * len(faces)
	}
	return total
}

// Values that no typed number has.
const (
	typedMinus = math.MinInt // signs that are typed as faces of Fate dice
	typedPlus  = math.MinInt + 1
	typedTotal = math.MinInt + 2 + 2*maxTyped // a total of 0
)

// isFateValue reports whether a typed face of a Fate die is what the die shows, and no position.
func isFateValue(typed int) bool { return typed == typedMinus || typed == typedPlus || typed == 0 }

// maxTyped bounds the size of a typed total.
const maxTyped = MaxDice * MaxSides

// totalOf returns the total that was typed in place of faces, if it's one.
func totalOf(typed int) (total int, ok bool) {
	total = typed - typedTotal
	return total, typed < 0 && -maxTyped <= total && total <= maxTyped
}

// ParseTotal parses a total that is typed in place of faces: "=14". Hand.TakeTotal accepts the
// value that it returns.
func ParseTotal(text string) (typed int, ok bool) {
	r := newReader(text)
	typed, ok = r.total()
	return typed, ok && r.end()
}

// ParseFateFace parses a sign typed as a face of a Fate die: "+", "−", "+1" or "-1". Hand.Take
// accepts the face.
func ParseFateFace(text string) (face int, ok bool) {
	r := newReader(text)
	face, ok = r.sign()
	return face, ok && r.end()
}

// TotalText returns the text of a total that ParseTotal reads.
func TotalText(total int) string { return "=" + strings.Replace(strconv.Itoa(total), "-", "−", 1) }

// FaceText returns a typed face as it was typed: a number, a sign or a total.
func FaceText(face int) string {
	if total, ok := totalOf(face); ok {
		return TotalText(total)
	}
	switch face {
	case typedMinus:
		return "−"
	case typedPlus:
		return "+"
	}
	return strconv.Itoa(face)
}

// shownFace returns the face of a pool's die that shows what was typed, 0 if none does.
func shownFace(typed int, p Pool) int {
	switch fate := p.For == FateDice && p.Sides == 3; {
	case fate && typed == typedMinus:
		return 1
	case fate && typed == 0:
		return 2
	case fate && typed == typedPlus:
		return 3
	case typed == 0 && (p.Sides == 10 || p.Sides == 100):
		return p.Sides
	case typed < 1 || typed > p.Sides:
		return 0
	}
	return typed
}

// Remaining returns the number of faces not taken yet.
func (h *Hand) Remaining() int { return len(h.faces) - h.taken }

// CheckEmpty returns a *TooManyError if there are faces left.
func (h *Hand) CheckEmpty() error {
	if h.Remaining() == 0 {
		return nil
	}
	return &TooManyError{Left: h.Remaining(), At: h.taken + 1}
}

// TooFewError reports that a hand ran out of faces. Need is the pool to take, Have the number of
// faces that were left for it, and At the position of the first missing face, counted from 1 over
// the whole hand.
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

// TooManyError reports that a hand has Left more faces than were taken, the first of them at
// position At, from 1.
type TooManyError struct{ Left, At int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many faces: %d left over, from face %d on", e.Left, e.At)
}

// FaceError reports a face that its die doesn't have. At is its position, from 1.
type FaceError struct{ At, Face, Sides int }

// Typed returns the face as it was typed: a number or a sign.
func (e *FaceError) Typed() string { return FaceText(e.Face) }

func (e *FaceError) Error() string {
	return fmt.Sprintf("face %d: %s is not on a die of %d sides", e.At, e.Typed(), e.Sides)
}

// TotalError reports a total that was typed in place of faces, at position At from 1, of a pool
// whose faces are needed or, if Most is set, that only has totals from Least to Most.
type TotalError struct {
	At, Total   int
	Of          Pool
	Least, Most int
}

func (e *TotalError) Error() string {
	if e.Most == 0 {
		return fmt.Sprintf("face %d: the faces of %s are needed, not their total", e.At, e.Of)
	}
	return fmt.Sprintf("face %d: %s comes to %d to %d, not %d", e.At, e.Of, e.Least, e.Most, e.Total)
}

// ParseFaces parses typed faces such as "3,10,1": numbers 0…MaxSides separated by commas,
// semicolons or spaces; Hand.Take checks which dice have a 0. 00 is 100, as percentile dice show
// it. + and − are faces of Fate dice, alone or before a 1. =14 is the total of dice whose faces
// nobody noted, see Hand.TakeTotal. An empty text has no faces. Errors are *SyntaxError, and
// *FaceError with Sides = MaxSides for a face that no die has.
func ParseFaces(text string) ([]int, error) {
	r := newReader(text)
	var faces []int
	for r.space(); !r.end(); {
		from := r.at
		face, sign := r.sign()
		if !sign {
			face, sign = r.total()
		}
		if !sign {
			number, ok := r.number()
			if !ok {
				return nil, r.want(WantFace)
			}
			face = number
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
		case !spaced && !r.end() && !sign && !isSign(r.next()):
			return nil, r.want(WantSeparator)
		}
	}
	return faces, nil
}

// sign reads a face of a Fate die: +, −, +1 or −1.
func (r *reader) sign() (face int, ok bool) {
	if !isSign(r.next()) {
		return 0, false
	}
	face = typedMinus
	if c := r.next(); c == '+' || c == '＋' {
		face = typedPlus
	}
	r.at++
	from := r.at
	if n, _ := r.number(); n != 1 {
		r.at = from
	}
	return face, true
}

// total reads a total in place of faces: = and a number, which may be negative.
func (r *reader) total() (typed int, ok bool) {
	from := r.at
	if !r.eat('=', '＝') {
		return 0, false
	}
	r.space()
	minus := r.eat('-', '−', '–')
	n, ok := r.number()
	if !ok || n > maxTyped {
		r.at = from
		return 0, false
	}
	if minus {
		n = -n
	}
	return typedTotal + n, true
}

// isSign reports whether a rune is a plus or minus in any of its typographic forms.
func isSign(c rune) bool { return c != 0 && strings.ContainsRune("+＋-−–—", c) }
