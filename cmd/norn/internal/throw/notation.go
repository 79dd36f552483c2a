package throw

import (
	"encoding/json"

	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/game"
	"norn/internal/bare"
	"norn/rule"
)

// notationThrow returns the throw of plain dice, whose notation was checked before.
func notationThrow(p *cli.Program, b bare.Throw) *throw {
	e := b.Args.(game.Notation).Expr()
	args, err := json.Marshal(game.Notation{Notation: e.String(), As: dice.Newest})
	if err != nil {
		panic(err) // can't happen: a text always has JSON
	}
	t := &throw{
		Game: b.Game.ID, Move: b.Move.ID, Args: args, bare: b, title: e.String(),
		rule:     rule.Notation(e),
		outcomes: game.Plain.Outcomes,
		text: func(o rule.Outcome) string {
			if o.ID == rule.Total {
				return p.Number(o.N)
			}
			if text := game.BandText(p.Speaker, b.Args, o); text != "" {
				return text
			}
			return p.Say("dice.outcome."+o.ID, "N", o.N)
		},
		meaning: func(rule.Outcome) string { return "" },
		mark:    func(t rule.Throw) []game.Mark { return game.Plain.Mark(b.Args, t) },
	}
	if words := b.Args.(game.Notation).Understood(p.Speaker); words != "" {
		t.details = []string{words}
	}
	t.live = rule.ExplainNotation(e, func(text string) { t.how = text })
	aim := rule.Aim(e)
	head := map[string]string{rule.Reached: "goal", rule.Won: "won"}[aim]
	if head != "" {
		t.headlines = append(t.headlines, headline{
			outcomes: []string{aim},
			text:     func(percent string) string { return p.Say("dice.headline."+head, "P", percent) },
		})
	}
	return t
}

// throwOf returns the throw of a move, or of plain dice.
func throwOf(p *cli.Program, b bare.Throw) *throw {
	if b.Game == bare.Dice {
		return notationThrow(p, b)
	}
	return moveThrow(p, b)
}
