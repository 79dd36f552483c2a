package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/bare"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// throw is what roll and odds have in common: a rule with its arguments and the
// words around it.
type throw struct {
	Game string          `json:"game"`
	Move string          `json:"move"`
	Args json.RawMessage `json:"args"`

	bare      bare.Throw
	like      func(bare.Throw) *throw // another throw of the same move
	title     string                  // "Spire · Check"
	details   []string                // the arguments that aren't as usual
	rule      func(*rule.Run) rule.Outcome
	aim       string // that choices were made for
	outcomes  []game.OutcomeKind
	headlines []headline
	text      func(o rule.Outcome) string              // an outcome in words
	meaning   func(o rule.Outcome) string              // what it means, "" for nothing
	mark      func(nth int, t rule.Thrown) []game.Mark // how the nth throw's dice are drawn
}

// headline is a chance that people ask for.
type headline struct {
	outcomes []string
	text     func(percent string) string
}

func (t *throw) outcome(id string) game.OutcomeKind {
	m := game.Move{Outcomes: t.outcomes}
	return m.Outcome(id)
}

// kinds are the outcomes in the order of their rows.
func (t *throw) kinds() []odds.Kind {
	kinds := make([]odds.Kind, len(t.outcomes))
	for i, o := range t.outcomes {
		kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
	}
	return kinds
}

// examples are what games give to be tried with a command, and then what is no game's.
func (p *program) examples(verb string, more ...string) string {
	var lines []string
	for _, g := range p.games {
		for _, line := range g.Examples {
			if strings.HasPrefix(line, verb+" ") {
				lines = append(lines, "norn "+line)
			}
		}
	}
	return strings.Join(append(lines, more...), "\n")
}

// throwCommands makes the tree of "roll" or "odds": a command for each game, in
// it one for each move that can be thrown bare, and one for plain notation.
// flags adds the flags that the whole tree has in common and do does the work.
func (p *program) throwCommands(root *cobra.Command, flags func(*cobra.Command) func(*cobra.Command, *throw) error) {
	for _, g := range p.games {
		group := p.group(g.ID+" "+p.Say("norn.metavar.move"), g.Word("game", "name"), "norn.error.missing-move", "norn.error.unknown-move")
		group.Aliases = p.aliases(g.Word("game", "name"))
		for i := range g.Moves {
			if m := &g.Moves[i]; m.Bare && m.Price != nil {
				group.AddCommand(p.moveCommand(g, m, flags))
			}
		}
		root.AddCommand(group)
	}
	root.AddCommand(p.notationCommand(flags))
}

// moveCommand throws one move. Its flags are the fields of its bare form.
func (p *program) moveCommand(g *game.Game, m *game.Move, flags func(*cobra.Command) func(*cobra.Command, *throw) error) *cobra.Command {
	c := p.command(m.ID+" "+p.Say("norn.metavar.flags"), g.Word("move", m.ID))
	c.Aliases = p.aliases(g.Word("move", m.ID))
	c.Args = cobra.ArbitraryArgs
	c.Long = p.title(g, m)
	f := m.Form.For(form.Bare)
	texts := map[string]string{}
	for path, field := range f.All() {
		if field.Kind == form.KindGroup || field.Kind == form.KindList {
			continue
		}
		flag := c.Flags().VarPF(&fieldFlag{texts: texts, path: path, kind: field.Kind, metavar: p.metavar(field)}, path, "", p.describe(g, field))
		if field.Kind == form.KindBool || field.Kind == form.KindTrait {
			flag.NoOptDefVal = "true"
		}
		complete(c, path, func() []cobra.Completion { return p.values(g, field) })
	}
	do := flags(c)
	c.RunE = func(c *cobra.Command, words []string) error {
		b, err := p.said(c, g, m, words, texts)
		if err != nil {
			return err
		}
		return do(c, p.moveThrow(b))
	}
	return c
}

