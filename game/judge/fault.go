package judge

import (
	"errors"
	"fmt"

	"norn/dice"
	"norn/lang/lint"
	"norn/rule"
)

// Fault is a fault that the author of a game as text can make. Its word names it, for those who say
// it in a language; its own text is English.
type Fault struct {
	Word string
	Data []any // names and values in turn; a value may be an error
	text string
}

func (f *Fault) Error() string { return f.text }

// fault returns a fault with its word, its text and its data.
func fault(word, text string, data ...any) error { return &Fault{Word: word, Data: data, text: text} }

// asFault returns the fault that an error is, nil if only norn's own mistake can be the cause.
func asFault(err error) *Fault {
	if known, ok := errors.AsType[*Fault](err); ok {
		return known
	}
	if large, ok := errors.AsType[*rule.LimitError](err); ok {
		return &Fault{Word: "large", Data: []any{"N", large.Branches}}
	}
	if few, ok := errors.AsType[*dice.TooFewError](err); ok {
		return &Fault{Word: "faces-few", Data: []any{"Dice", few.Need.String(), "N", few.Have}}
	}
	if face, ok := errors.AsType[*dice.FaceError](err); ok {
		return &Fault{Word: "face", Data: []any{"Face", face.Typed(), "Sides", face.Sides}}
	}
	return nil
}

// fault reports a fault with its word.
func (t *report) fault(word, text string, data ...any) {
	t.faults = append(t.faults, fault(word, text, data...))
}

// knows reports a fault among the arguments of a text, and whether there is one.
func (t *report) knows(text string, args []any) bool {
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			if known := asFault(err); known != nil {
				t.fault(known.Word, text, known.Data...)
				return true
			}
		}
	}
	return false
}

// inLine returns a mistake in a line of a case.
func inLine(line string, err error) error {
	text := fmt.Sprintf("%q: %v", line, err)
	if known := asFault(err); known != nil {
		return fault(known.Word, text, append(known.Data, "Line", line)...)
	}
	return fault("line", text, "Line", line, "Fault", err)
}

// ofText returns the fault of a game's text.
func ofText(one lint.Fault) error {
	return fault("text-"+one.Word, one.Error(), "Lang", string(one.Lang), "ID", one.ID, "Given", one.Given, "Text", one.Text)
}
