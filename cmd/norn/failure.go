package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/bare"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
	"norn/script"
)

// failure is why a command ends without having done what it was asked for, in
// the reader's words.
type failure struct {
	status int
	texts  []string // one or more errors
	hint   string   // what to do about it, "" for nothing
}

func (f *failure) Error() string { return strings.Join(f.texts, "; ") }

// wrong is a failure of who typed the line.
func (p *program) wrong(id string, data ...any) *failure {
	return &failure{status: wrongUsage, texts: []string{p.Say(id, data...)}}
}

// fails is a failure of what was asked for.
func (p *program) fails(id string, data ...any) *failure {
	return &failure{status: failed, texts: []string{p.Say(id, data...)}}
}

// hinting adds advice.
func (f *failure) hinting(text string) *failure {
	f.hint = text
	return f
}

// report writes an error down and returns the exit status it means.
func (p *program) report(err error) int {
	f := p.explain(err)
	for _, text := range f.texts {
		fmt.Fprintf(p.err, "norn: %s: %s\n", alarm.Render("error"), plain(text))
	}
	if f.hint != "" {
		fmt.Fprintf(p.err, "norn: %s: %s\n", advice.Render("hint"), plain(f.hint))
	}
	return f.status
}

// plain is a text with what others have written in it, and nothing that a
// terminal would take for a command.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return utf8.RuneError
		}
		return r
	}, text)
}

// explain words an error.
func (p *program) explain(err error) *failure {
	var (
		f        *failure
		problems form.Problems
		limit    *rule.LimitError
		text     *script.Problem
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &problems):
		return p.problems(problems)
	case errors.As(err, &text):
		return &failure{status: failed, texts: []string{text.Error()}}
	case errors.As(err, &limit):
		return p.fails("norn.error.too-large").hinting(p.Say("norn.hint.simulate"))
	case errors.Is(err, context.Canceled):
		return p.fails("norn.error.interrupted")
	}
	if refusal, ok := game.AsRefusal(err); ok {
		voice := game.Voice{Speaker: p.Speaker, Name: func(id string) string { return id }}
		return &failure{status: wrongUsage, texts: []string{voice.Refusal(refusal)}}
	}
	return p.fails("norn.error.unexpected", "Text", err.Error())
}

// flagProblem words what was found wrong while a command's flags were read.
func (p *program) flagProblem(c *cobra.Command, err error) error {
	var (
		worded  *failure // by the flag itself
		unknown *pflag.NotExistError
		bare    *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		unfit   *misfit
		syntax  *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &worded):
		return worded
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return p.unknownFlag(c, "-"+unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return p.unknownFlag(c, "--"+unknown.GetSpecifiedName())
	case errors.As(err, &bare):
		return p.wrong("norn.error.flag-value", "Flag", "--"+bare.GetFlag().Name)
	case errors.As(err, &invalid) && errors.As(err, &unfit):
		return &failure{status: wrongUsage, texts: []string{p.misfits("--"+invalid.GetFlag().Name, err)}}
	case errors.As(err, &invalid):
		problem, ok := errors.AsType[form.Problem](err)
		if !ok { // of pflag's own values norn has truths only
			problem = form.Problem{Code: form.Type, Given: invalid.GetValue(), Allowed: []string{string(form.KindBool)}}
		}
		problem.Path = invalid.GetFlag().Name
		return form.Problems{problem}
	case errors.As(err, &syntax):
		return p.wrong("norn.error.flag-syntax", "Flag", syntax.GetSpecifiedFlag())
	}
	return err
}

// unknownFlag refuses a flag that the command doesn't have.
func (p *program) unknownFlag(c *cobra.Command, flag string) *failure {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	f := p.wrong("norn.error.unknown-flag", "Flag", flag)
	if name := nearest(flag, names); name != "" {
		return f.hinting(p.Say("norn.hint.meant", "Name", name))
	}
	return f.hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
}

// problems words what is wrong with the values of flags.
func (p *program) problems(problems form.Problems) *failure {
	f := &failure{status: wrongUsage}
	for _, problem := range problems {
		problem.Path = "--" + problem.Path
		id, data := problem.Word()
		f.texts = append(f.texts, p.Say(id, data))
	}
	return f
}

// diceProblem words what is wrong with faces typed in; another error comes back
// as it was.
func (p *program) diceProblem(err error) error {
	var (
		few    *dice.TooFewError
		many   *dice.TooManyError
		face   *dice.FaceError
		syntax *dice.SyntaxError
	)
	switch {
	case errors.As(err, &few):
		return p.wrong("norn.error.dice-too-few", "At", few.At, "Pool", few.Need.String(), "N", few.Need.N, "Have", few.Have)
	case errors.As(err, &many):
		return p.wrong("norn.error.dice-too-many", "N", many.Left, "At", many.At)
	case errors.As(err, &face) && face.Sides == dice.MaxSides:
		return p.wrong("norn.error.dice-no-face", "At", face.At, "Face", given(face.Face), "Sides", face.Sides)
	case errors.As(err, &face):
		return p.wrong("norn.error.dice-face", "At", face.At, "Face", given(face.Face), "Sides", face.Sides)
	case errors.As(err, &syntax):
		return p.wrong("norn.error.dice-syntax", "At", syntax.At+1, "Found", p.found(syntax)).hinting(p.Say("norn.hint.dice"))
	}
	return err
}

// notationProblem words what is wrong with dice notation.
func (p *program) notationProblem(text string, err error) error {
	wrong := &failure{status: wrongUsage, texts: []string{bare.Say(p.Speaker, &game.NotationError{Text: text, Err: err})}}
	if syntax := (*dice.SyntaxError)(nil); errors.As(err, &syntax) {
		return wrong.hinting(p.Say("norn.hint.notation"))
	}
	return wrong
}

// found is what stands in the way of reading on.
func (p *program) found(err *dice.SyntaxError) string {
	if found := err.Found(); found != "" {
		return p.Say("norn.found.text", "Text", found)
	}
	return p.Say("norn.found.end")
}

// given is a number as it was typed, or that it's longer than any number held.
func given(n int) any {
	if n == math.MaxInt {
		return ">10¹⁸"
	}
	return n
}

// nearest is the name that was probably meant, "" if none comes near.
func nearest(typed string, names []string) string {
	best, least := "", 3 // more slips than two are another word
	for _, name := range names {
		d := lang.Slips(strings.ToLower(typed), strings.ToLower(name))
		if len(typed) > 1 && strings.HasPrefix(name, typed) {
			d = 1
		}
		if d < least && d < len(name) {
			best, least = name, d
		}
	}
	return best
}

// meant is the hint for a name that isn't one: the nearest, or all there are.
func (p *program) meant(typed string, names []string) string {
	if name := nearest(typed, names); name != "" {
		return p.Say("norn.hint.meant", "Name", name)
	}
	return p.Say("norn.hint.names", "Names", strings.Join(names, ", "))
}
