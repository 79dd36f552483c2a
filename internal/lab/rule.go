// Package lab answers questions of odds: Answer makes one Report of plain dice, moves and own rules, with
// everything that pages, drawings, terminals, chats and files show.
//
// Rules that a reader writes are compiled and computed in the reader's browser, which runs this package
// as WebAssembly (lab/wasm), so no server runs a stranger's code. It has no state and starts no
// goroutine. A rule may take long; the page stops it by ending the worker that runs it.
package lab

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/lang"
	"norn/odds"
	"norn/script"
)

// Request asks about a rule that somebody writes, which may be dice notation. Settings are those to compare, each
// a map of texts by field name; none means one with all defaults. Others are other rules to compare
// with, whose sides come first in the answer.
type Request struct {
	Lang     lang.Lang           `json:"lang"`
	Text     string              `json:"text"`
	Move     string              `json:"move,omitempty"` // "" for the first one
	Settings []map[string]string `json:"settings,omitempty"`
	Others   []Rule              `json:"others,omitempty"`
	Pages    []Side              `json:"pages,omitempty"` // from other pages of odds, to compare with; they come first
}

// Rule is a rule with one setting.
type Rule struct {
	Text string            `json:"text"`
	Move string            `json:"move,omitempty"`
	Set  map[string]string `json:"set,omitempty"`
}

// Response is the result for such a rule: a problem in its text, or its form and the odds of each setting.
type Response struct {
	Problem *Problem `json:"problem,omitempty"`
	Moves   []Option `json:"moves,omitempty"`
	Move    string   `json:"move,omitempty"`
	About   string   `json:"about,omitempty"`
	Fields  []Field  `json:"fields,omitempty"`
	Sides   []Side   `json:"sides,omitempty"`

	Differences []string `json:"differences,omitempty"` // of the sides from the first one, in words
}

// Problem describes a mistake, with its place in the text or the field's name, if it has one.
type Problem struct {
	Line  int    `json:"line,omitempty"`
	Col   int    `json:"col,omitempty"`
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
}

// Option is an option with its label.
type Option struct {
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
	Options []Option  `json:"options,omitempty"`
	Value   string    `json:"value"`
}

const maxRows = 20_000

// Lab answers requests in three languages.
type Lab struct{ words *lang.Words }

// New loads the words.
func New() *Lab {
	return &Lab{lang.Open(form.Words, bare.Words, script.Words, Words)}
}

// Respond parses the rule and computes its odds.
func (l *Lab) Respond(q Request) *Response {
	if _, ok := lang.Parse(string(q.Lang)); !ok {
		q.Lang = lang.En
	}
	words := l.words.In(q.Lang)
	g, err := compile(q.Text)
	if err != nil {
		return &Response{Problem: problemOf(words, err)}
	}
	v := voiceOf(words, g)
	a := &Response{}
	for _, m := range bare.Moves(g) {
		a.Moves = append(a.Moves, Option{m.ID, v.Say(g.Word("move", m.ID))})
	}
	move := moveOf(g, q.Move)
	if move == nil {
		a.Problem = &Problem{Text: v.Say("lab.no-dice")}
		return a
	}
	a.Move = move.ID
	if about := g.Word("about", move.ID); v.Has(about) {
		a.About = v.Say(about)
	}
	settings := q.Settings
	if len(settings) == 0 || g == bare.Dice {
		settings = []map[string]string{nil}
	}
	if g != bare.Dice {
		usual, _ := bare.Texts(g, move, nil)
		a.Fields = fields(v, g, move, usual)
	}
	throws := others(q.Others)
	for _, set := range settings[:min(len(settings), bare.MostCompared-len(throws))] {
		throw, err := throwOf(g, move, q.Text, set)
		if err != nil {
			a.Problem = problemFor(v, g, err)
			return a
		}
		if throws = append(throws, throw); g == bare.Dice {
			a.About = throw.Args.(game.Notation).Understood(words)
		}
	}
	a.price(v.Speaker, q.Pages, throws)
	return a
}

