package script

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"norn/game"
	"norn/lang"
)

// Problem is a mistake in a game's text, with its place.
type Problem struct {
	File      string
	Line, Col int        // from 1; 0 for the file as a whole
	What      error      // a *Mistake, or an error of a library, which is in English
	More      []*Problem // what else is wrong with the text, in the order of places
}

// All returns the problem and what else is wrong with the text.
func (p *Problem) All() []*Problem { return append([]*Problem{p}, p.More...) }

// Within returns the problem with its place in a folder.
func (p *Problem) Within(folder string) *Problem {
	placed := *p
	placed.File, placed.More = filepath.Join(folder, p.File), nil
	for _, more := range p.More {
		placed.More = append(placed.More, more.Within(folder))
	}
	return &placed
}

// joined returns the first of several problems with the others, nil for none.
func joined(all []*Problem) error {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	first := *all[0]
	first.More = all[1:]
	return &first
}

// Error returns the problem in English.
func (p *Problem) Error() string { return p.Say(english()) }

// Say returns the problem with its place, in the speaker's language.
func (p *Problem) Say(s lang.Speaker) string { return p.place() + ": " + p.Explain(s) }

// Explain returns the problem without its place, in the speaker's language.
func (p *Problem) Explain(s lang.Speaker) string { return Explain(s, p.What) }

func (p *Problem) place() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Mistake says in every language what is wrong with a game's text.
type Mistake struct {
	Word string // the id of the text after "script.mistake."
	Data []any  // names and values in turn, as for lang.Speaker.Say

	in  string // the function or field that has the mistake, "" for none
	why error  // the mistake itself, if this one only says what has it
}

// Error returns the mistake in English.
func (m *Mistake) Error() string { return m.Say(english()) }

// Say returns the mistake in the speaker's language.
func (m *Mistake) Say(s lang.Speaker) string {
	if m.why != nil {
		return m.in + ": " + Explain(s, m.why)
	}
	return s.Say("script.mistake."+m.Word, m.Data...)
}

func english() lang.Speaker { return ownWords().In(lang.En) }

// Explain returns an error in the speaker's language if it's a *Mistake, else as it is.
func Explain(s lang.Speaker, err error) string {
	if m, ok := errors.AsType[*Mistake](err); ok {
		return m.Say(s)
	}
	return err.Error()
}

// maxQuote bounds a text that a mistake quotes.
const maxQuote = 400

// wrong returns a mistake; data are names and values in turn.
func wrong(word string, data ...any) error {
	for i, value := range data {
		if v, ok := value.(starlark.Value); ok {
			value = v.String()
		}
		if text, ok := value.(string); ok {
			if letters := []rune(text); len(letters) > maxQuote {
				text = string(letters[:maxQuote]) + "…"
			}
			value = text
		}
		data[i] = value
	}
	return &Mistake{Word: word, Data: data}
}

// inside returns a mistake that names the function or field that has it; "" for none.
func inside(name string, err error) error {
	if name == "" {
		return err
	}
	return &Mistake{in: name, why: err}
}

// typeOf returns the type of a value for a mistake. Values may be secret, so they aren't shown.
func typeOf(value starlark.Value) any {
	switch name := value.Type(); name {
	case "string", "int", "bool", "NoneType", "list", "tuple", "dict", "function":
		return &Mistake{Word: "type-" + name}
	default:
		return name
	}
}

func at(pos syntax.Position, what error) *Problem {
	return &Problem{File: file, Line: int(pos.Line), Col: int(pos.Col), What: what}
}

// problemOf converts an error of Starlark.
func problemOf(err error) *Problem {
	var (
		own   *Problem
		names resolve.ErrorList
		run   *starlark.EvalError
	)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &names):
		return at(names[0].Pos, addAdvice(names[0].Msg))
	case errors.As(err, &run):
		return inCall(run.CallStack, run.Msg, err)
	}
	return &Problem{File: file, What: err}
}

