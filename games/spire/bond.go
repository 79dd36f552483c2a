package spire

import (
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// BondStress is stress that a bond with an NPC takes. SP-27
type BondStress struct {
	Bond     string `json:"bond" form:"choice,required"` // its place on the sheet: "0"
	Die      string `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Critical bool   `json:"critical"`
}

var bondMove = game.Define(game.Of[BondStress]{
	ID: "bond", GMOnly: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{{ID: "stress", Counts: true, Less: true, Tone: game.Bad}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := []form.Option{}
		hero, _ := game.Sheet[Character](s, s.Actor)
		for i, b := range hero.Bonds {
			if b.NPC {
				options = append(options, form.Option{Value: strconv.Itoa(i), Text: b.Name})
			}
		}
		return f.With("bond", options...)
	},
	Allow: func(s game.Scene, a BondStress) error {
		hero, _ := game.Sheet[Character](s, s.Actor)
		if at, err := strconv.Atoi(a.Bond); err != nil || at < 0 || at >= len(hero.Bonds) || !hero.Bonds[at].NPC {
			return game.Refuse("SP-27", "spire.refusal.no-bond")
		}
		return nil
	},
	Price: func(r *rule.Run, _ game.Scene, a BondStress) rule.Outcome {
		return rule.Outcome{ID: "stress", N: throwStress(r, a.Die, a.Critical, 1)}
	},
	Play: playBond,
})

// playBond marks stress on the bond's own track and sees whether that turns
// into fallout of the bond's own. SP-27, SP-14
func playBond(r *rule.Run, s game.Scene, a BondStress) rule.Outcome {
	hero, _ := game.Sheet[Character](s, s.Actor)
	at, _ := strconv.Atoi(a.Bond)
	bond := hero.Bonds[at]
	result := rule.Outcome{ID: "stress", N: throwStress(r, a.Die, a.Critical, 1)}
	total := bond.Stress + result.N
	r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
	r.Tell(BondMarked{Who: s.Actor, At: at, Bond: bond.Name, Amount: result.N, Now: total})

	severity := throwFallout(r, total)
	if severity == "" {
		r.Tell(FalloutAvoided{Who: s.Actor, Bond: bond.Name, Total: total})
		return result
	}
	r.Tell(FalloutStruck{Who: s.Actor, Bond: bond.Name, Severity: severity, Total: total})
	c := carrier{who: s.Actor, kind: "bond", bond: bond.Name, marked: Marks{Reputation: total}, carried: bond.Fallouts}
	ruling := rule.Ask(r, c.question(severity, total))
	for _, f := range c.rule(severity, ruling) {
		f.At = at
		r.Tell(f)
	}
	r.Tell(BondCleared{Who: s.Actor, At: at, Bond: bond.Name, Amount: min(c.due(severity, ruling), total)})
	return result
}
