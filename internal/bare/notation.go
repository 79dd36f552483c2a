package bare

import (
	"errors"
	"math"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/odds"
)

// Dice is plain dice in notation, "4d6kh3+2", as a game with one bare move, so that it can be used
// like other bare moves. It has no table and isn't offered as a game.
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

// Say describes a mistake in notation.
func Say(say lang.Speaker, e *game.NotationError) string {
	switch err := e.Err.(type) {
	case *dice.SyntaxError:
		found := say.Say("bare.found.end")
		if text := err.Unexpected(); text != "" {
			found = say.Say("bare.found.text", "Text", text)
		}
		return say.Say("bare.notation.syntax", "Text", e.Text, "At", err.At+1, "Want", say.Say(wants[err.Want]),
			"Found", found, "Of", string(err.Of))
	case *dice.RangeError:
		var given any = err.Given
		if err.Given == math.MaxInt { // longer than any number that can be held
			given = ">10¹⁸"
		}
		return say.Say("bare.notation.range", "Text", e.Text, "At", err.At+1, "Field", say.Say(bounded[err.Field]),
			"Min", err.Min, "Max", err.Max, "Given", given)
	case *dice.MeantError:
		text := say.Say("bare.notation.meant", "Text", e.Text, "Why",
			say.Say("bare.meant."+err.Reason, "Given", err.Given), "Of", string(err.Of))
		if len(err.Try) > 0 {
			tries := make([]string, len(err.Try))
			for i, try := range err.Try {
				tries[i] = say.Say("bare.found.text", "Text", say.Notation(try))
				if err.Reason == dice.Foreign {
					tries[i] = say.Say("bare.notation.as", "Text", tries[i], "Program", dice.Short(err.As[i]))
				}
			}
			text += ". " + say.Say("bare.notation.try", "Try", strings.Join(tries, " "+say.Say("bare.notation.or")+" "))
		}
		return text
	}
	return e.Err.Error()
}

// Explain says what is wrong with a throw, "" for norn's own failures. problem says what is wrong with a field.
func Explain(v game.Voice, err error, problem func(form.Problem) string) string {
	if refusal, ok := game.AsRefusal(err); ok {
		return v.Refusal(refusal)
	}
	if notation, ok := errors.AsType[*game.NotationError](err); ok {
		return Say(v.Speaker, notation)
	}
	if problems := Problems(err); len(problems) > 0 {
		return problem(problems[0])
	}
	return ""
}

// SayLarge explains why odds aren't computed, and how much would be allowed.
func SayLarge(say lang.Speaker, e *odds.LargeError) string {
	return say.Say(larges[e.What], "Asked", say.Number(e.Asked), "Most", say.Number(e.Most))
}

var larges = map[string]string{
	odds.LargeRows:  "bare.large.rows",
	odds.LargeDice:  "bare.large.dice",
	odds.LargeSteps: "bare.large.steps",
}

var wants = map[string]string{
	dice.WantTerm:    "bare.want.term",
	dice.WantSides:   "bare.want.sides",
	dice.WantNumber:  "bare.want.number",
	dice.WantHighLow: "bare.want.high-low",
	dice.WantSign:    "bare.want.sign",

	dice.WantFace:      "bare.want.face",
	dice.WantSeparator: "bare.want.separator",
	dice.WantClose:     "bare.want.close",
}

var bounded = map[string]string{
	dice.FieldTerms:    "bare.bounded.terms",
	dice.FieldDice:     "bare.bounded.dice",
	dice.FieldSides:    "bare.bounded.sides",
	dice.FieldKeep:     "bare.bounded.keep",
	dice.FieldDrop:     "bare.bounded.drop",
	dice.FieldFace:     "bare.bounded.face",
	dice.FieldConstant: "bare.bounded.constant",
	dice.FieldTimes:    "bare.bounded.times",
	dice.FieldDepth:    "bare.bounded.depth",
	dice.FieldBands:    "bare.bounded.bands",
	dice.FieldTotal:    "bare.bounded.total",
	dice.FieldLength:   "bare.bounded.length",
}
