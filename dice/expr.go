package dice

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Expr is dice in plain notation, as Parse reads it. The zero Expr is no dice and 0.
//
// An expression either adds faces up ("4d6kh3+2") or counts successes
// ("7d10>=6-3d10=1"); a constant may stand in both, where it adds points or
// successes. Its String is the canonical form: without spaces, lower case, Latin
// letters, a single die without its 1, a percentile die as d100, dropped dice as
// the dice kept ("4d6dl1" is 4d6kh3), strict comparisons as the inclusive ones
// (">5" is >=6). Parsing it gives an equal Expr.
type Expr struct {
	terms []Term
	goal  Goal
}

// Goal is what a total should come to: N at least, or N at most. The zero Goal asks for nothing.
type Goal struct {
	Given bool
	N     int
	Most  bool
}

// Met tells whether a total reaches the goal.
func (g Goal) Met(total int) bool {
	if g.Most {
		return total <= g.N
	}
	return total >= g.N
}

// String is the goal as it's written, "15+" or "6-".
func (g Goal) String() string {
	if g.Most {
		return strconv.Itoa(g.N) + "-"
	}
	return strconv.Itoa(g.N) + "+"
}

// Term is one summand of an expression: dice, or a constant.
type Term struct {
	Sign     int   // +1 or -1
	Pool     Pool  // N = 0 for a constant; For is "dice"
	Keep     Keep  // which dice count; never together with Count
	Count    Faces // the faces that are successes; the zero Faces when faces are summed
	Explodes bool  // each die is thrown again for its highest face; never together with Keep
	Fate     bool  // faces 1, 2 and 3 are worth −1, 0 and +1; never together with Count
	Constant int   // not negative; 0 for dice
}

// Keep is which dice of a pool count: the N highest, or the N lowest. The zero
// Keep keeps all; N is else below the number of dice.
type Keep struct {
	N      int
	Lowest bool
}

// Terms are the expression's terms as they were written, in a slice of the caller's own.
func (e Expr) Terms() []Term { return slices.Clone(e.terms) }

// Counts tells whether the expression counts successes instead of adding faces up.
func (e Expr) Counts() bool { return slices.ContainsFunc(e.terms, Term.Counts) }

// Goal is what the total should come to, as it was written.
func (e Expr) Goal() Goal { return e.goal }

// Explodes tells whether some dice are thrown again.
func (e Expr) Explodes() bool {
	return slices.ContainsFunc(e.terms, func(t Term) bool { return t.Explodes })
}

// Bounds are the least and the greatest total.
func (e Expr) Bounds() (least, greatest int) {
	for _, t := range e.terms {
		lo, hi := t.bounds()
		if t.Sign < 0 {
			lo, hi = -hi, -lo
		}
		least, greatest = least+lo, greatest+hi
	}
	return least, greatest
}

// String is the canonical form, described at Expr.
func (e Expr) String() string {
	if len(e.terms) == 0 {
		return "0"
	}
	var b strings.Builder
	for i, t := range e.terms {
		switch {
		case t.Sign < 0:
			b.WriteByte('-')
		case i > 0:
			b.WriteByte('+')
		}
		b.WriteString(t.String())
	}
	if e.goal.Given {
		b.WriteString(" " + e.goal.String())
	}
	return b.String()
}

// MarshalText gives the canonical form.
func (e Expr) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads any form, like Parse.
func (e *Expr) UnmarshalText(text []byte) error {
	read, err := Parse(string(text))
	if err != nil {
		return err
	}
	*e = read
	return nil
}

// IsConstant tells a plain number from dice.
func (t Term) IsConstant() bool { return t.Pool.N == 0 }

// Counts tells whether the term counts successes.
func (t Term) Counts() bool { return t.Count != Faces{} }

// String is the term's canonical form without its sign.
func (t Term) String() string {
	pool := t.Pool.String()
	switch {
	case t.Fate:
		pool = strings.TrimSuffix(pool, "3") + "F"
	case t.Explodes:
		pool += "!"
	}
	switch {
	case t.IsConstant():
		return strconv.Itoa(t.Constant)
	case t.Counts():
		return pool + comparison(t.Count)
	case t.Keep.N > 0 && t.Keep.Lowest:
		return pool + "kl" + strconv.Itoa(t.Keep.N)
	case t.Keep.N > 0:
		return pool + "kh" + strconv.Itoa(t.Keep.N)
	}
	return pool
}

// Worth is what a die that counts adds to the term's value, before its sign.
func (t Term) Worth(face int) int {
	switch {
	case t.Counts() && t.Count.Has(face):
		return 1
	case t.Counts():
		return 0
	case t.Fate:
		return face - 2
	}
	return face
}

