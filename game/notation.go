package game

import (
	"errors"

	"norn/dice"
	"norn/form"
	"norn/rule"
)

// PlainDice is the id of Plain.
const PlainDice = "dice"

// Notation is the one argument of plain dice.
type Notation struct {
	Notation string `json:"notation" form:"text,required"`
}

// Plain is plain dice in notation, "4d6kh3+2": a move that every table has beside
// those of its game. Nobody in particular acts; everybody sees the dice unless the
// whole move is secret; no outcome is better than another, for nobody knows what
// it is for.
var Plain = Define(Of[Notation]{
	ID: PlainDice, Bare: true, AtTable: true,
	Outcomes: []OutcomeKind{
		{ID: rule.Total, Counts: true, Tone: Neutral},
		{ID: rule.Successes, Counts: true, Tone: Good},
		{ID: rule.Reached, Counts: true, Tone: Good},
		{ID: rule.Missed, Counts: true, Tone: Bad},
	},
	Headlines: []Headline{{ID: "goal", Outcomes: []string{rule.Reached}, Among: []string{rule.Reached, rule.Missed}}},
	Allow: func(_ Scene, a Notation) error {
		_, err := ReadNotation(a.Notation)
		return err
	},
	Price: func(r *rule.Run, _ Scene, a Notation) rule.Outcome {
		e, err := ReadNotation(a.Notation)
		if err != nil {
			panic(err) // Allow has read it
		}
		return rule.Notation(e)(r)
	},
	Mark: func(a Notation, t rule.Thrown) []Mark { return markPlain(a.Notation, t) },
})

// plainWords are the words of plain dice, which are alike in every game: they
// stand under "dice" instead of the game's id.
var plainWords = map[string]bool{
	".move." + PlainDice: true, ".field.notation": true, ".hint.notation": true, ".outcome." + rule.Total: true, ".outcome." + rule.Successes: true,
	".outcome." + rule.Reached: true, ".outcome." + rule.Missed: true, ".outcome-short." + rule.Reached: true, ".outcome-short." + rule.Missed: true,
	".headline.goal":          true,
	".throw." + dice.FateDice: true, ".throw." + dice.AgainDice: true,
}

// ReadNotation reads plain dice; the error is a *NotationError.
func ReadNotation(text string) (dice.Expr, error) {
	e, err := dice.Parse(text)
	if err != nil {
		return dice.Expr{}, &NotationError{text, err}
	}
	return e, nil
}

// NotationError is notation that can't be read.
type NotationError struct {
	Text string
	Err  error // of dice.Parse
}

func (e *NotationError) Error() string { return e.Err.Error() }

// Unwrap is the error of dice.Parse.
func (e *NotationError) Unwrap() error { return e.Err }

// Problem is the same as one of the field.
func (e *NotationError) Problem() form.Problem {
	p := form.Problem{Path: "notation", Code: form.Syntax, Given: e.Text}
	var bounds *dice.RangeError
	if errors.As(e.Err, &bounds) {
		p.Code, p.Min, p.Max = form.Range, bounds.Min, bounds.Max
	}
	return p
}

// markPlain shows which dice of a throw were kept or are successes. A throw tells
// its dice but not its term: where terms with the same dice choose differently,
// none is marked.
func markPlain(notation string, t rule.Thrown) []Mark {
	marks := make([]Mark, len(t.Faces))
	e, err := dice.Parse(notation)
	if err != nil {
		return marks
	}
	var terms []dice.Term
	for _, term := range e.Terms() {
		if term.Pool.N == len(t.Faces) && term.Pool.Sides == t.Sides && term.Pool.For == t.For {
			terms = append(terms, term)
		}
	}
	for _, term := range terms {
		if term.Keep != terms[0].Keep || term.Count != terms[0].Count {
			return marks
		}
	}
	if len(terms) == 0 || terms[0].Keep.N == 0 && !terms[0].Counts() {
		return marks
	}
	for i, counts := range terms[0].Chosen(t.Faces) {
		switch {
		case counts:
			marks[i] = Deciding
		case terms[0].Keep.N > 0:
			marks[i] = Cancelled
		}
	}
	return marks
}
