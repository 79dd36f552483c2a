package eclipse

import (
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Initiative holds the arguments of the throw for the order of action. EP-23
type Initiative struct {
	Intuition int    `json:"intuition" form:"max=30,default=15,bare"`
	Reflexes  int    `json:"reflexes" form:"max=30,default=15,bare"`
	First     string `json:"first" form:"choice=|vigor|insight|flex,table"` // the pool that pays a point to go first
}

var initiativeMove = game.Define(game.MoveSpec[Initiative]{
	ID: "initiative", Bare: true, AtTable: true, Order: game.OrderThrown, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{
		{ID: "first", Counts: true, Tone: game.Good},
		{ID: "initiative", Counts: true, Tone: game.Neutral},
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		options := []form.Option{{}}
		for _, name := range []string{"vigor", "insight", "flex"} { // EP-23; EP-20: Flex can pay for anything
			if hero.Pools.Of(name).Points() > 0 {
				options = append(options, form.Option{Value: name})
			}
		}
		return f.With("first", options...)
	},
	Allow: func(s game.Scene, a Initiative) error {
		if a.First != "" && quiet(s, s.Actor) {
			return game.Refuse("EP-09", "eclipse.refusal.secret-point")
		}
		return nil
	},
	Price: func(r *rule.Run, s game.Scene, a Initiative) rule.Outcome { return throwInitiative(r, s, a) },
	Strip: func(s game.Scene, a Initiative) Initiative {
		if hero, ok := sheetOf(s, s.Actor); ok {
			a.Intuition, a.Reflexes = hero.Aptitudes.Int, hero.Aptitudes.Ref
		}
		return a
	},
	Play: func(r *rule.Run, s game.Scene, a Initiative) rule.Outcome {
		s = game.Lend(r, s)
		hero, _ := sheetOf(s, s.Actor)
		if a.First != "" {
			s.Record(r, hero.spend(s, s.Actor, a.First, 1, "first"))
		}
		return game.RecordOutcome(r, s, throwInitiative(r, s, a))
	},
})

// throwInitiative adds a d6 to the speed. EP-23
func throwInitiative(r *rule.Run, s game.Scene, a Initiative) rule.Outcome {
	bonus := speed(a.Intuition, a.Reflexes)
	if hero, ok := sheetOf(s, s.Actor); ok {
		bonus = hero.Initiative()
	}
	result := rule.Outcome{ID: "initiative", N: r.Sum(dice.Pool{N: 1, Sides: 6, For: "initiative"}) + bonus}
	if a.First != "" {
		result.ID = "first"
	}
	return result
}

// speed returns (INT + REF) ÷ 5, rounded up. EP-23, EP-03
func speed(intuition, reflexes int) int { return divideUp(intuition+reflexes, 5) }
