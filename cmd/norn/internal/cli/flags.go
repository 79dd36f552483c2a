package cli

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/form"
)

// ListFlag is a flag that may be repeated.
type ListFlag struct {
	Values  []string
	Metavar string
}

func (f *ListFlag) String() string { return strings.Join(f.Values, " ") }
func (f *ListFlag) Type() string   { return f.Metavar }
func (f *ListFlag) Set(text string) error {
	f.Values = append(f.Values, text)
	return nil
}

// misfit reports an invalid value of a setting. The caller knows the Place of the value and formats
// the message.
type misfit struct {
	id   string
	data []any
}

func (m *misfit) Error() string { return m.id }

// Unfit returns the error for an invalid value, by the id of a word and its data.
func Unfit(id string, data ...any) error { return &misfit{id, data} }

// Misfits explains what is wrong with the value at a place.
func (p *Program) Misfits(place string, err error) string {
	if m, ok := errors.AsType[*misfit](err); ok {
		return p.Say(m.id, append([]any{"Place", place}, m.data...)...)
	}
	if problem, ok := errors.AsType[form.Problem](err); ok {
		problem.Path = place
		id, data := problem.Word()
		return p.Say(id, data)
	}
	return place + ": " + err.Error()
}

// FlagProblem explains an error in the command's flags.
func (p *Program) FlagProblem(c *cobra.Command, err error) error {
	var (
		worded  *Failure // the flag itself explained it
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
		return p.UnknownFlag(c, "-"+unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return p.UnknownFlag(c, "--"+unknown.GetSpecifiedName())
	case errors.As(err, &bare):
		return p.Wrong("norn.error.flag-value", "Flag", "--"+bare.GetFlag().Name)
	case errors.As(err, &invalid) && errors.As(err, &unfit):
		return &Failure{Status: WrongUsage, Texts: []string{p.Misfits("--"+invalid.GetFlag().Name, err)}}
	case errors.As(err, &invalid):
		problem, ok := errors.AsType[form.Problem](err)
		if !ok { // pflag's own values are booleans only
			problem = form.Problem{Code: form.Type, Given: invalid.GetValue(), Allowed: []string{string(form.KindBool)}}
		}
		problem.Path = invalid.GetFlag().Name
		return form.Problems{problem}
	case errors.As(err, &syntax):
		return p.Wrong("norn.error.flag-syntax", "Flag", syntax.GetSpecifiedFlag())
	}
	return err
}

// UnknownFlag refuses a flag that the command doesn't have.
func (p *Program) UnknownFlag(c *cobra.Command, flag string) *Failure {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	f := p.Wrong("norn.error.unknown-flag", "Flag", flag)
	if name := Nearest(flag, names); name != "" {
		return f.Hinting(p.Say("norn.hint.meant", "Name", name))
	}
	return f.Hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
}

// CountFlag is a flag that takes a number.
type CountFlag struct {
	Value       int
	Metavar     string
	Least, Most int
}

func (f *CountFlag) String() string { return strconv.Itoa(f.Value) }
func (f *CountFlag) Type() string   { return f.Metavar }
func (f *CountFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && strings.Trim(text, "0123456789") != "" || text == "":
		return form.Problem{Code: form.Type, Given: text, Allowed: []string{string(form.KindInt)}}
	case err != nil || n < f.Least || n > f.Most:
		return form.Problem{Code: form.Range, Min: f.Least, Max: f.Most, Given: text}
	}
	f.Value = n
	return nil
}

// Complete sets how a flag's value is completed.
func Complete(c *cobra.Command, flag string, values func() []cobra.Completion) {
	err := c.RegisterFlagCompletionFunc(flag,
		func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return values(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		})
	if err != nil {
		panic(err) // can't happen: the flag was just added
	}
}

// ChoiceFlag is a flag with a few allowed values.
type ChoiceFlag struct {
	Value   string
	Metavar string
	Allowed []string
}

func (f *ChoiceFlag) String() string { return f.Value }
func (f *ChoiceFlag) Type() string   { return f.Metavar }
func (f *ChoiceFlag) Set(text string) error {
	for _, allowed := range f.Allowed {
		if text == allowed {
			f.Value = text
			return nil
		}
	}
	return form.Problem{Code: form.NoChoice, Given: text, Allowed: f.Allowed}
}

// TextFlag is a flag that takes any text and remembers whether it was given.
type TextFlag struct {
	Value   string
	Given   bool
	Metavar string
}

func (f *TextFlag) String() string { return f.Value }
func (f *TextFlag) Type() string   { return f.Metavar }
func (f *TextFlag) Set(text string) error {
	f.Value, f.Given = text, true
	return nil
}
