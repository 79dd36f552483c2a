package script

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"norn/game"
)

// Problem is a mistake in a game's text, with its place.
type Problem struct {
	File      string
	Line, Col int // from 1; 0 for the file as a whole
	What      string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.What
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.What)
}

func at(pos syntax.Position, format string, about ...any) *Problem {
	return &Problem{File: file, Line: int(pos.Line), Col: int(pos.Col), What: fmt.Sprintf(format, about...)}
}

// problemOf converts an error of Starlark.
func problemOf(err error) *Problem {
	var (
		own      *Problem
		spelling syntax.Error
		names    resolve.ErrorList
		run      *starlark.EvalError
	)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &spelling):
		return at(spelling.Pos, "%s", spelling.Msg)
	case errors.As(err, &names):
		return at(names[0].Pos, "%s", addAdvice(names[0].Msg))
	case errors.As(err, &run):
		pos, what := place(run.CallStack), addAdvice(run.Msg)
		if last := len(run.CallStack) - 1; last >= 0 && !strings.HasPrefix(run.CallStack[last].Name, bounding) &&
			run.CallStack[last].Pos.Filename() != file && !strings.HasPrefix(what, run.CallStack[last].Name+":") {
			what = run.CallStack[last].Name + ": " + what
		}
		return at(pos, "%s", what)
	}
	return &Problem{File: file, What: err.Error()}
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

// advice maps errors of Starlark to what to do about them.
var advice = []struct{ says, do string }{
	{"too many steps", "the rule takes too many steps: is there a loop that hardly ends?"},
	{"cannot append to frozen", "%s: what stands outside of a rule, or is used in a part, can't change; build a new list with +"},
	{"cannot insert into frozen", "%s: what stands outside of a rule, or is used in a part, can't change; build a new dict"},
	{"frozen", "%s: what stands outside of a rule, or is used in a part, can't change"},
	{"called recursively", "%s: a rule can't call itself; use for over range(n)"},
	{"does not support while loops", "there is no while; use for over range(n)"},
	{"global variable", "%s: norn may have a function of that name, as hand or good; take another"},
	{"got float", "%s: there are no fractions; use // to divide"},
}

func addAdvice(msg string) string {
	for _, a := range advice {
		if strings.Contains(msg, a.says) {
			if strings.Contains(a.do, "%s") {
				return fmt.Sprintf(a.do, msg)
			}
			return a.do
		}
	}
	return msg
}

// Fault is a problem of a running rule. Nothing is changed, and the player sees where the mistake
// is, as for a refusal.
type Fault struct{ Problem *Problem }

func (f *Fault) Error() string { return f.Problem.Error() }

// Unwrap returns the fault as a refusal for people.
func (f *Fault) Unwrap() error {
	p := f.Problem
	return &game.Refusal{
		Word: "script.refusal.fault",
		Data: map[string]any{"Where": fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col), "What": p.What},
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
	p := &Problem{File: file, What: err.Error()}
	if wrong, ok := errors.AsType[toml.ParseError](err); ok {
		p.Line, p.Col, p.What = wrong.Position.Line, max(1, wrong.Position.Col), wrong.Message
	}
	return p
}