// inCall returns the problem that a call has met.
func inCall(stack starlark.CallStack, msg string, err error) *Problem {
	if own := (*Problem)(nil); errors.As(err, &own) {
		return own
	}
	what := addAdvice(msg)
	if m, ok := errors.AsType[*Mistake](err); ok {
		what = m
	}
	if last := len(stack) - 1; last >= 0 && !strings.HasPrefix(stack[last].Name, bounding) &&
		stack[last].Pos.Filename() != file && !strings.HasPrefix(msg, stack[last].Name+":") {
		what = inside(stack[last].Name, what)
	}
	return at(place(stack), what)
}

// place returns the place of a call in the text: that of the innermost frame in the file.
func place(stack starlark.CallStack) (pos syntax.Position) {
	for _, frame := range stack {
		if frame.Pos.IsValid() && frame.Pos.Filename() == file {
			pos = frame.Pos
		}
	}
	return pos
}

// advice maps errors of Starlark to mistakes that say what to do about them.
var advice = []struct{ says, word string }{
	{"return statement not within a function", "return-alone"},
	{"not in a loop", "loop-alone"},
	{"can't assign to", "assign"},
	{"positional argument may not follow", "named-last"},
	{"keyword argument ", "named-twice"},
	{"duplicate parameter: ", "parameter-twice"},
	{"required parameter may not follow", "parameter-last"},
	{"cannot reassign ", "name-twice"},
	{"by zero", "divide-zero"},
	{"invalid call of non-function", "call"},
	{"local variable ", "no-value"},
	{"out of range", "index"},
	{"not iterable", "each"},
	{"unknown binary op: ", "operands"},
	{"unknown unary op: ", "operands"},
	{"not implemented", "operands"},
	{"accepts ", "arguments"},
	{" missing ", "arguments"},
	{"unexpected keyword argument", "arguments"},
	{"too many steps", "steps"},
	{"cannot append to frozen", "frozen-list"},
	{"cannot insert into frozen", "frozen-dict"},
	{"frozen", "frozen"},
	{"called recursively", "recursion"},
	{"does not support while loops", "while"},
	{"global variable", "name-of-norn"},
	{"got float", "float"},
	{"undefined: ", "undefined"},
}

func addAdvice(msg string) error {
	for _, a := range advice {
		if _, name, says := strings.Cut(msg, a.says); says {
			name, near, similar := strings.Cut(name, " (did you mean ")
			if similar && a.word == "undefined" {
				return wrong(a.word+"-near", "Name", name, "Near", strings.TrimRight(near, "?)"))
			}
			return wrong(a.word, "Text", msg, "Name", name)
		}
	}
	return errors.New(msg)
}

// Fault is a problem of a running rule. Nothing is changed, and the player sees where the mistake
// is, as for a refusal.
type Fault struct{ Problem *Problem }

func (f *Fault) Error() string { return f.Problem.Error() }

// Defect implements game.Defect.
func (f *Fault) Defect() {}

// Say returns the fault in the speaker's language.
func (f *Fault) Say(s lang.Speaker) string { return f.Problem.Say(s) }

// Unwrap returns the fault as a refusal for people.
func (f *Fault) Unwrap() error {
	return &game.Refusal{
		Word: "script.refusal.fault",
		Data: map[string]any{"Where": f.Problem.place(), "What": f.Problem.What},
	}
}

// fault returns the reason why a run has ended: a refusal of the rule, or a mistake in its text.
func fault(err error) error {
	var refusal *game.Refusal
	if errors.As(err, &refusal) {
		return refusal
	}
	return &Fault{problemOf(err)}
}

// tomlProblem returns the problem in a TOML file.
func tomlProblem(file string, err error) *Problem {
	p := &Problem{File: file, What: err}
	if broken, ok := errors.AsType[toml.ParseError](err); ok {
		p.Line, p.Col, p.What = broken.Position.Line, max(1, broken.Position.Col), errors.New(broken.Message)
	}
	return p
}
