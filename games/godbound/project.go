package godbound

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Project is a change to the world in progress: a player proposes it, the GM sets its price. GB-26
type Project struct {
	Goal   string    `json:"goal" form:"prose"`
	Scale  string    `json:"scale" form:"choice=|village|city|region|nation|world,set=scale-of"`
	Degree string    `json:"degree" form:"choice=|plausible|improbable|impossible,set=degree-of"`
	Paid   []Payment `json:"paid" form:"max=40"`
	Over   string    `json:"over,omitempty" form:"choice=|done|dropped"`
}

// mastered lists the members of a project that only a GM sets. GB-26
var mastered = []string{"scale", "degree", "paid", "over"}

// Payment is one hero's payment for a project.
type Payment struct {
	Who       form.Ref `json:"who" form:"required"`
	Influence int      `json:"influence" form:"max=9999"`
	Dominion  int      `json:"dominion" form:"max=9999"`
}

// freesInfluence returns the events that free the Influence of a change when it's removed. GB-26
func freesInfluence(sheet any) []rule.Event {
	p, _ := sheet.(Project)
	var back []rule.Event
	for _, each := range p.Paid {
		if each.Influence > 0 {
			back = append(back, Paid{Who: string(each.Who), Influence: -each.Influence})
		}
	}
	return back
}

// price returns what a change costs: its scale times its degree, 0 until the GM has set them. GB-26
func (p Project) price() int {
	scale := map[string]int{"village": 1, "city": 2, "region": 4, "nation": 8, "world": 16}[p.Scale]
	degree := map[string]int{"plausible": 1, "improbable": 2, "impossible": 4}[p.Degree]
	return scale * degree
}

// paid returns what was paid so far, and the part that lasts. GB-26
func (p Project) paid() (all, lasting int) {
	for _, each := range p.Paid {
		all += each.Influence + each.Dominion
		lasting += each.Dominion
	}
	return all, lasting
}

// missing returns what must still be paid. GB-26
func (p Project) missing() int {
	all, _ := p.paid()
	return max(0, p.price()-all)
}

// of returns what one hero has paid.
func (p Project) of(who string) Payment {
	for _, each := range p.Paid {
		if string(each.Who) == who {
			return each
		}
	}
	return Payment{Who: form.Ref(who)}
}

// Work holds the arguments of a payment for a change: Influence, which holds it while it's
// committed, or Dominion, which is spent and lasts; negative Influence is taken back. GB-26
type Work struct {
	Project   form.Ref `json:"project" form:"required"`
	Influence int      `json:"influence" form:"min=-64,max=64"` // negative: taken back
	Dominion  int      `json:"dominion" form:"max=64"`
}

var workMove = game.Define(game.MoveSpec[Work]{
	ID: "work", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "changed", Tone: game.Good}, {ID: "missing", Counts: true, Tone: game.Neutral}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		projects := s.Others("project")
		for i := range projects {
			p, _ := game.Sheet[Project](s, projects[i].Value)
			projects[i].Past = p.Over != "" || p.price() == 0
		}
		return f.With("project", projects...)
	},
	Allow: func(s game.Scene, a Work) error { // GB-26
		if err := alive(s, s.Actor); err != nil {
			return err
		}
		hero, _ := game.Sheet[Hero](s, s.Actor)
		p, _ := game.Sheet[Project](s, string(a.Project))
		switch {
		case p.Over != "":
			return game.Refuse("GB-26", "godbound.refusal.project-over", "Name", name(s, string(a.Project)))
		case p.price() == 0:
			return game.Refuse("GB-26", "godbound.refusal.no-price", "Name", name(s, string(a.Project)))
		case a.Influence == 0 && a.Dominion == 0:
			return game.Refuse("GB-26", "godbound.refusal.nothing-paid")
		case a.Influence > hero.Influence.Free():
			return game.Refuse("GB-26", "godbound.refusal.influence", "N", hero.Influence.Free())
		case -a.Influence > p.of(s.Actor).Influence:
			return game.Refuse("GB-26", "godbound.refusal.take-back", "N", p.of(s.Actor).Influence)
		case a.Dominion > hero.Dominion:
			return game.Refuse("GB-26", "godbound.refusal.dominion", "N", hero.Dominion)
		case a.Influence+a.Dominion > p.missing():
			return game.Refuse("GB-26", "godbound.refusal.too-much", "N", p.missing())
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Work) rule.Outcome {
		c, id := on(r, s), string(a.Project)
		c.tell(Paid{Who: s.Actor, Influence: a.Influence, Dominion: a.Dominion})
		before, _ := game.Sheet[Project](s, id)
		all, _ := before.paid()
		all += a.Influence + a.Dominion
		missing := max(0, before.price()-all)
		c.tell(
			ProjectPaid{
				Who:       id,
				By:        s.Actor,
				Influence: a.Influence,
				Dominion:  a.Dominion,
				Price:     before.price(),
				Missing:   missing,
			},
		)
		result := rule.Outcome{ID: "changed"}
		if missing > 0 {
			result = rule.Outcome{ID: "missing", N: missing}
		}
		return game.RecordOutcome(r, s, result)
	},
})

// Close holds the arguments of the move that completes a change, or gives it up. The Influence that
// it held is freed. GB-26
type Close struct {
	How string `json:"how" form:"choice=done|dropped,set=over"`
}

var closeMove = game.Define(game.MoveSpec[Close]{
	ID: "close", GMOnly: true, AtTable: true, Kinds: []string{"project"}, Outcomes: done,
	Cast: func(s game.Scene, _ Close) []string {
		p, _ := game.Sheet[Project](s, s.Actor)
		return p.bound(s)
	},
	Allow: func(s game.Scene, _ Close) error {
		if p, _ := game.Sheet[Project](s, s.Actor); p.Over != "" {
			return game.Refuse("GB-26", "godbound.refusal.project-over", "Name", name(s, s.Actor))
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Close) rule.Outcome {
		c := on(r, s)
		p, _ := game.Sheet[Project](s, s.Actor)
		c.tell(p.releaseInfluence(s)...)
		c.tell(ProjectEnded{Who: s.Actor, How: a.How})
		return happened
	},
})

// bound returns the heroes whose Influence a project holds. GB-26
func (p Project) bound(s game.Scene) []string {
	var all []string
	for _, each := range p.Paid {
		if _, here := s.Cast[string(each.Who)]; here && each.Influence > 0 {
			all = append(all, string(each.Who))
		}
	}
	return all
}

// releaseInfluence returns the events that free the Influence that a project holds. GB-26
func (p Project) releaseInfluence(s game.Scene) []rule.Event {
	return game.Each(p.bound(s), func(who string) rule.Event { return Paid{Who: who, Influence: -p.of(who).Influence} })
}
