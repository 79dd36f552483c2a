package bare

import (
	"errors"
	"math"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// notation is the one argument of plain dice.
type notation struct {
	Notation string `json:"notation" form:"text,required"`
}

// Dice are plain dice in notation, "4d6kh3+2", as a game of one bare move, so
// that whatever prices bare moves prices them too. It has no table and is none
// of the games that people choose from.
var Dice = &game.Game{
	ID: "dice",
	Moves: []game.Move{game.Define(game.Of[notation]{
		ID: "notation", Bare: true,
		Outcomes: []game.OutcomeKind{
			{ID: rule.Total, Counts: true, Tone: game.Neutral},
			{ID: rule.Successes, Counts: true, Tone: game.Good},
		},
		Allow: func(_ game.Scene, a notation) error {
			_, err := read(a.Notation)
			return err
		},
		Price: func(r *rule.Run, _ game.Scene, a notation) rule.Outcome {
			e, err := read(a.Notation)
			if err != nil {
				panic(err) // Allow has read it
			}
			return rule.Notation(e)(r)
		},
	})},
	Settings: game.SettingsOf(struct{}{}),
	Words:    Words,
}

func read(text string) (dice.Expr, error) {
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

// Problem is the same as one of the field; its words are Say's.
func (e *NotationError) Problem() form.Problem {
	p := form.Problem{Path: "notation", Code: form.Syntax, Given: e.Text}
	var bounds *dice.RangeError
	if errors.As(e.Err, &bounds) {
		p.Code, p.Min, p.Max = form.Range, bounds.Min, bounds.Max
	}
	return p
}

// Say words it.
func (e *NotationError) Say(say lang.Speaker) string {
	var (
		syntax *dice.SyntaxError
		bounds *dice.RangeError
		mixed  *dice.MixError
	)
	switch {
	case errors.As(e.Err, &syntax):
		found := say.Say("bare.found.end")
		if text := syntax.Found(); text != "" {
			found = say.Say("bare.found.text", "Text", text)
		}
		return say.Say("bare.notation.syntax", "Text", e.Text, "At", syntax.At+1, "Want", say.Say(wants[syntax.Want]), "Found", found)
	case errors.As(e.Err, &bounds):
		var given any = bounds.Given
		if bounds.Given == math.MaxInt { // longer than any number held
			given = ">10¹⁸"
		}
		return say.Say("bare.notation.range", "Text", e.Text, "At", bounds.At+1, "Field", say.Say(bounded[bounds.Field]),
			"Min", bounds.Min, "Max", bounds.Max, "Given", given)
	case errors.As(e.Err, &mixed):
		return say.Say("bare.notation.mix", "Text", e.Text, "At", mixed.At+1)
	}
	return e.Err.Error()
}

var wants = map[string]string{
	dice.WantTerm:    "bare.want.term",
	dice.WantSides:   "bare.want.sides",
	dice.WantNumber:  "bare.want.number",
	dice.WantHighLow: "bare.want.high-low",
	dice.WantSign:    "bare.want.sign",
}

var bounded = map[string]string{
	dice.FieldTerms:    "bare.bounded.terms",
	dice.FieldDice:     "bare.bounded.dice",
	dice.FieldSides:    "bare.bounded.sides",
	dice.FieldKeep:     "bare.bounded.keep",
	dice.FieldDrop:     "bare.bounded.drop",
	dice.FieldFace:     "bare.bounded.face",
	dice.FieldConstant: "bare.bounded.constant",
}
