package throw

import (
	"cmp"
	"errors"

	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/rule"
)

// diceProblem explains what is wrong with faces typed in, for the dice of a trail. Other errors are
// returned unchanged.
func diceProblem(p *cli.Program, faces []int, trail rule.Trail, err error) error {
	if syntax := (*dice.SyntaxError)(nil); errors.As(err, &syntax) {
		return p.Wrong("norn.error.dice-syntax", "At", syntax.At+1, "Found",
			describeFound(p, syntax)).Hinting(p.Say("norn.hint.dice"))
	}
	problem := game.HandProblem("", len(faces), false, trail, err)
	if problems, ok := problem.(form.Problems); ok {
		problems[0].Path = "dice"
	}
	return cmp.Or(problem, err)
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
