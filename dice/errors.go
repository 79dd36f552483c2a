package dice

import (
	"fmt"
	"strconv"
	"strings"
)

// Field constants are the values of RangeError.Field.
const (
	FieldTerms    = "terms"    // terms of an expression
	FieldDice     = "dice"     // dice of one throw or term
	FieldSides    = "sides"    // sides of a die, or its own faces
	FieldKeep     = "keep"     // dice to keep
	FieldDrop     = "drop"     // dice dropped
	FieldFace     = "face"     // the face dice are compared with
	FieldConstant = "constant" // a plain number
	FieldTimes    = "times"    // how often an expression is thrown
	FieldDepth    = "depth"    // nested parentheses
	FieldBands    = "bands"    // named bands
	FieldTotal    = "total"    // the values that an expression may have
	FieldLength   = "length"   // characters of the text
)

// RangeError reports a number outside Min…Max, both of which are allowed.
type RangeError struct {
	Field    string // one of the Field constants
	Min, Max int
	Given    int // math.MaxInt if the number is too long to hold
	At       int // rune offset in the text it was read from; 0 if there is no text
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s must be %d…%d, not %d", e.Field, e.Min, e.Max, e.Given)
}

// Want constants are the values of SyntaxError.Want.
const (
	WantTerm      = "dice or a number"
	WantSides     = "the number of sides"
	WantNumber    = "a number"
	WantHighLow   = "h or l"
	WantSign      = "+ or -"
	WantFace      = "a face"
	WantSeparator = "a comma"
	WantClose     = "a closing bracket"
)

// SyntaxError reports a text that can't be parsed. Of is the construct that was being read.
type SyntaxError struct {
	At   int    // rune offset of the error, from 0
	Want string // one of the Want constants
	Text string // the whole text
	Of   Construct
}

// Unexpected returns the unexpected character, or "" at the end of the text.
func (e *SyntaxError) Unexpected() string {
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
	if f := e.Unexpected(); f != "" {
		found = strconv.Quote(f)
	}
	return fmt.Sprintf("character %d: want %s, found %s", e.At+1, e.Want, found)
}

// Construct is the id of a construct of notation, as errors and the guide use it.
type Construct string

// Of constants name the constructs.
const (
	OfSum     Construct = "sum"
	OfDice    Construct = "dice"
	OfFaces   Construct = "faces"
	OfKeep    Construct = "keep"
	OfReroll  Construct = "reroll"
	OfExplode Construct = "explode"
	OfCompare Construct = "compare"
	OfSet     Construct = "set"
	OfGroup   Construct = "group"
	OfParens  Construct = "parentheses"
	OfTimes   Construct = "times"
	OfDivide  Construct = "divide"
	OfEdge    Construct = "advantage"
	OfGoal    Construct = "goal"
	OfBands   Construct = "bands"
	OfLabel   Construct = "label"
)

// Reasons of a MeantError.
const (
	NoDice    = "no-dice"    // nothing is thrown
	NoFace    = "no-face"    // no face meets a comparison
	AllFaces  = "all-faces"  // every face meets a comparison
	Either    = "either"     // either a total or a count is possible
	Unlike    = "unlike"     // totals, counts or symbols are added up
	OneDie    = "one-die"    // advantage on something other than one die
	ByZero    = "by-zero"    // a division by an expression that may be 0
	Uneven    = "uneven"     // dice without a middle of that size
	Symbols   = "symbols"    // several symbols that aren't counted
	Overlap   = "overlap"    // bands that share a value
	Twice     = "twice"      // a construct written twice
	Repeated  = "repeated"   // either several throws or a product is possible
	Different = "difference" // several throws whose values can't be added
	Glitching = "glitching"  // a glitch of dice that aren't counted, or not thrown by themselves
	Labelled  = "labelled"   // a label that may be part of the notation
	Fraction  = "fraction"   // a value that isn't whole
	Order     = "order"      // modifiers that don't go together in this order
	Elsewhere = "elsewhere"  // what another program means by it, norn can't
	Foreign   = "foreign"    // the notation of other programs
)

// DialectError reports a reading that isn't among Dialects.
type DialectError struct{ As string }

func (e *DialectError) Error() string {
	return fmt.Sprintf("no reading of notation is called %q", e.As)
}

// MeantError reports notation that is readable but probably a mistake. Try lists what was probably
// intended, in spellings that Parse accepts.
type MeantError struct {
	Reason string
	Of     Construct
	At     int // rune offset
	Given  string
	Try    []string
	As     []string // the readings whose text each of Try spells; nil if they are norn's own
}

func (e *MeantError) Error() string {
	text := fmt.Sprintf("character %d: %s: %s", e.At+1, e.Of, e.Reason)
	if len(e.Try) > 0 {
		text += "; write " + strings.Join(e.Try, " or ")
	}
	return text
}