// compile makes the game of a rule. One line without def is plain dice.
func compile(text string) (*game.Game, error) {
	text = strings.TrimSpace(text)
	if text != "" && !strings.ContainsAny(text, "\n") && !strings.HasPrefix(text, "def ") && !strings.Contains(text, "move(") {
		return bare.Dice, nil
	}
	return script.CompileRule(text)
}

func voiceOf(words lang.Speaker, g *game.Game) game.Voice {
	return game.Voice{Speaker: g.Speak(words), Game: g.ID, Name: func(string) string { return "" }}
}

// moveOf returns a rule's move with an id, or its first one; nil if none has odds.
func moveOf(g *game.Game, id string) (found *game.Move) {
	for _, m := range bare.Moves(g) {
		if found == nil || m.ID == id {
			found = m
		}
	}
	return found
}

// others returns the throws of other rules. Those that have a mistake are left out, because only the
// rule that is being written can be corrected.
func others(rules []Rule) (throws []bare.Throw) {
	for _, r := range rules[:min(len(rules), bare.MostCompared-1)] {
		if g, err := compile(r.Text); err == nil {
			if move := moveOf(g, r.Move); move != nil {
				if one, err := throwOf(g, move, r.Text, r.Set); err == nil {
					throws = append(throws, one)
				}
			}
		}
	}
	return throws
}

// throwOf makes a throw of a rule's move, without the texts of fields that it no longer has. The text of
// plain dice is their only setting.
func throwOf(g *game.Game, m *game.Move, text string, set map[string]string) (bare.Throw, error) {
	if g == bare.Dice {
		set = map[string]string{"notation": strings.TrimSpace(text), "as": dice.Newest}
	}
	known := map[string]string{}
	for name, text := range set {
		if _, ok := m.Form.For(form.Bare).Field(name); ok {
			known[name] = text
		}
	}
	return bare.Texts(g, m, known)
}

// fields returns the fields of a move's form with their defaults.
func fields(v game.Voice, g *game.Game, m *game.Move, usual bare.Throw) (all []Field) {
	f := m.Form.For(form.Bare)
	for _, field := range f.Fields {
		one := Field{
			Name: field.Name, Label: g.Label(v.Speaker, field.Name), Kind: field.Kind, Min: field.Min,
			Max: field.Max,
		}
		if hint := g.Word("hint", field.Name); v.Has(hint) {
			one.Hint = v.Say(hint)
		}
		for _, o := range field.Options {
			one.Options = append(one.Options, Option{o.Value, g.Option(v, field, o)})
		}
		if usual.Form != nil {
			one.Value = f.Inputs(usual.Args).Get(field.Name)
		}
		all = append(all, one)
	}
	return all
}

// price computes the odds of each throw, and compares them with the sides of pages.
func (a *Response) price(words lang.Speaker, pages []Side, throws []bare.Throw) {
	last := throws[len(throws)-1]
	report, err := Answer(odds.Local(context.Background(), 0), words, Question{Throws: throws, Rows: maxRows})
	if err != nil {
		a.Problem = problemFor(voiceOf(words, last.Game), last.Game, err)
		return
	}
	for _, side := range report.Sides {
		if n := len(side.Odds.Rows); n > maxRows {
			a.Problem = &Problem{Text: words.Say("lab.rows", "N", n, "Most", maxRows)}
			return
		}
	}
	if len(pages) > 0 && len(throws) == 1 && last.Game != bare.Dice {
		report.Sides[0].Name = words.Say(last.Game.Word("move", last.Move.ID))
	}
	a.Sides = append(pages, report.Sides...)
	a.Differences = differences(words, a.Sides)
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
	problem := &Problem{}
	if notation := (*game.NotationError)(nil); errors.As(err, &notation) {
		problem.Line = 1
	}
	problem.Text = bare.Explain(v, err, func(p form.Problem) string {
		id, data := p.Word()
		problem.Field, data["Field"] = p.Path, g.Label(v.Speaker, p.Path)
		return v.Say(id, data)
	})
	problem.Text = cmp.Or(problem.Text, err.Error())
	return problem
}
