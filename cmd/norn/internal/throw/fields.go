package throw

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/form"
	"norn/game"
	"norn/lang"
)

// fieldFlag sets one field of a form.
type fieldFlag struct {
	texts   map[string]string
	path    string
	kind    form.Kind
	metavar string
}

// fieldFlags adds the fields of a form to a command's flags. Given values are stored in texts.
func fieldFlags(p *cli.Program, flags *pflag.FlagSet, g *game.Game, f *form.Form, texts map[string]string) {
	for path, field := range f.All() {
		if field.Kind.HasFields() {
			continue
		}
		flag := flags.VarPF(&fieldFlag{texts: texts, path: path, kind: field.Kind, metavar: metavar(p, field)}, path,
			"", describe(p, g, field))
		if field.Kind.IsSwitch() {
			flag.NoOptDefVal = "true"
		}
	}
}

func (f *fieldFlag) String() string { return f.texts[f.path] }

// Type returns "bool" for what is on or off, otherwise the placeholder of the value in help.
func (f *fieldFlag) Type() string {
	if f.kind == form.KindBool {
		return "bool"
	}
	return f.metavar
}

// Set stores the text unchanged; the form checks all of them together. An empty number is an error,
// though a form would use its default.
func (f *fieldFlag) Set(text string) error {
	if text == "" && f.kind == form.KindInt {
		return form.Problem{Code: form.Missing}
	}
	f.texts[f.path] = text
	return nil
}

func metavar(p *cli.Program, field form.Field) string {
	switch field.Kind {
	case form.KindInt:
		return p.Say("norn.metavar.number")
	case form.KindFaces:
		return p.Say("norn.metavar.faces")
	case form.KindTrait:
		return p.Say("norn.metavar.name")
	}
	return p.Say("norn.metavar.value")
}

// describe explains a field and its possible values in help.
func describe(p *cli.Program, g *game.Game, field form.Field) string {
	label := g.Label(p.Speaker, field.Name)
	var values []string
	for _, o := range field.Options {
		values = append(values, option(p, g, field, o))
	}
	list := strings.Join(values, ", ")
	usual := field.Default
	if field.MayBeEmpty() {
		usual = field.Usual
	}
	switch {
	case field.Kind == form.KindInt && usual != nil && usual != 0:
		return p.Say("norn.field.range-default", "Field", label, "Min", field.Min, "Max", field.Max, "Default", usual)
	case field.Kind == form.KindInt:
		return p.Say("norn.field.range", "Field", label, "Min", field.Min, "Max", field.Max)
	case field.Kind == form.KindTrait && len(values) > 0 && field.Open:
		return p.Say("norn.field.open", "Field", label, "Values", list)
	case len(values) > 0:
		return p.Say("norn.field.choice", "Field", label, "Values", list)
	}
	return label
}

// option returns a value as it is typed, with its word if that says more.
func option(p *cli.Program, g *game.Game, field form.Field, o form.Option) string {
	word, typed := g.Option(game.Voice{Speaker: p.Speaker, Game: g.ID}, field, o), o.Value
	if typed == "" {
		typed = `""`
	}
	if field.Kind == form.KindChoice && o.Value == field.Default {
		return p.Say("norn.field.usual", "Value", typed)
	}
	if lang.Key(word) == lang.Key(strings.ReplaceAll(typed, "-", " ")) {
		return typed
	}
	return p.Say("norn.field.worded", "Value", typed, "Word", word)
}

// values lists the completions of a flag, with their words.
func values(p *cli.Program, g *game.Game, field form.Field) []cobra.Completion {
	var values []cobra.Completion
	switch {
	case field.Kind == form.KindBool:
		return []cobra.Completion{"true", "false"}
	case field.Kind == form.KindInt && field.Max-field.Min <= 20:
		for n := field.Min; n <= field.Max; n++ {
			values = append(values, fmt.Sprint(n))
		}
	}
	for _, o := range field.Options {
		if o.Value != "" {
			values = append(values, cobra.CompletionWithDesc(o.Value, g.Option(game.Voice{Speaker: p.Speaker, Game: g.ID}, field, o)))
		}
	}
	return values
}
