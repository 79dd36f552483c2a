package spire

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Group is an action in which everybody must do well: one leads, the others
// follow. SP-09
type Group struct {
	Members []form.Ref `json:"members" form:"min=1,max=12,required,table"`
	Check
}

var groupMove = game.Define(game.Of[Group]{
	ID: "group", AtTable: true, Kinds: []string{"character"},
	Outcomes: checkOutcomes, Headlines: checkHeadlines,
	Cast: func(_ game.Scene, a Group) []string {
		return append(castOf(a.With, a.Against), form.IDs(a.Members...)...)
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return fitCheck(s, f).With("members", s.Others("character")...)
	},
	Allow: func(s game.Scene, a Group) error {
		for _, who := range a.Members {
			if string(who) == s.Actor || containsRef(a.With, who) {
				return &game.Refusal{Rule: "SP-09", Word: "spire.refusal.twice", Data: map[string]any{"Name": s.Cast[string(who)].Name}}
			}
		}
		return allowCheck(s, a.Check)
	},
	Price: func(r *rule.Run, s game.Scene, a Group) rule.Outcome {
		return throw(r, poolOf(s, a.Check), difficultyOf(s, a.Check))
	},
	Play: playGroup,
	Mark: func(_ Group, t rule.Thrown) []game.Mark { return markHighest(t) },
})

// playGroup lets the leader throw and then, side by side, brings the leader's
// result home and lets every other participant throw. SP-09
func playGroup(r *rule.Run, s game.Scene, a Group) rule.Outcome {
	lead := throw(r, poolOf(s, a.Check), difficultyOf(s, a.Check))
	r.Tell(game.Resolved{Who: s.Actor, Outcome: lead})
	parts := []func(*rule.Run) suffered{func(r *rule.Run) suffered {
		follow(r, s, a.Check, lead)
		return suffered{}
	}}
	for _, member := range form.IDs(a.Members...) {
		parts = append(parts, func(r *rule.Run) suffered { return join(r, s, a.Check, member, succeeded(lead)) })
	}
	rule.Together(r, parts...)
	return lead
}

// join is one participant's own throw, with mastery if the leader succeeded.
// Only a skill or a domain with a name is looked for on the others' sheets.
// SP-09
func join(r *rule.Run, s game.Scene, a Check, member string, led bool) suffered {
	r.By(member)
	own := s
	own.Actor = member
	hero, _ := game.Sheet[Character](s, member)
	if has, _ := hero.skill(a.Skill); !has || a.Skill == form.Yes {
		a.Skill = ""
	}
	if has, _ := hero.domain(a.Domain); !has || a.Domain == form.Yes {
		a.Domain = ""
	}
	a.Mastery = led // SP-01: it still counts once
	a.With, a.Helpers, a.Harm = nil, 0, ""
	playCheck(r, own, a)
	return suffered{}
}

// allowHelpers refuses helpers who can't help, and more of them than the GM
// lets in. SP-08
func allowHelpers(s game.Scene, a Check) error {
	if rules, ok := s.Settings.(Settings); ok && s.Actor != "" && len(a.With)+a.Helpers > rules.Helpers {
		return &game.Refusal{Rule: "SP-08", Word: "spire.refusal.helpers", Data: map[string]any{"N": rules.Helpers}}
	}
	hero, _ := game.Sheet[Character](s, s.Actor)
	for _, who := range a.With {
		helper, ok := game.Sheet[Character](s, string(who))
		if string(who) == s.Actor {
			return &game.Refusal{Rule: "SP-08", Word: "spire.refusal.twice", Data: map[string]any{"Name": s.Cast[string(who)].Name}}
		}
		if !ok || !helper.helps(hero, a) {
			return &game.Refusal{Rule: "SP-08", Word: "spire.refusal.cannot-help", Data: map[string]any{"Name": s.Cast[string(who)].Name}}
		}
	}
	return nil
}

// helps tells whether a helper may have a skill or a domain that fits: the one
// that the check names or, where it names none, one that the actor lacks, for
// otherwise it would have been named. SP-08
func (c Character) helps(hero Character, a Check) bool {
	skill, _ := c.skill(a.Skill)
	domain, _ := c.domain(a.Domain)
	return skill || domain ||
		a.Skill == "" && slices.ContainsFunc(c.Skills, func(s Skill) bool { has, _ := hero.skill(s.Name); return !has }) ||
		a.Domain == "" && slices.ContainsFunc(c.Domains, func(d Domain) bool { has, _ := hero.domain(d.Name); return !has })
}
