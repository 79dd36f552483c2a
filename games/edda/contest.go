package edda

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Contest holds the arguments of a contest between two sides. ED-05
type Contest struct {
	Against form.Ref `json:"against" form:"of=hero|fated,required,table"`
	Deed
	Action
	Pool          int    `json:"pool" form:"min=-99,max=99,default=5,bare"`
	AgainstPool   int    `json:"against-pool" form:"min=-99,max=99,default=5,assumed"`
	Effort        string `json:"effort" form:"choice=never|always,rare"`
	AgainstEffort string `json:"against-effort" form:"choice=never|always,set=effort,rare"`
}

var contestMove = game.Define(acting(game.MoveSpec[Contest]{
	ID: "contest", Bare: true, AtTable: true, Kinds: []string{"hero", "fated"},
	Outcomes: []game.OutcomeKind{
		{ID: "win", Counts: true, Tone: game.Good},
		{ID: "draw", Tone: game.Mixed},
		{ID: "lose", Counts: true, Less: true, Tone: game.Bad},
		{ID: "declined", Tone: game.Neutral},
	},
	Headlines: []game.Headline{{ID: "win", Outcomes: []string{"win"}}, {ID: "hold", Outcomes: []string{"win", "draw"}}},
	Allow: func(s game.Scene, a Contest) error {
		if err := allowAction(s, s.Actor, a.Action); err != nil {
			return err
		}
		return allowActing(s, string(a.Against))
	},
	Ready: func(s game.Scene, a Contest) func(*rule.Run) rule.Outcome {
		mine, theirs := a.mine(s).toss(s), a.theirs(s).toss(s)
		sides := []func(*rule.Run) int{
			func(r *rule.Run) int { return mine.throw(r).hits },
			func(r *rule.Run) int { return theirs.throw(r).hits },
		}
		return func(r *rule.Run) rule.Outcome {
			hits := rule.Together(r, sides...)
			return cancel(hits[0], hits[1])
		}
	},
	Play: playContest,
	Strip: func(s game.Scene, a Contest) Contest {
		mine, theirs := a.mine(s), a.theirs(s)
		a.Pool, a.Action = mine.plain(s)
		a.AgainstPool, _ = theirs.plain(s)
		return a
	},
}, func(a *Contest) (*Action, *string) { return &a.Action, &a.Effort }))

func (a Contest) mine(s game.Scene) party {
	return party{who: s.Actor, bare: a.Pool, plan: a.Action, label: "pool", assume: a.Effort}
}

// theirs returns the other side. A hero's player is asked for the plan. ED-01
func (a Contest) theirs(s game.Scene) party {
	p := party{who: string(a.Against), bare: a.AgainstPool, label: "against", assume: a.AgainstEffort}
	if hero, ok := game.Sheet[Hero](s, p.who); ok {
		p.plan, p.asked = hero.usual(), true
	}
	return p
}

// cancel subtracts successes from each other. The side with some left wins by them. A sum below
// nothing counts as none: nobody can have more left than they threw. ED-05, ED-09
func cancel(mine, theirs int) rule.Outcome {
	switch left := max(0, mine) - max(0, theirs); {
	case left > 0:
		return rule.Outcome{ID: "win", N: left}
	case left < 0:
		return rule.Outcome{ID: "lose", N: -left}
	}
	return rule.Outcome{ID: "draw"}
}

// lostTo returns what a side has lost by an outcome, if it's the losing one.
func lostTo(result rule.Outcome, by, to string) lost {
	if result.ID != by {
		return lost{}
	}
	return lost{by: result.N, to: to}
}

// Yield is Fate's answer about the winner's surplus of successes: a condition or a difficulty for
// the loser, or an advantage for the winner. ED-05, ED-06, ED-10
type Yield struct {
	Becomes   string     `json:"becomes" form:"choice=nothing|condition|difficulty|advantage"`
	Condition form.Trait `json:"condition" form:"choice=fatigue,open,required,default=fatigue,for=becomes:condition"`
	Kind      string     `json:"kind" form:"choice=body|mind,set=nature"`
	Called    string     `json:"called" form:"text,for=becomes:difficulty|advantage"` // name of a difficulty or an advantage
	Lasts     string     `json:"lasts" form:"choice=once|lasting"`
	Size      int        `json:"size" form:"min=1,max=99,default=1"`
	Failed    bool       `json:"failed" form:"default=true"` // ED-18: the loss counts as a fiasco of the weakness
}

var yieldForm = form.Of[Yield]()

// yield asks Fate what becomes of the winner's surplus, by default of its size, and whether the
// loss counts as a fiasco of the loser's weakness, if that hindered. ED-05, ED-10, ED-18
func (p *person) yield(lost lost, weak bool) (failed bool) {
	f := yieldForm
	if !weak {
		f = f.Without("failed")
	}
	fate := rule.Ask(p.r, rule.Question[Yield]{
		ID: "edda.yield", To: game.GM,
		Standard: Yield{
			Becomes:   "nothing",
			Condition: fatigue,
			Kind:      "body",
			Lasts:     "once",
			Size:      min(lost.by, largest),
			Failed:    true,
		},
		Form:  f,
		About: AboutLost{Who: p.who, By: lost.to, N: lost.by}, Check: Yield.check,
	})
	made := CircumstanceMade{
		Who:          p.who,
		Sort:         fate.Becomes,
		Circumstance: Circumstance{Name: fate.Called, Size: fate.Size, Lasts: fate.Lasts},
	}
	switch fate.Becomes {
	case "condition":
		p.record(take(p.who, p.sheet, newCondition(fate.Condition, fate.Kind, fate.Size), "fate"))
	case "difficulty":
		p.record(made)
	case "advantage":
		made.Who = lost.to
		p.r.Record(made)
	}
	return fate.Failed
}

// check refuses a difficulty or an advantage without a name. ED-06
func (y Yield) check() error {
	if (y.Becomes == "difficulty" || y.Becomes == "advantage") && y.Called == "" {
		return game.Refuse("ED-06", "edda.refusal.not-called")
	}
	return nil
}

// playContest throws for both sides in parallel after both plans are made, each with its own dice
// and its own question, and records no result until both are done. ED-01, ED-05, ED-15
func playContest(r *rule.Run, s game.Scene, a Contest) rule.Outcome {
	s = game.Lend(r, s)
	if !fateAgrees(r, s, s.Actor, a.Deed.Text, &a.Action, staked{}, beside) {
		return decline(r, s)
	}
	both := askPlans(r, s, a.Deed.Text, a.mine(s), a.theirs(s))
	theirs := both[1]
	sides := rule.Together(r, joining(s, both)...)
	result := cancel(sides[0].hits, sides[1].hits)
	r.Record(
		Opposed{Who: s.Actor, Hits: sides[0].hits, Against: theirs.who, AgainstHits: sides[1].hits},
		game.Resolved{Who: s.Actor, Outcome: result},
	)
	how := map[string][2]verdict{"win": {good, bad}, "draw": {even, even}, "lose": {bad, good}}[result.ID]
	rule.Together(r,
		func(r *rule.Run) verdict {
			settle(r, s, s.Actor, sides[0], how[0], lostTo(result, "lose", theirs.who))
			if result.ID != "win" { // the loser's part may still give the winner an advantage
				r.Release(s.Actor)
			}
			return how[0]
		},
		func(r *rule.Run) verdict {
			settle(r, s, theirs.who, sides[1], how[1], lostTo(result, "win", s.Actor))
			if result.ID != "lose" {
				r.Release(theirs.who)
			}
			return how[1]
		})
	return result
}
