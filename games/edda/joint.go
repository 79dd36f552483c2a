package edda

import (
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Joint is one task for several heroes, to which each adds something of their
// own. ED-09
type Joint struct {
	With []form.Ref `json:"with" form:"min=1,max=11,required,table"`
	Deed
	Complexity int `json:"complexity" form:"max=99,default=1"`
	Action
	Pool   int        `json:"pool" form:"min=-99,max=99,default=5,bare"`
	Others form.Faces `json:"others" form:"max=11,bare"`         // the pools of the others
	Each   int        `json:"each" form:"min=1,max=9,default=1"` // ED-04: fewer successes are a hero's own fiasco
	Effort string     `json:"effort" form:"choice=never|fiasco|always"`
}

var jointMove = game.Define(game.Of[Joint]{
	ID: "joint", Bare: true, AtTable: true, Kinds: []string{"hero"},
	Outcomes: actOutcomes, Headlines: actHeadlines, Aims: actAims,
	Cast: func(_ game.Scene, a Joint) []string { return form.IDs(a.With...) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return fitAction(s, f).With("with", s.Others("hero")...)
	},
	Allow: func(s game.Scene, a Joint) error {
		for i, pool := range a.Others {
			if pool > mostOthers {
				return form.Problems{{Path: "others." + strconv.Itoa(i), Code: form.Range, Max: mostOthers, Given: strconv.Itoa(pool)}}
			}
		}
		if err := allowAction(s, s.Actor, a.Action); err != nil {
			return err
		}
		for _, who := range form.IDs(a.With...) {
			if err := allowActing(s, who); err != nil {
				return err
			}
		}
		return nil
	},
	Price: func(r *rule.Run, s game.Scene, a Joint) rule.Outcome {
		return came(sum(r, s, a.parties(s), a.Each), a.Complexity)
	},
	Play:    playJoint,
	Mark:    func(_ Joint, t rule.Thrown) []game.Mark { return markSuccesses(t) },
	Sources: func(s game.Scene, a Joint) []game.Source { return sourcesOf(s, a.Action) },
	Variants: func(s game.Scene, a Joint) []game.VariantOf[Joint] {
		return ways(s, a.Action, a.Effort, func(plan Action, effort string) Joint { a.Action, a.Effort = plan, effort; return a })
	},
})

const (
	mostOthers = 99 // dice of one of the others
	fiascoCost = 3  // ED-09
)

// parties are all who work: the acting hero, then the others, whose players
// are asked what goes into it.
func (a Joint) parties(s game.Scene) []party {
	all := []party{{who: s.Actor, bare: a.Pool, plan: a.Action, label: "pool", assume: a.Effort, need: a.Each}}
	for _, pool := range a.Others {
		all = append(all, party{bare: pool, label: "pool", assume: a.Effort, need: a.Each})
	}
	for _, who := range form.IDs(a.With...) {
		hero, _ := game.Sheet[Hero](s, who)
		all = append(all, party{who: who, plan: hero.usual(len(a.Strengths)), asked: true, label: "pool", assume: a.Effort, need: a.Each})
	}
	return all
}

// added is what one hero's successes add: those of a fiasco too, less three.
// ED-09
func added(hits, each int) int {
	if verdictOf(hits, each) == bad {
		return hits - fiascoCost
	}
	return hits
}

// sum is what everybody's throws come to, one after the other, so that odds
// see no more than the sum so far. ED-09
func sum(r *rule.Run, s game.Scene, all []party, each int) int {
	if len(all) == 0 {
		return 0
	}
	last := len(all) - 1
	before := rule.Part(r, func(r *rule.Run) int { return sum(r, s, all[:last], each) })
	return before + rule.Part(r, func(r *rule.Run) int { return added(all[last].toss(s).throw(r).hits, each) })
}

// playJoint lets everybody throw side by side, and tells how each did once all
// are done. ED-09, ED-15
func playJoint(r *rule.Run, s game.Scene, a Joint) rule.Outcome {
	if !agreed(r, s, s.Actor, a.Deed.Text, a.Action) {
		return decline(r, s)
	}
	all := a.parties(s)
	var throws, ends []func(*rule.Run) share
	for _, p := range all {
		throws = append(throws, func(r *rule.Run) share { return p.join(r, s) })
	}
	shares := rule.Together(r, throws...)
	together := 0
	for i, got := range shares {
		n := added(got.hits, a.Each)
		together += n
		r.Tell(Shared{Who: all[i].who, Hits: got.hits, Added: n})
		ends = append(ends, func(r *rule.Run) share {
			settle(r, s, all[i].who, got, verdictOf(got.hits, a.Each), 0)
			return got
		})
	}
	result := came(together, a.Complexity)
	resolve(r, s, result, a.Complexity)
	rule.Together(r, ends...)
	return result
}
