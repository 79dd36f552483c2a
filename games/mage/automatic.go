package mage

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Automatic holds the arguments of the move that takes a success without a roll. MG-07
type Automatic struct {
	Traits
	Difficulty    int    `json:"difficulty" form:"max=20,default=6,fixed"`
	Modifier      int    `json:"modifier" form:"min=-8,max=20"`
	Circumstances string `json:"circumstances" form:"choice=calm|stress|combat|resisted"`
	Try
	Taking
}

var automaticMove = game.Define(game.MoveSpec[Automatic]{
	ID: "automatic", AtTable: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "success", Counts: true, Tone: game.Good}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		f = fitTraits(hero, f, form.Choices{"again": attempts(hero), "action": dues(hero, false)})
		if hero.Clock.Counted { // MG-07
			f = f.Default("circumstances", "combat")
		}
		return f
	},
	Allow: allowAutomatic,
	Play: func(r *rule.Run, s game.Scene, a Automatic) rule.Outcome { // MG-07: exactly one
		hero, _ := sheetOf(s, s.Actor)
		result, t, at := rule.Outcome{ID: "success", N: 1}, a.task(s), a.turn(hero, false)
		at.begin(r, s.Actor, hero)
		r.Record(Unrolled{Who: s.Actor, Traits: a.Traits, Dice: t.pool, Difficulty: t.difficulty})
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		a.settle(r, s, true, s.Actor)
		return result
	},
})

// task returns the roll that this move replaces. A retry makes it harder, too. MG-10, MG-12
func (a Automatic) task(s game.Scene) task {
	hero, _ := sheetOf(s, s.Actor)
	rules := houseRules(s)
	return taskOf(
		rules,
		a.turn(hero, false).pool(hero, a.Traits),
		aim{a.Difficulty, a.Modifier + a.harder(s, s.Actor), 0},
		false,
	)
}

// allowAutomatic refuses the move under stress, in combat, against an opponent, and if the pool is
// smaller than the difficulty. If the difficulty includes a threshold, one success isn't enough.
// MG-07, MG-20, MG-40
func allowAutomatic(s game.Scene, a Automatic) error {
	rules := houseRules(s)
	hero, _ := sheetOf(s, s.Actor)
	if !rules.Automatic {
		return game.Refuse("MG-40", "mage.refusal.no-automatic")
	}
	switch added := a.addedTo(s, a.Modifier, "difficulty"); {
	case added.nothing():
	case added.Free: // MG-12
		return game.Refuse("MG-12", "mage.refusal.fast")
	default: // MG-32
		return game.Refuse("MG-32", "mage.refusal.asked")
	}
	if hero.Clock.Counted && !s.Ruled.Set("circumstances", false) { // MG-07: in a fight, turns are counted
		return game.Refuse("MG-07", "mage.refusal.turns-counted")
	}
	if a.Circumstances != "calm" {
		return &game.Refusal{
			Rule: "MG-07",
			Word: "mage.refusal.not-calm",
			Data: data{"Circumstances": game.Word("mage.circumstances." + a.Circumstances)},
		}
	}
	if err := firstRefusal(
		allowTraits(hero, a.Traits, houseRules(s)), allowDifficulty(a.Difficulty), a.allowRetry(s, s.Actor),
		a.allow(hero),
	); err != nil {
		return err
	}
	switch t := a.task(s); {
	case t.threshold > 0:
		return game.Refuse("MG-20", "mage.refusal.threshold-takes-it")
	case t.pool < t.difficulty:
		return &game.Refusal{
			Rule: "MG-07",
			Word: "mage.refusal.pool-too-small",
			Data: data{"N": t.pool, "Difficulty": t.difficulty},
		}
	}
	return nil
}

// Record holds the arguments of the move that records an action without dice: one that can't fail,
// or is impossible. MG-31
type Record struct {
	How  string `json:"how" form:"choice=automatic|impossible"`
	Text string `json:"text" form:"prose,required"`
}

var recordMove = game.Define(game.MoveSpec[Record]{
	ID: "record", GMOnly: true, AtTable: true, Kinds: people,
	Instant:  func(game.Scene, Record) bool { return true }, // MG-09: a shout
	Outcomes: []game.OutcomeKind{{ID: "happens", Tone: game.Neutral}, {ID: "impossible", Tone: game.Neutral}},
	Play: func(r *rule.Run, s game.Scene, a Record) rule.Outcome { // MG-31
		r.Record(Happened{Who: s.Actor, Text: a.Text})
		return game.RecordOutcome(
			r,
			s,
			rule.Outcome{ID: map[string]string{"automatic": "happens", "impossible": "impossible"}[a.How]},
		)
	},
})
