package eclipse

import (
	"norn/dice"
	"norn/game"
	"norn/rule"
)

// Damage holds the arguments of a throw of d10 and d6 with a modifier, for damage, stress or any
// other effect of a weapon or a drug. EP-02
type Damage struct {
	D10       int  `json:"d10" form:"max=10,default=1"`
	D6        int  `json:"d6" form:"max=10"`
	Modifier  int  `json:"bonus" form:"min=-50,max=50"`
	Superiors int  `json:"superiors" form:"max=2"` // EP-13: a d6 each
	Double    bool `json:"double"`                 // EP-14
}

var damageMove = game.Define(game.MoveSpec[Damage]{
	ID: "damage", Bare: true, AtTable: true, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "damage", Counts: true, Tone: game.Neutral}},
	Instant:  func(game.Scene, Damage) bool { return true }, // it's what an action does, and changes no sheet
	Price:    func(r *rule.Run, _ game.Scene, a Damage) rule.Outcome { return a.throw(r) },
	Play: func(r *rule.Run, s game.Scene, a Damage) rule.Outcome {
		s = game.Lend(r, s)
		return game.RecordOutcome(r, s, a.throw(r))
	},
})

// throw adds the dice. A d10 that shows 0 counts ten, and is typed as 10. EP-02
func (a Damage) throw(r *rule.Run) rule.Outcome {
	sum := rule.Part(r, func(r *rule.Run) int {
		return r.Sum(dice.Pool{N: a.D10, Sides: 10, For: "damage"}) +
			r.Sum(dice.Pool{N: a.D6 + a.Superiors, Sides: 6, For: "damage"}) // EP-13
	})
	sum = max(0, sum+a.Modifier)
	if a.Double { // EP-14
		sum *= 2
	}
	return rule.Outcome{ID: "damage", N: sum}
}
