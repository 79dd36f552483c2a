package edda

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Help holds the arguments of an action that makes another character's next action easier. ED-08
type Help struct {
	Helped form.Ref `json:"helped" form:"of=hero|fated,required,table"`
	Deed
	Action
	Pool   int    `json:"pool" form:"min=-99,max=99,default=5,bare"`
	Effort string `json:"effort" form:"choice=never|fiasco|always,rare"`
}

var helpMove = game.Define(acting(game.MoveSpec[Help]{
	ID: "help", Bare: true, AtTable: true, Kinds: []string{"hero", "fated"},
	Outcomes: []game.OutcomeKind{
		{ID: "helps", Counts: true, Tone: game.Good},
		{ID: "hinders", Tone: game.Bad},
		{ID: "declined", Tone: game.Neutral},
	},
	Headlines: []game.Headline{{ID: "help", Outcomes: []string{"helps"}}},
	Allow: func(s game.Scene, a Help) error {
		if err := allowAction(s, s.Actor, a.Action); err != nil {
			return err
		}
		if _, hero := game.Sheet[Hero](s, s.Actor); hero &&
			len(a.Strengths) == 0 { // ED-08: help needs a suitable strength
			return game.Refuse("ED-08", "edda.refusal.no-strength")
		}
		return allowActing(s, string(a.Helped))
	},
	Price: func(r *rule.Run, s game.Scene, a Help) rule.Outcome {
		return helpOutcome(a.party(s).toss(s).throw(r).hits)
	},
	Play: playHelp,
	Strip: func(s game.Scene, a Help) Help {
		a.Pool, a.Action = a.party(s).plain(s)
		return a
	},
}, func(a *Help) (*Action, *string) { return &a.Action, &a.Effort }))

// fits reports whether Fate has allowed the hero a suitable strength; without one, neither help nor
// treatment is possible. ED-08, ED-12
func fits(r *rule.Run, s game.Scene, a Action) bool {
	if _, hero := game.Sheet[Hero](s, s.Actor); !hero || len(a.Strengths) > 0 {
		return true
	}
	r.Record(Declined{Who: s.Actor, What: "action"})
	return false
}

// enough is the number of successes that a helper needs, and each participant in joint work.
const enough = 1

func (a Help) party(s game.Scene) party {
	return party{who: s.Actor, bare: a.Pool, plan: a.Action, label: "pool", assume: a.Effort, need: enough}
}

// helpOutcome returns the outcome of a helper's successes: each is a die for the one helped, and
// none costs a die. ED-08
func helpOutcome(hits int) rule.Outcome {
	if verdictOf(hits, enough) == bad {
		return rule.Outcome{ID: "hinders"}
	}
	return rule.Outcome{ID: "helps", N: hits}
}

// playHelp records the help as an advantage or a difficulty of the one helped, for one action.
// ED-08, ED-06
func playHelp(r *rule.Run, s game.Scene, a Help) rule.Outcome {
	s = game.Lend(r, s)
	if !fateAgrees(r, s, s.Actor, a.Deed.Text, &a.Action, staked{}, alone) || !fits(r, s, a.Action) {
		return decline(r, s)
	}
	got := a.party(s).join(r, s)
	result := helpOutcome(got.hits)
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	name := a.Deed.Text
	if name == "" {
		name = s.Cast[s.Actor].Name
	}
	made := CircumstanceMade{
		Who:          string(a.Helped),
		Sort:         "advantage",
		Circumstance: Circumstance{Name: name, Size: min(got.hits, largest), Lasts: "once"},
	}
	if result.ID == "hinders" {
		made.Sort, made.Circumstance.Size = "difficulty", 1
	}
	r.Record(made)
	r.Release(string(a.Helped)) // what follows is the helper's own
	settle(r, s, s.Actor, got, verdictOf(got.hits, enough), lost{})
	return result
}
