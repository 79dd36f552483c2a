package mage

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Resisted is a roll against somebody else's. Off a table, and against
// somebody without a sheet, the other side is a bare pool. MG-14
type Resisted struct {
	Pool int `json:"pool" form:"min=-99,max=100,default=6,bare"`
	Traits
	Against           form.Ref `json:"against" form:"table"`
	Difficulty        int      `json:"difficulty" form:"max=20,default=6"`
	Willpower         bool     `json:"willpower" form:"table,once"`
	AgainstPool       int      `json:"against-pool" form:"min=-99,max=100,default=6"`
	AgainstDifficulty int      `json:"against-difficulty" form:"max=20,default=6"`
	Opposing          string   `json:"opposing" form:"choice,table"` // each rolls against this trait of the other
	On                form.Ref `json:"on" form:"table"`              // MG-15: the extended action that it's about
}

var resistedMove = game.Define(game.Of[Resisted]{
	ID: "resisted", Bare: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{
		{ID: "win", Counts: true, Tone: game.Good},
		{ID: "draw", Tone: game.Neutral},
		{ID: "lose", Counts: true, Less: true, Tone: game.Bad},
	},
	Headlines: []game.Headline{{ID: "win", Outcomes: []string{"win"}}, {ID: "lose", Outcomes: []string{"lose"}}},
	Cast:      func(_ game.Scene, a Resisted) []string { return form.IDs(a.Against, a.On) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Character](s, s.Actor)
		return fitTraits(hero, f, "").With("against", s.Others("character")...).With("on", actions(s)...).With("opposing", opposable()...)
	},
	Allow: allowResisted,
	Price: func(r *rule.Run, s game.Scene, a Resisted) rule.Outcome {
		sides := rule.Together(r,
			func(r *rule.Run) int { return successes(a.own(s).settle(r)) },
			func(r *rule.Run) int { return successes(a.other(s, Joining{Traits: a.Traits}).settle(r)) },
		)
		return compare(sides[0], sides[1])
	},
	Play: playResisted,
	Mark: func(a Resisted, t rule.Thrown) []game.Mark {
		if t.For == "against" {
			return a.other(game.Scene{}, Joining{}).mark(t)
		}
		return a.own(game.Scene{}).mark(t)
	},
	Sources: func(s game.Scene, a Resisted) []game.Source { return a.sources(s) },
	Variants: func(s game.Scene, a Resisted) []game.VariantOf[Resisted] {
		better := a
		better.Willpower = true
		return withWillpower(s, a.Willpower, better)
	},
})

// own is the acting side. MG-14
func (a Resisted) own(s game.Scene) task {
	hero, ok := game.Sheet[Character](s, s.Actor)
	if !ok {
		return taskOf(houseRules(s), a.Pool, a.Difficulty, 0, false)
	}
	return taskOf(houseRules(s), hero.Pool(a.Traits), a.difficulty(s, string(a.Against), a.Difficulty), 0, a.Willpower)
}

// other is the side that resists, with what it chose to resist with. MG-14
func (a Resisted) other(s game.Scene, with Joining) task {
	foe, ok := game.Sheet[Character](s, string(a.Against))
	if !ok {
		t := taskOf(houseRules(s), a.AgainstPool, a.AgainstDifficulty, 0, false)
		t.purpose = "against"
		return t
	}
	return taskOf(houseRules(s), foe.Pool(with.Traits), a.difficulty(s, s.Actor, a.AgainstDifficulty), 0, with.Willpower)
}

// difficulty is that of one side: a trait of the other's, where the roll is
// against one. MG-14
func (a Resisted) difficulty(s game.Scene, foe string, set int) int {
	c, ok := game.Sheet[Character](s, foe)
	if !ok || a.Opposing == "" {
		return set
	}
	return c.Attributes.Of(a.Opposing) + c.Rating(a.Opposing) + c.Ability(form.Trait(a.Opposing))
}

// successes are the net ones of a throw; what isn't a success has none. MG-14
func successes(o rule.Outcome) int {
	if succeeds(o) {
		return o.N
	}
	return 0
}

// compare says who wins, and by how much. MG-14
func compare(own, other int) rule.Outcome {
	switch {
	case own > other:
		return rule.Outcome{ID: "win", N: own - other}
	case own < other:
		return rule.Outcome{ID: "lose", N: other - own}
	}
	return rule.Outcome{ID: "draw"}
}

