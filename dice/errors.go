package dice

import (
	"fmt"
	"strconv"
)

// Fields a RangeError may name.
const (
	FieldTerms    = "terms"    // terms of an expression
	FieldDice     = "dice"     // dice of one throw or term
	FieldSides    = "sides"    // sides of a die
	FieldKeep     = "keep"     // dice kept
	FieldDrop     = "drop"     // dice dropped
	FieldFace     = "face"     // the face dice are compared with
	FieldConstant = "constant" // a plain number
)

// RangeError is a number outside Min…Max, both allowed.
type RangeError struct {
	Field    string // one of the Field constants
	Min, Max int
	Given    int // math.MaxInt stands for anything longer
	At       int // rune offset in the text it was read from; 0 when it wasn't
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s must be %d…%d, not %d", e.Field, e.Min, e.Max, e.Given)
}

// What a SyntaxError may want.
const (
	WantTerm      = "dice or a number"
	WantSides     = "the number of sides"
	WantNumber    = "a number"
	WantHighLow   = "h or l"
	WantSign      = "+ or -"
	WantFace      = "a face"
	WantSeparator = "a comma"
)

// SyntaxError is a text that cannot be read any further.
type SyntaxError struct {
	At   int    // rune offset of what was found, from 0
	Want string // one of the Want constants
	Text string // the whole text
}

// Found is the character in the way, or "" at the end of the text.
func (e *SyntaxError) Found() string {
	i := 0
	for _, r := range e.Text {
		if i == e.At {
			return string(r)
		}
		i++
	}
	return ""
}

func (e *SyntaxError) Error() string {
	found := "the end"
	if f := e.Found(); f != "" {
		found = strconv.Quote(f)
	}
	return fmt.Sprintf("character %d: want %s, found %s", e.At+1, e.Want, found)
}

// MixError is an expression that both counts successes and adds faces up, so its
// result would be neither.
type MixError struct {
	At int // rune offset of the comparison
}

func (e *MixError) Error() string {
	return fmt.Sprintf("character %d: successes are not counted together with sums of dice", e.At+1)
}
