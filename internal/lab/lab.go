// Package lab answers questions about a rule that a reader wrote: its form and its odds.
//
// The reader's browser runs it, compiled to WebAssembly (lab/wasm), so no server runs a stranger's
// code. It has no state and starts no goroutine. A question may take long; the page stops it by
// ending the worker that runs it.
package lab

import (
	"context"
	"errors"
	"math/big"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/lang"
	"norn/odds"
	"norn/rule"
	"norn/script"
)

// Question is a question about a rule. Settings are those to compare, each a map of texts by field
// name; none means one with all defaults.
type Question struct {
	Lang     lang.Lang           `json:"lang"`
	Text     string              `json:"text"`
	Move     string              `json:"move,omitempty"` // "" for the first one
	Settings []map[string]string `json:"settings,omitempty"`
}

// Answer is the result for a rule: a problem in its text, or its form and the odds of each setting.
type Answer struct {
	Problem *Problem `json:"problem,omitempty"`
	Moves   []Choice `json:"moves,omitempty"`
	Move    string   `json:"move,omitempty"`
	About   string   `json:"about,omitempty"`
	Fields  []Field  `json:"fields,omitempty"`
	Sides   []Side   `json:"sides,omitempty"`
}

// Problem describes a mistake, with its place in the text or the field's name, if it has one.
type Problem struct {
	Line  int    `json:"line,omitempty"`
	Col   int    `json:"col,omitempty"`
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
}

// Choice is an option with its label.
type Choice struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// Field is a field of the rule's form.
type Field struct {
	Name    string    `json:"name"`
	Label   string    `json:"label"`
	Hint    string    `json:"hint,omitempty"`
	Kind    form.Kind `json:"kind"`
	Min     int       `json:"min,omitempty"`
	Max     int       `json:"max,omitempty"`
	Options []Choice  `json:"options,omitempty"`
	Value   string    `json:"value"`
}

// Side holds the odds of one setting.
type Side struct {
	Name    string     `json:"name"`
	Heads   []string   `json:"heads,omitempty"` // the names of headlines, without their chances
	Chances []float64  `json:"chances,omitempty"`
	Rows    []Row      `json:"rows"`
	Granted string     `json:"granted,omitempty"`
	Runs    int        `json:"runs,omitempty"` // runs of a simulation
	law     *odds.Odds // the odds it was made from
}

// Row is one outcome with its chance.
type Row struct {
	Label    string  `json:"label"`
	Outcome  string  `json:"outcome"`
	N        *int    `json:"n,omitempty"`
	Tone     string  `json:"tone"`
	P        float64 `json:"p"`
	Fraction string  `json:"fraction"`
}

const (
	maxRows    = 20_000
	maxBits    = 400 // size of a fraction that is written
	simulation = 100_000
)

// Lab answers questions in three languages.
type Lab struct{ words *lang.Words }

// New loads the words.
func New() *Lab {
	return &Lab{lang.Open(form.Words, bare.Words, script.Words, Words)}
}

// Answer parses the rule and computes its odds.
func (l *Lab) Answer(q Question) *Answer {
	if _, ok := lang.Parse(string(q.Lang)); !ok {
		q.Lang = lang.En
	}
	g, err := script.CompileRule(q.Text)
	if err != nil {
		return &Answer{Problem: problemOf(l.words.In(q.Lang), err)}
	}
	say := g.Speak(l.words.In(q.Lang))
	v := game.Voice{Speaker: say, Game: g.ID, Name: func(string) string { return "" }}
	a := &Answer{}
	var move *game.Move
	for _, m := range bare.Moves(g) {
		a.Moves = append(a.Moves, Choice{m.ID, say.Say(g.Word("move", m.ID))})
		if move == nil || m.ID == q.Move {
			move = m
		}
	}
	if move == nil {
		a.Problem = &Problem{Text: say.Say("lab.no-dice")}
		return a
	}
	a.Move = move.ID
	if about := g.Word("about", move.ID); say.Has(about) {
		a.About = say.Say(about)
	}
	usual, _ := bare.Texts(g, move, nil)
	a.Fields = fields(v, g, move, usual)
	a.price(v, g, move, q.Settings)
	return a
}

// fields returns the fields of a move's form with their defaults.
func fields(v game.Voice, g *game.Game, m *game.Move, usual bare.Throw) (all []Field) {
	f := m.Form.For(form.Bare)
	for _, field := range f.Fields {
		one := Field{
			Name: field.Name, Label: bare.Label(v.Speaker, g, field), Kind: field.Kind, Min: field.Min,
			Max: field.Max,
		}
		if hint := g.Word("hint", field.Name); v.Has(hint) {
			one.Hint = v.Say(hint)
		}
		for _, o := range field.Options {
			one.Options = append(one.Options, Choice{o.Value, g.Option(v, field, o)})
		}
		if usual.Form != nil {
			one.Value = f.Inputs(usual.Args).Get(field.Name)
		}
		all = append(all, one)
	}
	return all
}