// Again are the dice that are thrown once more for their highest faces, after how many throws of them; nothing is thrown of
// a pool without dice.
func (t Term) Again(faces []int, throws int) Pool {
	p := Pool{Sides: t.Pool.Sides, For: AgainDice}
	if !t.Explodes || throws > MaxExplosions {
		return p
	}
	for _, face := range faces {
		if face == t.Pool.Sides {
			p.N++
		}
	}
	return p
}

// AgainDice is what dice are for that are thrown again.
const AgainDice = "again"

// comparison writes faces as they are compared; notation has no others.
func comparison(f Faces) string {
	switch {
	case f.Lo == f.Hi:
		return "=" + strconv.Itoa(f.Lo)
	case f == AtLeast(f.Lo):
		return ">=" + strconv.Itoa(f.Lo)
	}
	return "<=" + strconv.Itoa(f.Hi)
}

// Chosen tells for each face whether it counts: whether it is kept, or a success.
// Of equal faces the earlier is kept.
func (t Term) Chosen(faces []int) []bool {
	chosen := make([]bool, len(faces))
	if t.Counts() || t.Keep.N == 0 {
		for i, face := range faces {
			chosen[i] = !t.Counts() || t.Count.Has(face)
		}
		return chosen
	}
	order := make([]int, len(faces))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if t.Keep.Lowest {
			return cmp.Compare(faces[i], faces[j])
		}
		return cmp.Compare(faces[j], faces[i])
	})
	for _, i := range order[:min(t.Keep.N, len(order))] {
		chosen[i] = true
	}
	return chosen
}

// bounds are the least and the greatest value before the sign.
func (t Term) bounds() (least, greatest int) {
	if t.IsConstant() {
		return t.Constant, t.Constant
	}
	kept, throws := t.Pool.N, 1
	if t.Keep.N > 0 {
		kept = t.Keep.N
	}
	if t.Explodes {
		throws += MaxExplosions
	}
	if !t.Counts() {
		return kept * t.Worth(1), kept * throws * t.Worth(t.Pool.Sides)
	}
	if t.Count.Of(t.Pool.Sides) == t.Pool.Sides {
		least = t.Pool.N
	}
	if !t.Count.Has(t.Pool.Sides) { // of a die that explodes only the last throw can be a success
		throws = 1
	}
	return least, t.Pool.N * throws
}

// Result is an expression thrown.
type Result struct {
	Terms []Thrown
	Total int
}

// Thrown is one term thrown. Value has the term's sign.
type Thrown struct {
	Term   Term
	Faces  []int  // in the order they fell; nil for a constant
	Chosen []bool // which of Faces count
	Value  int
}

// Throw throws the expression's dice, first term first.
func (e Expr) Throw(r Roller) Result {
	result, _ := e.Judge(func(p Pool) ([]int, error) { return Throw(r, p), nil })
	return result
}

// Judge is the result of faces that come from elsewhere, such as a Hand's Take or
// a run of rules. take is asked once for each term that has dice, in order, for
// exactly as many faces as the pool has dice, and once more for each handful that is
// thrown again; its first error ends the judging.
func (e Expr) Judge(take func(Pool) ([]int, error)) (Result, error) {
	var result Result
	for _, t := range e.terms {
		thrown := Thrown{Term: t, Value: t.Sign * t.Constant}
		if !t.IsConstant() {
			var all []int
			for p, throws := t.Pool, 1; p.N > 0; throws++ {
				faces, err := take(p)
				if err != nil {
					return Result{}, err
				}
				all, p = append(all, faces...), t.Again(faces, throws)
			}
			thrown = t.judge(all)
		}
		result.Terms = append(result.Terms, thrown)
		result.Total += thrown.Value
	}
	return result, nil
}

func (t Term) judge(faces []int) Thrown {
	thrown := Thrown{Term: t, Faces: faces, Chosen: t.Chosen(faces)}
	for i, face := range faces {
		if thrown.Chosen[i] {
			thrown.Value += t.Sign * t.Worth(face)
		}
	}
	return thrown
}

// String describes the result without words: each term with its faces, those that
// don't count in parentheses, and the total: "4d6kh3 [6 (1) 5 4] + 2 = 17".
func (r Result) String() string {
	var b strings.Builder
	for i, t := range r.Terms {
		switch {
		case i > 0 && t.Term.Sign < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		case t.Term.Sign < 0:
			b.WriteString("-")
		}
		b.WriteString(t.Term.String())
		if !t.Term.IsConstant() {
			b.WriteString(" " + t.faces())
		}
	}
	if len(r.Terms) == 0 {
		b.WriteString("0")
	}
	fmt.Fprintf(&b, " = %d", r.Total)
	return b.String()
}

func (t Thrown) faces() string {
	words := make([]string, len(t.Faces))
	for i, face := range t.Faces {
		words[i] = strconv.Itoa(face)
		if !t.Chosen[i] {
			words[i] = "(" + words[i] + ")"
		}
	}
	return "[" + strings.Join(words, " ") + "]"
}
