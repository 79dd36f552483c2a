package throw

import (
	"encoding/json"

	"norn/bare"
	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/game"
	"norn/rule"
)

// notationThrow is plain dice, whose notation was read before.
func notationThrow(p *cli.Program, b bare.Throw) *throw {
	text, _ := b.Form.Fill(b.Args)["notation"].(string)
	e, err := dice.Parse(text)
	if err != nil {
		panic(err)
	}
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
		Game: b.Game.ID, Move: b.Move.ID, Args: args, bare: b, title: e.String(),
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

// throwOf is a throw of a move, or of plain dice.
func throwOf(p *cli.Program, b bare.Throw) *throw {
	if b.Game == bare.Dice {
		return notationThrow(p, b)
	}
	return moveThrow(p, b)
}