// price computes the odds of each setting.
func (a *Answer) price(v game.Voice, g *game.Game, m *game.Move, settings []map[string]string) {
	if len(settings) == 0 {
		settings = []map[string]string{nil}
	}
	if len(settings) > bare.MostCompared {
		settings = settings[:bare.MostCompared]
	}
	throws := make([]bare.Throw, len(settings))
	for i, texts := range settings {
		var err error
		if throws[i], err = bare.Texts(g, m, knownTexts(m, texts)); err != nil {
			a.Problem = problemFor(v, g, err)
			return
		}
	}
	for i, name := range bare.Names(v.Speaker, throws) {
		law, err := Price(throws[i])
		if err != nil {
			a.Problem, a.Sides = problemFor(v, g, err), nil
			return
		}
		if len(law.Rows) > maxRows {
			a.Problem, a.Sides = &Problem{Text: v.Say("lab.rows", "N", len(law.Rows), "Most", maxRows)}, nil
			return
		}
		a.Sides = append(a.Sides, sideOf(v, g, m, name, law))
	}
}

// knownTexts removes the texts of fields that the rule no longer has.
func knownTexts(m *game.Move, texts map[string]string) map[string]string {
	kept := map[string]string{}
	for name, text := range texts {
		if _, ok := m.Form.For(form.Bare).Field(name); ok {
			kept[name] = text
		}
	}
	return kept
}

// Price computes the odds of a throw as the command line does, and simulates those that are too
// large.
func Price(t bare.Throw) (*odds.Odds, error) {
	ctx := context.Background()
	law, err := odds.Price(ctx, t.Rule(), t.Kinds(), nil, rule.Limits{})
	if _, long := errors.AsType[*rule.LimitError](err); long {
		return odds.Simulate(ctx, t.Rule(), t.Kinds(), rule.Policy{}, dice.NewStream([32]byte{}), simulation)
	}
	return law, err
}

func sideOf(v game.Voice, g *game.Game, m *game.Move, name string, law *odds.Odds) Side {
	side := Side{
		Name: name, Granted: bare.DescribeAssumptions(v, g, law), Runs: law.Runs,
		Rows: make([]Row, len(law.Rows)), law: law,
	}
	for _, h := range m.Headlines {
		word := g.Word("headline", h.ID)
		if m.Outcomes[0].ID == "total" || !v.Has(word) {
			continue
		}
		side.Heads = append(side.Heads, v.Say(word, "P", ""))
		side.Chances = append(side.Chances, odds.Float(law.Any(h.Outcomes...)))
	}
	for i, r := range law.Rows {
		row := Row{
			Outcome: r.Outcome, Tone: string(m.Outcome(r.Outcome).Tone), P: odds.Float(r.P),
			Fraction: fraction(law, r.P),
		}
		word := g.Word("outcome", r.Outcome)
		if r.Counts {
			row.N = &r.N
			row.Label = v.Say(word, "N", r.N)
		} else {
			row.Label = v.Say(word)
		}
		side.Rows[i] = row
	}
	return side
}

// fraction returns a chance as a fraction, or "" if it's too long to read.
func fraction(law *odds.Odds, p *big.Rat) string {
	if p.Num().BitLen()+p.Denom().BitLen() > maxBits {
		return ""
	}
	return law.Text(p)
}

// problemOf returns the problem in a rule's text that an error reports, in the reader's language.
func problemOf(say lang.Speaker, err error) *Problem {
	if p, ok := errors.AsType[*script.Problem](err); ok {
		return &Problem{Line: p.Line, Col: p.Col, Text: p.Explain(say)}
	}
	return &Problem{Text: err.Error()}
}

// problemFor explains in the reader's language why there are no odds.
func problemFor(v game.Voice, g *game.Game, err error) *Problem {
	if fault, ok := errors.AsType[*script.Fault](err); ok {
		return problemOf(v.Speaker, fault.Problem)
	}
	if refusal, ok := game.AsRefusal(err); ok {
		return &Problem{Text: v.Refusal(refusal)}
	}
	for _, p := range bare.Problems(err) {
		id, data := p.Word()
		data["Field"] = g.Label(v.Speaker, p.Path)
		return &Problem{Field: p.Path, Text: v.Say(id, data)}
	}
	return &Problem{Text: err.Error()}
}
