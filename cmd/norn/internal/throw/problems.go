package throw

import (
	"errors"
	"math"

	"norn/bare"
	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/game"
)

// diceProblem explains what is wrong with faces typed in. Other errors are returned unchanged.
func diceProblem(p *cli.Program, err error) error {
	var (
		few    *dice.TooFewError
		many   *dice.TooManyError
		face   *dice.FaceError
		total  *dice.TotalError
		syntax *dice.SyntaxError
	)
	switch {
	case errors.As(err, &few):
		return p.Wrong("norn.error.dice-too-few", "At", few.At, "Pool", few.Need.String(), "N", few.Need.N, "Have",
			few.Have)
	case errors.As(err, &many):
		return p.Wrong("norn.error.dice-too-many", "N", many.Left, "At", many.At)
	case errors.As(err, &total) && total.Most == 0:
		return p.Wrong("norn.error.dice-faces-needed", "At", total.At, "Pool", total.Of.String(), "N", total.Of.N)
	case errors.As(err, &total):
		return p.Wrong("norn.error.dice-total", "At", total.At, "Pool", total.Of.String(), "Min", total.Least, "Max",
			total.Most)
	case errors.As(err, &face) && face.Sides == dice.MaxSides:
		return p.Wrong("norn.error.dice-no-face", "At", face.At, "Face", describeFace(face), "Sides", face.Sides)
	case errors.As(err, &face):
		return p.Wrong("norn.error.dice-face", "At", face.At, "Face", describeFace(face), "Sides", face.Sides)
	case errors.As(err, &syntax):
		return p.Wrong("norn.error.dice-syntax", "At", syntax.At+1, "Found",
			describeFound(p, syntax)).Hinting(p.Say("norn.hint.dice"))
	}
	return err
}

// notationProblem explains what is wrong with dice notation.
func notationProblem(p *cli.Program, text string, err error) error {
	wrong := &cli.Failure{
		Status: cli.WrongUsage,
		Texts:  []string{bare.Say(p.Speaker, &game.NotationError{Text: text, Err: err})},
	}
	if syntax := (*dice.SyntaxError)(nil); errors.As(err, &syntax) {
		return wrong.Hinting(p.Say("norn.hint.notation"))
	}
	return wrong
}

// describeFound names the text at which parsing stopped.
func describeFound(p *cli.Program, err *dice.SyntaxError) string {
	if found := err.Unexpected(); found != "" {
		return p.Say("norn.found.text", "Text", found)
	}
	return p.Say("norn.found.end")
}

// describeFace returns a number as it was typed, or that it is longer than any number norn stores.
func describeFace(face *dice.FaceError) any {
	if face.Face == math.MaxInt {
		return ">10¹⁸"
	}
	return face.Typed()
}
