package dice

import (
	"fmt"
	"strconv"
	"strings"
)

// Fields a RangeError may name.
const (
	FieldTerms    = "terms"    // terms of an expression
	FieldDice     = "dice"     // dice of one throw or term
	FieldSides    = "sides"    // sides of a die, or its own faces
	FieldKeep     = "keep"     // dice kept
	FieldDrop     = "drop"     // dice dropped
	FieldFace     = "face"     // the face dice are compared with
	FieldConstant = "constant" // a plain number
	FieldTimes    = "times"    // throws of one expression
	FieldDepth    = "depth"    // parentheses in parentheses
	FieldBands    = "bands"    // named bands
	FieldTotal    = "total"    // what an expression can come to
	FieldLength   = "length"   // characters of the text
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
	WantClose     = "a closing bracket"
)

// SyntaxError is a text that cannot be read any further. Of is the construct that is being read.
type SyntaxError struct {
	At   int    // rune offset of what was found, from 0
	Want string // one of the Want constants
	Text string // the whole text
	Of   Construct
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

// Construct is the id of a construct of notation, as refusals and the guide name it.
type Construct string

// Constructs.
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
)

// Reasons of a MeantError.
const (
	NoDice    = "no-dice"    // nothing is thrown
	NoFace    = "no-face"    // no face meets a comparison
	AllFaces  = "all-faces"  // every face does
	Either    = "either"     // a total or a count could be meant
	Unlike    = "unlike"     // totals, counts or symbols are added up
	OneDie    = "one-die"    // advantage of something else than one die
	ByZero    = "by-zero"    // a division by what may be 0
	Uneven    = "uneven"     // dice without a middle of that size
	Symbols   = "symbols"    // several symbols that nothing counts
	Overlap   = "overlap"    // bands that share a value
	Twice     = "twice"      // a construct that is written twice
	Repeated  = "repeated"   // several throws or a product could be meant
	Different = "difference" // several throws whose values can't be added
)

// MeantError is notation that can be read, but hardly means what it says. Try are spellings that
// Parse takes, of what was probably meant.
type MeantError struct {
	Reason string
	Of     Construct
	At     int // rune offset
	Given  string
	Try    []string
}

func (e *MeantError) Error() string {
	text := fmt.Sprintf("character %d: %s: %s", e.At+1, e.Of, e.Reason)
	if len(e.Try) > 0 {
		text += "; write " + strings.Join(e.Try, " or ")
	}
	return text
}