func (p *program) moveThrow(b bare.Throw) *throw {
	g, m, f, args := b.Game, b.Move, b.Form, b.Args
	t := &throw{
		Game: g.ID, Move: m.ID, Args: f.JSON(args), bare: b, like: p.moveThrow,
		title:   p.title(g, m),
		details: p.details(g, f, args),
		rule:    b.Rule(), outcomes: m.Outcomes,
		text: func(o rule.Outcome) string { return p.Say(g.Word("outcome", o.ID), "N", o.N) },
		meaning: func(o rule.Outcome) string {
			if id := g.Word("meaning", o.ID); p.Has(id) {
				return p.Say(id, "N", o.N)
			}
			return ""
		},
		mark: func(_ int, thrown rule.Thrown) []game.Mark { return m.Mark(args, thrown) },
	}
	for _, h := range m.Headlines {
		t.headlines = append(t.headlines, headline{
			outcomes: h.Outcomes,
			text:     func(percent string) string { return p.Say(g.Word("headline", h.ID), "P", percent) },
		})
	}
	return t
}

func (p *program) title(g *game.Game, m *game.Move) string {
	return p.Say(g.Word("game", "name")) + " · " + p.Say(g.Word("move", m.ID))
}

// fieldFlag sets one field of a form.
type fieldFlag struct {
	texts   map[string]string
	path    string
	kind    form.Kind
	metavar string
}

func (f *fieldFlag) String() string { return f.texts[f.path] }

// Type is "bool" for what is on or off, else what stands for the value in help.
func (f *fieldFlag) Type() string {
	if f.kind == form.KindBool {
		return "bool"
	}
	return f.metavar
}

// Set takes the text as it is; the form checks all of them together. An empty
// number is no number, though a form would take its default.
func (f *fieldFlag) Set(text string) error {
	if text == "" && f.kind == form.KindInt {
		return form.Problem{Code: form.Missing}
	}
	f.texts[f.path] = text
	return nil
}

func (p *program) metavar(field form.Field) string {
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

// describe says in help what a field is and what may stand there.
func (p *program) describe(g *game.Game, field form.Field) string {
	label := p.label(g, field)
	var values []string
	for _, o := range field.Options {
		values = append(values, p.option(g, field, o))
	}
	list := strings.Join(values, ", ")
	switch {
	case field.Kind == form.KindInt && field.Default != nil && field.Default != 0:
		return p.Say("norn.field.range-default", "Field", label, "Min", field.Min, "Max", field.Max, "Default", field.Default)
	case field.Kind == form.KindInt:
		return p.Say("norn.field.range", "Field", label, "Min", field.Min, "Max", field.Max)
	case field.Kind == form.KindTrait && len(values) > 0 && field.Open:
		return p.Say("norn.field.open", "Field", label, "Values", list)
	case len(values) > 0:
		return p.Say("norn.field.choice", "Field", label, "Values", list)
	}
	return label
}

func (p *program) label(g *game.Game, field form.Field) string {
	return g.Label(p.Speaker, field.Name)
}

// option is a value as it's typed, with its word where that tells more.
func (p *program) option(g *game.Game, field form.Field, o form.Option) string {
	word, typed := p.optionWord(g, field, o), o.Value
	if typed == "" {
		typed = `""`
	}
	if field.Kind == form.KindChoice && o.Value == field.Default {
		return p.Say("norn.field.usual", "Value", typed)
	}
	if strings.EqualFold(word, strings.ReplaceAll(typed, "-", " ")) {
		return typed
	}
	return p.Say("norn.field.worded", "Value", typed, "Word", word)
}

func (p *program) optionWord(g *game.Game, field form.Field, o form.Option) string {
	if o.Text != "" {
		return o.Text
	}
	value := o.Value
	if value == "" {
		value = "none"
	}
	if id := g.Word(field.Set, value); p.Has(id) {
		return p.Say(id)
	}
	return o.Value
}

// values are what a flag can be completed to, with their words.
func (p *program) values(g *game.Game, field form.Field) []cobra.Completion {
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
			values = append(values, cobra.CompletionWithDesc(o.Value, p.optionWord(g, field, o)))
		}
	}
	return values
}

// details name the arguments that aren't as usual: "Skill", "Difficulty 2".
func (p *program) details(g *game.Game, f *form.Form, args any) []string {
	var details []string
	values := f.Fill(args)
	for _, field := range f.Fields {
		label := p.label(g, field)
		switch value := values[field.Name].(type) {
		case bool:
			if value {
				details = append(details, label)
			}
		case int:
			if value != field.Default {
				details = append(details, p.Say("norn.detail.number", "Field", label, "N", value))
			}
		case form.Trait:
			if value.Name() != "" {
				details = append(details, p.Say("norn.detail.named", "Field", label, "Value", p.optionWord(g, field, known(field, value.Name()))))
			} else if value.Has() {
				details = append(details, label)
			}
		case string:
			if value != field.Default {
				details = append(details, p.Say("norn.detail.named", "Field", label, "Value", p.optionWord(g, field, known(field, value))))
			}
		}
	}
	return details
}

