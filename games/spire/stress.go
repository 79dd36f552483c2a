package spire

import (
	"cmp"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Stress holds the arguments of stress without a check, or of its roll alone.
type Stress struct {
	Die        string `json:"die" form:"choice=d3=3|d6=6|d8=8,default=d6"`
	Critical   bool   `json:"critical"`
	Enemies    int    `json:"enemies" form:"min=1,max=20,default=1"`
	Resistance string `json:"resistance" form:"choice=blood|mind|silver|shadow|reputation,table"`
}

var stressMove = game.Define(game.MoveSpec[Stress]{
	ID: "stress", GMOnly: true, Bare: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{{ID: "stress", Counts: true, Less: true, Tone: game.Bad}},
	Price: func(r *rule.Run, _ game.Scene, a Stress) rule.Outcome {
		return rule.Outcome{ID: "stress", N: throwStress(r, a.Die, a.Critical, a.Enemies)}
	},
	Play: func(r *rule.Run, s game.Scene, a Stress) rule.Outcome {
		s = game.Lend(r, s)
		amount := throwStress(r, a.Die, a.Critical, a.Enemies)
		result := rule.Outcome{ID: "stress", N: amount}
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		suffer(r, s, s.Actor, a.Resistance, amount)
		return result
	},
})

// throwStress rolls the die of danger. SP-11: a critical failure doubles it. SP-12: every enemy
// after the first adds 1, which isn't doubled.
func throwStress(r *rule.Run, size string, critical bool, enemies int) int {
	amount := 1 // SP-06: a size below d3
	if size != "1" {
		amount = r.Sum(die(size, "stress"))
	}
	if critical {
		amount *= 2
	}
	return amount + max(0, enemies-1)
}

// smaller returns the die one size down. SP-06: below d3 it's a fixed 1.
func smaller(size string) string {
	switch size {
	case "d8":
		return "d6"
	case "d6":
		return "d3"
	}
	return "1"
}

// Risk is the GM's answer about what a check puts at stake, once stress is due.
type Risk struct {
	Die        string `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Resistance string `json:"resistance" form:"choice=blood|mind|silver|shadow|reputation"`
}

// isOpen reports whether a part of the risk isn't agreed yet.
func (k Risk) isOpen() bool { return k.Die == "" || k.Resistance == "" }

// or returns the risk with its open parts as in another one.
func (k Risk) or(other Risk) Risk {
	return Risk{cmp.Or(k.Die, other.Die), cmp.Or(k.Resistance, other.Resistance)}
}

// ask returns the risk of one character, with its open parts as the GM answers now. SP-11
func (k Risk) ask(r *rule.Run, s game.Scene, a Check, who string) Risk {
	if !k.isOpen() {
		return k
	}
	return k.or(rule.Ask(r, riskQuestion(s, AboutRisk{Who: who}, k, dieOf(s, a))))
}

// stressOf returns how much stress a check's result causes. SP-11
func stressOf(r *rule.Run, a Check, result rule.Outcome, risk Risk) int {
	if a.Partial && result.ID == "success-at-cost" { // SP-06
		risk.Die = smaller(risk.Die)
	}
	return throwStress(r, risk.Die, result.ID == "critical-failure", a.Enemies)
}

// riskQuestion returns the question for the parts of the risk that weren't agreed. weapon is the
// die of the opponent's weapon, which is filled in; "" for none. SP-11
func riskQuestion(s game.Scene, about AboutRisk, agreed Risk, weapon string) rule.Question[Risk] {
	hero, _ := game.Sheet[Character](s, about.Who)
	f := form.Of[Risk]().With("resistance", places(hero)...)
	q := rule.Question[Risk]{
		ID: "spire.risk", To: game.GM, Standard: agreed.or(Risk{cmp.Or(weapon, "d6"), string(Blood)}),
		Choose: []string{"resistance"}, // SP-09: the danger depends on the situation
	}
	if agreed.Die != "" {
		f = f.Without("die")
	} else {
		about.Die, about.Weapon = true, weapon
	}
	if agreed.Resistance != "" {
		f, q.Choose = f.Without("resistance"), nil
	}
	q.Form, q.About = f, about
	return q
}

// askPlace asks the GM where somebody takes stress whose amount is known. SP-08, SP-27
func askPlace(r *rule.Run, s game.Scene, who string, amount int) string {
	about := AboutRisk{Who: who, Amount: amount}
	return rule.Ask(r, riskQuestion(s, about, Risk{Die: "d6"}, "")).Resistance
}

// suffered is the result of stress on which the rest of a rule may depend.
type suffered struct {
	severity string // of the fallout, "" for none
}

// suffer marks stress on a character, or on one of its bonds, and rolls for fallout. SP-10, SP-14,
// SP-27
func suffer(r *rule.Run, s game.Scene, who, place string, amount int) suffered {
	hero, ok := game.Sheet[Character](s, who)
	if !ok || amount <= 0 {
		return suffered{}
	}
	if at, ok := bondAt(place); ok {
		strain(r, s, who, at, amount)
		return suffered{}
	}
	kind := Resistance(place)
	now := hero.Stress.Of(kind) + amount
	counted := max(0, now-hero.Free(kind))
	s.Record(r, StressMarked{Who: who, Resistance: kind, Amount: amount, Now: now, Counted: counted})
	return fallout(r, s, who, kind)
}

// die returns one die of a size written "d6".
func die(size, purpose string) dice.Pool {
	sides := map[string]int{"d3": 3, "d6": 6, "d8": 8}[size]
	return dice.Pool{N: 1, Sides: sides, For: purpose}
}
