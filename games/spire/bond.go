package spire

import (
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// BondStress holds the arguments of the move that marks stress on a bond with an NPC. SP-27
type BondStress struct {
	Bond     string `json:"bond" form:"choice,required"` // index on the sheet: "0"
	Die      string `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Critical bool   `json:"critical"`
}

var bondMove = game.Define(game.MoveSpec[BondStress]{
	ID: "bond", GMOnly: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{{ID: "stress", Counts: true, Less: true, Tone: game.Bad}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := []form.Option{}
		hero, _ := game.Sheet[Character](s, s.Actor)
		for i, b := range hero.Bonds {
			if b.NPC {
				options = append(options, form.OptionAt(i, b.Name))
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
	Play: func(r *rule.Run, s game.Scene, a BondStress) rule.Outcome {
		s = game.Lend(r, s)
		at, _ := strconv.Atoi(a.Bond)
		result := rule.Outcome{ID: "stress", N: throwStress(r, a.Die, a.Critical, 1)}
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		strain(r, s, s.Actor, at, result.N)
		return result
	},
})

// strain marks stress on a bond's own track and rolls for the bond's fallout. SP-27, SP-14
func strain(r *rule.Run, s game.Scene, who string, at, amount int) {
	hero, _ := game.Sheet[Character](s, who)
	if at >= len(hero.Bonds) {
		return
	}
	bond := hero.Bonds[at]
	total := bond.Stress + amount
	s.Record(r, BondMarked{Who: who, At: at, Bond: bond.Name, Amount: amount, Now: total})

	severity := throwFallout(r, s, who, total)
	if severity == "" {
		r.Record(FalloutAvoided{Who: who, Bond: bond.Name, Total: total})
		return
	}
	r.Record(FalloutStruck{Who: who, Bond: bond.Name, Severity: severity, Total: total})
	track := Marks{Reputation: total}
	c := carrier{who: who, kind: "bond", bond: bond.Name, marked: track, counted: track}
	ruling := rule.AskAnew(r, func() rule.Question[Ruling] {
		hero, _ = game.Sheet[Character](s, who)
		c.carried = hero.Bonds[at].Fallouts
		return c.question(severity, total)
	})
	for _, f := range c.rule(severity, ruling) {
		f.At = at
		s.Record(r, f)
	}
	s.Record(r, BondCleared{Who: who, At: at, Bond: bond.Name, Amount: min(c.due(severity, ruling), total)})
}

// places returns the options for where a character may take stress: the five resistances, and the
// bonds with NPCs. SP-10, SP-27
func places(c Character) []form.Option {
	options := make([]form.Option, 0, len(Resistances)+len(c.Bonds))
	for _, r := range Resistances {
		options = append(options, form.Option{Value: string(r)})
	}
	for i, b := range c.Bonds {
		if b.NPC {
			options = append(options, form.Option{Value: bondPlace + strconv.Itoa(i), Text: b.Name})
		}
	}
	return options
}

// stressAt returns the stress at a place. SP-27
func (c Character) stressAt(place string) int {
	if at, bond := bondAt(place); bond && at < len(c.Bonds) {
		return c.Bonds[at].Stress
	}
	return c.Stress.Of(Resistance(place))
}

// bondPlace is the prefix of a bond as a place for stress: "bond:0".
const bondPlace = "bond:"

// bondAt returns the index of the bond if a place is one.
func bondAt(place string) (at int, ok bool) {
	n, ok := strings.CutPrefix(place, bondPlace)
	if !ok { // as for most places: the error of Atoi would be made for nothing
		return 0, false
	}
	at, err := strconv.Atoi(n)
	return at, err == nil && at >= 0
}
