package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
	"norn/script"
)

// Failure is why a command ends without having done what it was asked for, in
// the reader's words.
type Failure struct {
	Status int
	Texts  []string // one or more errors
	Hint   string   // what to do about it, "" for nothing
}

func (f *Failure) Error() string { return strings.Join(f.Texts, "; ") }

// Wrong is a failure of who typed the line.
func (p *Program) Wrong(id string, data ...any) *Failure {
	return &Failure{Status: WrongUsage, Texts: []string{p.Say(id, data...)}}
}

// Fails is a failure of what was asked for.
func (p *Program) Fails(id string, data ...any) *Failure {
	return &Failure{Status: Failed, Texts: []string{p.Say(id, data...)}}
}

// Hinting adds advice.
func (f *Failure) Hinting(text string) *Failure {
	f.Hint = text
	return f
}

// Report writes an error down and returns the exit status it means.
func (p *Program) Report(err error) int {
	f := p.Explain(err)
	for _, text := range f.Texts {
		fmt.Fprintf(p.Err, "norn: %s: %s\n", alarm.Render("error"), Plain(text))
	}
	if f.Hint != "" {
		fmt.Fprintf(p.Err, "norn: %s: %s\n", advice.Render("hint"), Plain(f.Hint))
	}
	return f.Status
}

// Plain is a text with what others have written in it, and nothing that a
// terminal would take for a command.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Explain words an error.
func (p *Program) Explain(err error) *Failure {
	var (
		f        *Failure
		problems form.Problems
		limit    *rule.LimitError
		text     *script.Problem
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &problems):
		return p.Problems(problems)
	case errors.As(err, &text):
		return &Failure{Status: Failed, Texts: []string{text.Error()}}
	case errors.As(err, &limit):
		return p.Fails("norn.error.too-large").Hinting(p.Say("norn.hint.simulate"))
	case errors.Is(err, context.Canceled):
		return p.Fails("norn.error.interrupted")
	}
	if refusal, ok := game.AsRefusal(err); ok {
		voice := game.Voice{Speaker: p.Speaker, Name: func(id string) string { return id }}
		return &Failure{Status: WrongUsage, Texts: []string{voice.Refusal(refusal)}}
	}
	return p.Fails("norn.error.unexpected", "Text", err.Error())
}

// Problems words what is wrong with the values of flags.
func (p *Program) Problems(problems form.Problems) *Failure {
	f := &Failure{Status: WrongUsage}
	for _, problem := range problems {
		problem.Path = "--" + problem.Path
		id, data := problem.Word()
		f.Texts = append(f.Texts, p.Say(id, data))
	}
	return f
}

// Nearest is the name that was probably meant, "" if none comes near.
func Nearest(typed string, names []string) string {
	best, least := "", 3 // more slips than two are another word
	for _, name := range names {
		d := lang.EditDistance(lang.Key(typed), lang.Key(name))
		if len(typed) > 1 && strings.HasPrefix(lang.Key(name), lang.Key(typed)) {
			d = 1
		}
		if d < least && d < len(name) {
			best, least = name, d
		}
	}
	return best
}

// Suggest is the hint for a name that isn't one: the nearest, or all there are.
func (p *Program) Suggest(typed string, names []string) string {
	if name := Nearest(typed, names); name != "" {
		return p.Say("norn.hint.meant", "Name", name)
	}
	return p.Say("norn.hint.names", "Names", strings.Join(names, ", "))
}

// Warn says something that keeps nobody from going on.
func (p *Program) Warn(text string) {
	fmt.Fprintf(p.Err, "norn: %s: %s\n", caution.Render("warning"), Plain(text))
}

// FileProblem words why a file can't be read or written.
func (p *Program) FileProblem(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return p.Fails("norn.error.file-exists", "Path", path).Hinting(p.Say("norn.hint.file-exists"))
	}
	return p.Fails("norn.error.file", "Path", path, "Text", Cause(err))
}

// Voice names characters by their ids.
func (p *Program) Voice() game.Voice {
	return game.Voice{Speaker: p.Speaker, Name: func(id string) string { return id }}
}

// Cause is what the system says, without what was tried.
func Cause(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}