func allowResisted(s game.Scene, a Resisted) error {
	hero, atTable := game.Sheet[Character](s, s.Actor)
	_, foe := game.Sheet[Character](s, string(a.Against))
	if !atTable {
		rules := houseRules(s)
		return firstRefusal(
			allowPool(a.Pool), allowPool(a.AgainstPool),
			allowBareDifficulty(a.Difficulty, rules), allowBareDifficulty(a.AgainstDifficulty, rules),
		)
	}
	switch {
	case string(a.Against) == s.Actor:
		return &game.Refusal{Rule: "MG-14", Word: "mage.refusal.twice", Data: data{"Name": s.Cast[s.Actor].Name}}
	case !foe && (a.Opposing != "" || a.On != ""):
		return game.Refuse("MG-14", "mage.refusal.no-opponent")
	}
	if !foe {
		if err := allowPool(a.AgainstPool); err != nil {
			return err
		}
	}
	return firstRefusal(
		allowTraits(hero, a.Traits), allowDifficulty(a.Difficulty), allowDifficulty(a.AgainstDifficulty),
		allowWillpower(hero, a.Willpower), allowAction(hero, false), allowContest(s, a),
	)
}

// playResisted lets the other side say what it resists with before any dice,
// throws both sides, and brings the difference home. MG-14, MG-15
func playResisted(r *rule.Run, s game.Scene, a Resisted) rule.Outcome {
	hero, _ := game.Sheet[Character](s, s.Actor)
	foe, there := game.Sheet[Character](s, string(a.Against))
	with := Joining{}
	if there {
		with = rule.Ask(r, joinQuestion(s, "mage.resist", string(a.Against), a.Traits))
	}
	sides := rule.Together(r,
		func(r *rule.Run) int {
			return successes(a.own(s).play(r, s.Actor, hero, Rolled{Traits: a.Traits}))
		},
		func(r *rule.Run) int {
			if with.Pass {
				r.Tell(StayedOut{Who: string(a.Against), Against: true})
				return 0
			}
			return successes(a.other(s, with).play(r, string(a.Against), foe, Rolled{Traits: with.Traits}))
		},
	)
	result := compare(sides[0], sides[1])
	r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
	if a.On != "" {
		score(r, s, a, sides[0]-sides[1])
	}
	return result
}

// allowContest refuses a contest that is over, and one between others. MG-13,
// MG-15
func allowContest(s game.Scene, a Resisted) error {
	e, ok := game.Sheet[Extended](s, string(a.On))
	if !ok {
		return nil
	}
	if err := allowRunning(s, string(a.On)); err != nil {
		return err
	}
	own, other := form.Ref(s.Actor), a.Against
	same := e.First == own && e.Second == other || e.First == other && e.Second == own
	if e.First != "" && !same {
		return &game.Refusal{Rule: "MG-15", Word: "mage.refusal.other-sides", Data: data{"First": s.Cast[string(e.First)].Name, "Second": s.Cast[string(e.Second)].Name, "Name": s.Cast[string(a.On)].Name}}
	}
	return nil
}

// score adds the difference to the total of the side that won it; the first to
// reach the target wins. Who rolled first is the side that gathers for the
// target. MG-15
func score(r *rule.Run, s game.Scene, a Resisted, difference int) {
	e, _ := game.Sheet[Extended](s, string(a.On))
	scored := Scored{
		Who: string(a.On), First: s.Actor, Second: string(a.Against),
		Gathered: e.Gathered, Opposed: e.Opposed, Target: e.Target, Used: e.Used + 1,
	}
	if e.First == a.Against {
		scored.First, scored.Second = scored.Second, scored.First
		difference = -difference
	}
	scored.Gathered += max(0, difference)
	scored.Opposed += max(0, -difference)
	e = tellOf(r, e, scored)
	switch {
	case e.Gathered >= e.Target:
		r.Tell(Closed{Who: scored.Who, State: Done})
	case e.Opposed >= e.Target:
		r.Tell(Closed{Who: scored.Who, State: Lost})
	case e.Left() == 0:
		r.Tell(Closed{Who: scored.Who, State: Out})
	}
}
