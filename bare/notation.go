package bare

import (
	"errors"
	"math"

	"norn/dice"
	"norn/game"
	"norn/lang"
	"norn/odds"
)

// Dice are plain dice in notation, "4d6kh3+2", as a game of one bare move, so
// that whatever prices bare moves prices them too. It has no table and is none
// of the games that people choose from.
var Dice = &game.Game{
	ID:       "dice",
	Moves:    []game.Move{plain()},
	Settings: game.SettingsOf(struct{}{}),
	Words:    Words,
}

func plain() game.Move {
	m := game.Plain
	m.ID, m.AtTable = "notation", false
	return m
}

// Say words what is wrong with a notation.
func Say(say lang.Speaker, e *game.NotationError) string {
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

// SayLarge words why odds aren't worked out, and what would fit.
func SayLarge(say lang.Speaker, e *odds.LargeError) string {
	return say.Say(larges[e.What], "Asked", say.Number(e.Asked), "Most", say.Number(e.Most))
}

var larges = map[string]string{odds.LargeRows: "bare.large.rows", odds.LargeDice: "bare.large.dice"}

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
