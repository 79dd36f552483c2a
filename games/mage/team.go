package mage

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Team is one task to which several people roll, each a pool of their own.
// Off a table they are bare pools. MG-16
type Team struct {
	Pools form.Faces `json:"pools" form:"max=12,bare"`
	Traits
	With       []form.Ref `json:"with" form:"min=1,max=11,required,table"`
	Difficulty int        `json:"difficulty" form:"max=20,default=6"`
	Threshold  int        `json:"threshold" form:"max=20"`
	Willpower  bool       `json:"willpower" form:"table,once"`
	Ruins      string     `json:"ruins" form:"choice=itself|everything"` // what a botch ruins
}

var teamMove = game.Define(game.Of[Team]{
	ID: "team", Bare: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: rollOutcomes, Headlines: rollHeadlines,
	Cast: func(_ game.Scene, a Team) []string { return form.IDs(a.With...) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Character](s, s.Actor)
		return fitTraits(hero, f, "").With("with", s.Others("character")...)
	},
	Allow: allowTeam,
	Price: func(r *rule.Run, s game.Scene, a Team) rule.Outcome {
		return a.outcome(priceShares(r, a.tasks(s)))
	},
	Play: func(r *rule.Run, s game.Scene, a Team) rule.Outcome {
		result := a.outcome(playShares(r, s, a.Traits, a.With, a.tasks(s)))
		r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
		return result
	},
	Mark: func(a Team, t rule.Thrown) []game.Mark {
		return taskOf(standard, 0, a.Difficulty, a.Threshold, false).mark(t)
	},
	Sources: func(s game.Scene, a Team) []game.Source { return a.sources(s) },
	Variants: func(s game.Scene, a Team) []game.VariantOf[Team] {
		better := a
		better.Willpower = true
		return withWillpower(s, a.Willpower, better)
	},
})

// tasks are what each one throws, who leads first. MG-16
func (a Team) tasks(s game.Scene) []task {
	if _, ok := game.Sheet[Character](s, s.Actor); ok {
		return shared(s, a.Traits, a.With, a.Difficulty, a.Threshold, a.Willpower)
	}
	tasks := make([]task, len(a.Pools))
	for i, pool := range a.Pools {
		tasks[i] = taskOf(houseRules(s), pool, a.Difficulty, a.Threshold, false)
	}
	return tasks
}

// shared are the throws of a character and the helpers at a table, as long as
// nobody chooses other traits. MG-16: the pools are never put together.
func shared(s game.Scene, t Traits, with []form.Ref, difficulty, threshold int, willpower bool) []task {
	var tasks []task
	for i, who := range append([]string{s.Actor}, form.IDs(with...)...) {
		c, _ := game.Sheet[Character](s, who)
		tasks = append(tasks, taskOf(houseRules(s), c.Pool(t), difficulty, threshold, willpower && i == 0))
	}
	return tasks
}

// outcome is the team's: the successes of all. Who botches does so alone,
// unless it was settled that a botch ruins everything. MG-16
func (a Team) outcome(s share) rule.Outcome {
	switch {
	case s.anybody && a.Ruins == "everything":
		return rule.Outcome{ID: "botch"}
	case s.won > 0:
		return rule.Outcome{ID: "success", N: s.won}
	}
	return rule.Outcome{ID: "failure"}
}

func allowTeam(s game.Scene, a Team) error {
	rules := houseRules(s)
	hero, atTable := game.Sheet[Character](s, s.Actor)
	if atTable {
		return firstRefusal(
			allowTraits(hero, a.Traits), allowDifficulty(a.Difficulty), allowThreshold(a.Threshold, rules),
			allowWillpower(hero, a.Willpower), allowHelpers(s, a.With), allowAction(hero, false),
		)
	}
	if len(a.Pools) == 0 {
		return game.Refuse("MG-16", "mage.refusal.no-pools")
	}
	for _, pool := range a.Pools {
		if err := allowPool(pool); err != nil {
			return err
		}
	}
	return firstRefusal(allowBareDifficulty(a.Difficulty, rules), allowThreshold(a.Threshold, rules))
}

// allowHelpers refuses who leads as a helper. MG-16
func allowHelpers(s game.Scene, with []form.Ref) error {
	for _, who := range with {
		if string(who) == s.Actor {
			return &game.Refusal{Rule: "MG-16", Word: "mage.refusal.twice", Data: data{"Name": s.Cast[s.Actor].Name}}
		}
	}
	return nil
}

// share is what one or more of a team have come to.
type share struct {
	won     int
	leader  bool // who leads has botched
	anybody bool // anybody has
}

func (s share) with(o rule.Outcome, leads bool) share {
	s.won += successes(o)
	botched := o.ID == "botch"
	s.leader = s.leader || botched && leads
	s.anybody = s.anybody || botched
	return s
}

// priceShares throws one after another; what came of those before the last is
// merged first.
func priceShares(r *rule.Run, tasks []task) share {
	if len(tasks) == 0 {
		return share{}
	}
	last := len(tasks) - 1
	before := rule.Part(r, func(r *rule.Run) share { return priceShares(r, tasks[:last]) })
	return before.with(tasks[last].settle(r), last == 0)
}

// playShares lets all throw side by side. Each helper says with what, and
// whether Willpower goes into it. MG-16
func playShares(r *rule.Run, s game.Scene, t Traits, with []form.Ref, tasks []task) share {
	leader, _ := game.Sheet[Character](s, s.Actor)
	parts := []func(*rule.Run) share{func(r *rule.Run) share {
		return share{}.with(tasks[0].play(r, s.Actor, leader, Rolled{Traits: t}), true)
	}}
	for i, who := range form.IDs(with...) {
		parts = append(parts, func(r *rule.Run) share {
			helper, _ := game.Sheet[Character](s, who)
			joins := rule.Ask(r, joinQuestion(s, "mage.join", who, t))
			if joins.Pass {
				r.Tell(StayedOut{Who: who})
				return share{}
			}
			own := tasks[i+1]
			own.pool, own.willpower = helper.Pool(joins.Traits), joins.Willpower
			return share{}.with(own.play(r, who, helper, Rolled{Traits: joins.Traits}), false)
		})
	}
	var all share
	for _, part := range rule.Together(r, parts...) {
		all.won += part.won
		all.leader = all.leader || part.leader
		all.anybody = all.anybody || part.anybody
	}
	return all
}

// Joining is what somebody puts into a throw of another's: as a helper, or to
// resist. MG-14, MG-16
type Joining struct {
	Traits
	Willpower bool `json:"willpower"`
	Pass      bool `json:"pass"` // stays out of it
}

var joiningForm = form.Of[Joining]()

// joinQuestion asks who plays a character for their pool. Nobody asked, it's
// the one of who acts.
func joinQuestion(s game.Scene, id, who string, t Traits) rule.Question[Joining] {
	c, _ := game.Sheet[Character](s, who)
	f := fitTraits(c, joiningForm, "").
		Default("attribute", t.Attribute).Default("ability", t.Ability).Default("alone", t.Alone)
	return rule.Question[Joining]{
		ID: id, To: who, Form: f, Standard: Joining{Traits: t},
		About: AboutJoining{Who: who, Actor: s.Actor, Against: id == "mage.resist"},
		Check: func(a Joining) error {
			if a.Pass {
				return nil
			}
			resists := id == "mage.resist" // MG-09: to resist is no action, to help is one
			return firstRefusal(allowTraits(c, a.Traits), allowWillpower(c, a.Willpower), allowAction(c, resists))
		},
	}
}
