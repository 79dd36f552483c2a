package form

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Codes of problems.
const (
	Range     = "range"     // a number outside Min to Max
	Unknown   = "unknown"   // no such field; Allowed lists the fields
	Missing   = "missing"   // must be given
	Type      = "type"      // not a value of the field's kind; Allowed names the kind
	TooLong   = "too-long"  // more than Max characters
	TooShort  = "too-short" // fewer than Min characters
	TooMany   = "too-many"  // more than Max items
	TooFew    = "too-few"   // fewer than Min items
	NoChoice  = "choice"    // not one of Allowed
	UTF8      = "utf8"      // not UTF-8
	Control   = "control"   // a control character, or a line break in a single line
	Syntax    = "syntax"    // not JSON, or nested too deeply; Given is the byte where it ends
	Duplicate = "duplicate" // given twice
	// typed, but no chosen option uses it; Allowed names the field that would, if there is one
	Unneeded = "unneeded"
	Reserved = "reserved" // only a game master sets it
)

// Codes lists the codes of problems.
func Codes() []string {
	return []string{
		Range, Unknown, Missing, Type, TooLong, TooShort, TooMany, TooFew, NoChoice, UTF8, Control, Syntax, Duplicate,
		Unneeded, Reserved,
	}
}

// A Problem is one thing that is wrong with one field.
type Problem struct {
	Path    string   `json:"path"` // dotted: "difficulty", "skills.0.name"; "" for the whole input
	Code    string   `json:"code"`
	Min     int      `json:"min,omitempty"`
	Max     int      `json:"max,omitempty"`
	Given   string   `json:"given,omitempty"`   // the input, shortened and without control characters
	Allowed []string `json:"allowed,omitempty"` // values, names of fields, or the expected kind
	Sides   int      `json:"-"`                 // of dice with too few or too many faces; 0 for other items
	Later   bool     `json:"later,omitempty"`   // the extra items will be asked for later
	Chosen  bool     `json:"-"`                 // what is missing is chosen, not written
}

// Problems lists all problems of a value, in the order of the form's fields.
type Problems []Problem

// Error lists the problems in English.
func (p Problems) Error() string {
	texts := make([]string, len(p))
	for i, problem := range p {
		texts[i] = problem.Error()
	}
	return strings.Join(texts, "; ")
}

// Error describes the problem in English: "difficulty: must be 0 to 2, got 7".
func (p Problem) Error() string {
	if p.Path == "" {
		return p.text()
	}
	return p.Path + ": " + p.text()
}

func (p Problem) text() string {
	switch p.Code {
	case Range:
		return fmt.Sprintf("must be %d to %d, got %s", p.Min, p.Max, p.Given)
	case Unknown:
		if len(p.Allowed) == 0 {
			return "there is no such field"
		}
		return "there is no such field; the fields are " + p.allowedText()
	case Missing:
		return "must be given"
	case Type:
		return fmt.Sprintf("must be %s, got %s", p.allowedText(), p.Given)
	case TooLong:
		return fmt.Sprintf("must have at most %d characters, got %s", p.Max, p.Given)
	case TooShort:
		return fmt.Sprintf("must have at least %d characters, got %s", p.Min, p.Given)
	case TooMany:
		if p.Later {
			return fmt.Sprintf("only %d of %s is wanted now, the rest is asked for after a question", p.Max, p.Given)
		}
		return fmt.Sprintf("must have at most %d items, got %s", p.Max, p.Given)
	case TooFew:
		return fmt.Sprintf("must have at least %d items, got %s", p.Min, p.Given)
	case NoChoice:
		if len(p.Allowed) == 0 {
			return fmt.Sprintf("there is nothing to choose from, got %q", p.Given)
		}
		return fmt.Sprintf("must be one of %s, got %q", p.allowedText(), p.Given)
	case UTF8:
		return "is not UTF-8"
	case Control:
		return "has a control character or a line break that can't stand here"
	case Syntax:
		return "is not JSON, or nested too deeply, at byte " + p.Given
	case Duplicate:
		return "is given twice: " + p.Given
	case Reserved:
		return "only a game master sets this"
	case Unneeded:
		if len(p.Allowed) == 0 {
			return fmt.Sprintf("%q would be lost: leave it out", p.Given)
		}
		return fmt.Sprintf("%q would be lost: choose what takes it at %s, or leave it out", p.Given, p.allowedText())
	}
	return p.Code
}

// Word returns the id and the data of the problem's words for people. The id is
// form.problem.<code>, for a wrong type form.problem.type-<kind>, for a number of faces
// form.problem.faces. Suffixes are "-whole" if the problem concerns the whole input, "-choice" if
// something must be chosen, "-none" if no choice is left or no field uses the text, and "-later" if
// the rest will be asked for later. Field is the path; a caller that knows a label for the field
// replaces it. N selects the plural form.
func (p Problem) Word() (id string, data map[string]any) {
	n := p.Max
	if p.Code == TooShort || p.Code == TooFew {
		n = p.Min
	}
	id = "form.problem." + p.Code
	switch {
	case p.Path == "" && (p.Code == Type || p.Code == UTF8):
		id += "-whole"
	case p.Code == Type && len(p.Allowed) == 1:
		id += "-" + p.Allowed[0]
	case p.Code == Missing && p.Chosen:
		id += "-choice"
	case p.Later:
		id += "-later"
	case p.Sides > 0 && (p.Code == TooFew || p.Code == TooMany):
		id = "form.problem.faces"
	case (p.Code == NoChoice || p.Code == Unneeded) && len(p.Allowed) == 0:
		id += "-none"
	}
	return id, map[string]any{
		"Field": p.Path, "Min": p.Min, "Max": p.Max, "N": n, "Given": p.Given, "Allowed": p.allowedText(),
		"Sides": p.Sides,
	}
}

// allowedText returns a list of the first allowed values.
func (p Problem) allowedText() string {
	const shown = 20
	var texts []string
	for i, value := range p.Allowed {
		if i == shown {
			texts = append(texts, "…")
			break
		}
		if value == "" {
			value = `""`
		}
		if p.Code == Type {
			value = kinds[Kind(value)].values
		}
		texts = append(texts, value)
	}
	return strings.Join(texts, ", ")
}

// quote shortens input to a length that a message can show.
func quote(text string) string {
	const shown = 60
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == shown {
			b.WriteRune('…')
			break
		}
		if forbidden(r) || r == utf8.RuneError || !unicode.IsPrint(r) {
			r = '\uFFFD'
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