// known is the option of a value, or one for a name that people gave.
func known(field form.Field, value string) form.Option {
	for _, o := range field.Options {
		if o.Value == value {
			return o
		}
	}
	return form.Option{Value: value, Text: value}
}

// heading prints what is thrown.
func (p *program) heading(t *throw) {
	fmt.Fprintln(p.out, strong.Render(t.title))
	if len(t.details) > 0 {
		for _, line := range wrap(strings.Join(t.details, " · "), p.out.width) {
			fmt.Fprintln(p.out, quiet.Render(line))
		}
	}
	fmt.Fprintln(p.out)
}

// notationCommand throws plain dice.
func (p *program) notationCommand(flags func(*cobra.Command) func(*cobra.Command, *throw) error) *cobra.Command {
	c := p.command("dice "+p.Say("norn.metavar.notation")+" "+p.Say("norn.metavar.flags"), "norn.about.dice")
	c.Long = p.Say("norn.about.dice") + "\n\n" + p.Say("norn.about.notation")
	c.Aliases = p.aliases("dice.move.dice")
	do := flags(c)
	c.Args = cobra.ArbitraryArgs
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() != "" && strings.Contains("0123456789d", unknown.GetSpecifiedName()) {
			return p.unknownFlag(c, "-"+unknown.GetSpecifiedShortnames()).hinting(p.Say("norn.hint.dashes", "Command", c.CommandPath()+" -- -2d6"))
		}
		return p.flagProblem(c, err)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		text := strings.Join(args, " ")
		if strings.TrimSpace(text) == "" {
			return p.wrong("norn.error.missing-notation").hinting(p.Say("norn.hint.notation"))
		}
		e, err := dice.Parse(text)
		if err != nil {
			return p.notationProblem(text, err)
		}
		return do(c, p.notationThrow(e))
	}
	return c
}

// notationBare is the same as a bare move.
func (p *program) notationBare(e dice.Expr) bare.Throw {
	b, err := bare.Texts(bare.Dice, &bare.Dice.Moves[0], map[string]string{"notation": e.String()})
	if err != nil {
		panic(err) // what was read is written so that it can be read again
	}
	return b
}

func (p *program) notationLike(b bare.Throw) *throw {
	text, _ := b.Form.Fill(b.Args)["notation"].(string)
	e, err := dice.Parse(text)
	if err != nil {
		panic(err) // it was read before
	}
	return p.notationThrow(e)
}

func (p *program) notationThrow(e dice.Expr) *throw {
	args, err := json.Marshal(map[string]dice.Expr{"notation": e})
	if err != nil {
		panic(err) // a text always has JSON
	}
	var thrown []dice.Term
	for _, term := range e.Terms() {
		if !term.IsConstant() {
			thrown = append(thrown, term)
		}
	}
	t := &throw{
		Game: bare.Dice.ID, Move: bare.Dice.Moves[0].ID, Args: args, title: e.String(),
		bare: p.notationBare(e), like: p.notationLike,
		rule:     rule.Notation(e),
		outcomes: game.Plain.Outcomes,
		text: func(o rule.Outcome) string {
			if o.ID == rule.Total {
				return p.Number(o.N)
			}
			return p.Say("dice.outcome."+o.ID, "N", o.N)
		},
		meaning: func(rule.Outcome) string { return "" },
		mark: func(nth int, t rule.Thrown) []game.Mark {
			marks := make([]game.Mark, len(t.Faces))
			if e.Explodes() && len(thrown) > 1 { // so that it isn't known whose dice were thrown again
				return marks
			}
			term := thrown[min(nth, len(thrown)-1)]
			for i, chosen := range term.Chosen(t.Faces) {
				switch {
				case chosen && term.Counts():
					marks[i] = game.Deciding
				case !chosen && !term.Counts():
					marks[i] = game.Cancelled
				}
			}
			return marks
		},
	}
	if e.Goal().Given {
		t.headlines = append(t.headlines, headline{
			outcomes: []string{rule.Reached},
			text:     func(percent string) string { return p.Say("dice.headline.goal", "P", percent) },
		})
	}
	return t
}
