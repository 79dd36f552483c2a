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

// Failure explains in the user's language why a command failed.
type Failure struct {
	Status int
	Texts  []string // one or more errors
	Hint   string   // advice, "" for none
}

func (f *Failure) Error() string { return strings.Join(f.Texts, "; ") }

// Wrong returns a failure caused by wrong usage.
func (p *Program) Wrong(id string, data ...any) *Failure {
	return &Failure{Status: WrongUsage, Texts: []string{p.Say(id, data...)}}
}

// Fails returns a failure of the command itself.
func (p *Program) Fails(id string, data ...any) *Failure {
	return &Failure{Status: Failed, Texts: []string{p.Say(id, data...)}}
}

// Hinting adds advice.
func (f *Failure) Hinting(text string) *Failure {
	f.Hint = text
	return f
}

// Report prints an error and returns its exit status.
func (p *Program) Report(err error) int {
	f := p.Explain(err)
	for _, text := range f.Texts {
		fmt.Fprintf(p.Err, "norn: %s: %s\n", alarm.Render(p.Say("norn.label.error")), Plain(text))
	}
	if f.Hint != "" {
		fmt.Fprintf(p.Err, "norn: %s: %s\n", advice.Render(p.Say("norn.label.hint")), Plain(f.Hint))
	}
	return f.Status
}

// Plain returns a text that others have written without control characters, which a terminal would
// interpret.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Explain turns an error into a failure with text.
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
		f := &Failure{Status: Failed}
		for _, problem := range text.All() {
			f.Texts = append(f.Texts, problem.Say(p.Speaker))
		}
		return f
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

// Problems explains what is wrong with the values of flags.
func (p *Program) Problems(problems form.Problems) *Failure {
	f := &Failure{Status: WrongUsage}
	for _, problem := range problems {
		problem.Path = "--" + problem.Path
		id, data := problem.Word()
		f.Texts = append(f.Texts, p.Say(id, data))
	}
	return f
}

// Nearest returns the most similar name, "" if none is similar.
func Nearest(typed string, names []string) string {
	best, least := "", 3 // with more than two typing errors it is another word
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

// Suggest returns the hint for an unknown name: the nearest name, or all of them.
func (p *Program) Suggest(typed string, names []string) string {
	if name := Nearest(typed, names); name != "" {
		return p.Say("norn.hint.meant", "Name", name)
	}
	return p.Say("norn.hint.names", "Names", strings.Join(names, ", "))
}

// Warn prints a warning.
func (p *Program) Warn(text string) {
	fmt.Fprintf(p.Err, "norn: %s: %s\n", caution.Render(p.Say("norn.label.warning")), Plain(text))
}

// FileProblem explains why a file can't be read or written.
func (p *Program) FileProblem(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return p.Fails("norn.error.file-exists", "Path", path).Hinting(p.Say("norn.hint.file-exists"))
	}
	return p.Fails("norn.error.file", "Path", path, "Text", Cause(err))
}

// Voice returns a voice that names characters by their ids.
func (p *Program) Voice() game.Voice {
	return game.Voice{Speaker: p.Speaker, Name: func(id string) string { return id }}
}

// Cause returns the system's message, without the operation that failed.
func Cause(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}
