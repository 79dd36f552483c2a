package spire

import (
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Group holds the arguments of an action in which everybody must do well: one leads, the others
// follow. SP-09
type Group struct {
	Members []form.Ref `json:"members" form:"min=1,max=12,required,table"`
	Check
}

var groupMove = game.Define(game.MoveSpec[Group]{
	ID: "group", AtTable: true, Kinds: []string{"character"},
	Outcomes: checkOutcomes, Headlines: checkHeadlines,
	Cast: func(_ game.Scene, a Group) []string {
		return append(castOf(a.With, a.Against), form.IDs(a.Members...)...)
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Character](s, s.Actor)
		return fitCheck(
			s,
			f,
		).With(
			"members",
			s.Others("character")...).With(
			"hindered",
			append(hero.hindrances(), othersHindrances(s)...)...)
	},
	Allow: func(s game.Scene, a Group) error {
		for _, who := range a.Members {
			if string(who) == s.Actor || who == a.Against || containsRef(a.With, who) {
				return &game.Refusal{
					Rule: "SP-09",
					Word: "spire.refusal.twice",
					Data: map[string]any{"Name": s.Cast[string(who)].Name},
				}
			}
		}
		for _, who := range form.IDs(a.Members...) {
			c, _ := game.Sheet[Character](s, who)
			if err := c.allowHindered(hinderedOf(who, a.Hindered)); err != nil {
				return err
			}
		}
		for _, at := range form.IDs(a.Hindered...) { // SP-31: those of participants
			if who, _, others := strings.Cut(at, ":"); others && !containsRef(a.Members, form.Ref(who)) {
				return game.Refuse("SP-31", "spire.refusal.not-hindered")
			}
		}
		return allowCheck(s, a.leaderCheck())
	},
	Price: func(r *rule.Run, s game.Scene, a Group) rule.Outcome {
		return throw(r, poolOf(s, a.Check), difficultyOf(s, a.leaderCheck()))
	},
	Play: playGroup,
	Mark: func(_ Group, t rule.Throw) []game.Mark { return markHighest(t) },
})

// leaderCheck returns the leader's own check. SP-09, SP-31
func (a Group) leaderCheck() Check {
	a.Hindered = hinderedOf("", a.Hindered)
	return a.Check
}

// playGroup rolls for the leader and then, in parallel, for every other participant. After that it
// applies what they all did to the opponent and what it costs each of them. SP-09
func playGroup(r *rule.Run, s game.Scene, a Group) rule.Outcome {
	before := s
	s = game.Lend(r, s)
	var agreed []Exception
	a.Check, agreed = settleGroupStakes(r, s, a)
	lead := attempt(r, before, s, a.leaderCheck())
	members := form.IDs(a.Members...)
	var throws []func(*rule.Run) rule.Outcome
	for _, member := range members {
		throws = append(throws, func(r *rule.Run) rule.Outcome {
			game.NameRoller(r, s, member)
			own, joined := join(game.Lend(r, s), a.Check, member, isSuccess(lead))
			return attempt(r, before, own, joined)
		})
	}
	results := rule.Together(r, throws...)

	tens := lead.N
	for _, result := range results {
		tens += result.N
	}
	rule.Together(r,
		func(r *rule.Run) suffered { return strike(r, game.Lend(r, s), a.Check, lead, tens) },
		func(r *rule.Run) suffered {
			return groupCost(r, game.Lend(r, s), a, append([]rule.Outcome{lead}, results...), agreed)
		})
	return lead
}

// groupCost applies the results' stress to all participants, leader first, once the GM has said what
// threatens them. SP-09
func groupCost(r *rule.Run, s game.Scene, a Group, results []rule.Outcome, agreed []Exception) suffered {
	var takers []string
	for i, who := range a.participants(s) {
		switch {
		case costs(results[i]):
			takers = append(takers, who)
		case who == s.Actor:
			r.Release(append(form.IDs(a.With...), who)...) // they needn't wait for the danger
		default:
			r.Release(who)
		}
	}
	risks := a.risks(r, s, takers, agreed)
	var parts []func(*rule.Run) suffered
	for i, who := range a.participants(s) {
		parts = append(parts, func(r *rule.Run) suffered {
			own, check := game.Lend(r, s), a.Check
			if who != s.Actor {
				own, check = join(own, a.Check, who, isSuccess(results[0]))
			}
			if !costs(results[i]) {
				r.SetRoller(who)
				return cost(r, own, check, results[i])
			}
			game.NameRoller(r, s, who)
			return costAt(r, own, check, results[i], risks[who])
		})
	}
	rule.Together(r, parts...)
	return suffered{}
}

// participants returns the leader and the others.
func (a Group) participants(s game.Scene) []string {
	return append([]string{s.Actor}, form.IDs(a.Members...)...)
}

// join returns one participant's own check, with mastery if the leader succeeded. Only a skill or a
// domain with a name is looked up on the others' sheets, where mastery counts without it, too; a bond
// is the leader's own. SP-01, SP-09
func join(s game.Scene, a Check, member string, led bool) (game.Scene, Check) {
	s.Actor = member
	hero, _ := game.Sheet[Character](s, member)
	if has, mastery := hero.skill(a.Skill); !has && !mastery || a.Skill == form.Yes {
		a.Skill = ""
	}
	if has, mastery := hero.domain(a.Domain); !has && !mastery || a.Domain == form.Yes {
		a.Domain = ""
	}
	if _, bond := bondAt(a.Resistance); bond {
		a.Resistance = ""
	}
	a.Mastery = led // SP-01: it still counts once
	a.With, a.Helpers = nil, 0
	a.Hindered = hinderedOf(member, a.Hindered) // SP-31
	return s, a
}

// allowHelpers refuses helpers who can't help, or more of them than the GM allows. SP-08
func allowHelpers(s game.Scene, a Check) error {
	rules, ok := s.Settings.(Settings)
	if ok && rules.Stakes != "gm" && !s.Ruled.Set("with", false) && s.Actor != "" &&
		len(a.With)+a.Helpers > rules.Helpers {
		return &game.Refusal{Rule: "SP-08", Word: "spire.refusal.helpers", Data: map[string]any{"N": rules.Helpers}}
	}
	hero, _ := game.Sheet[Character](s, s.Actor)
	for _, who := range a.With {
		helper, ok := game.Sheet[Character](s, string(who))
		npc, other := game.Sheet[NPC](s, string(who))
		if string(who) == s.Actor || who == a.Against {
			return &game.Refusal{
				Rule: "SP-08",
				Word: "spire.refusal.twice",
				Data: map[string]any{"Name": s.Cast[string(who)].Name},
			}
		}
		if other && a.Means == "" { // SP-08: the means of an NPC's help must be named
			return form.Problems{{Path: "means", Code: form.Missing}}
		}
		if ok && !helper.helps(hero, a) || other && npc.Broken() || !ok && !other {
			return &game.Refusal{
				Rule: "SP-08",
				Word: "spire.refusal.cannot-help",
				Data: map[string]any{"Name": s.Cast[string(who)].Name},
			}
		}
	}
	return nil
}

// helps reports whether a helper may have a skill or a domain that fits: the one that the check
// names or, if it names none, one that the actor lacks, since the check would have named the
// actor's. SP-08
func (c Character) helps(hero Character, a Check) bool {
	skill, _ := c.skill(a.Skill)
	domain, _ := c.domain(a.Domain)
	return skill || domain ||
		a.Skill == "" &&
			slices.ContainsFunc(c.Skills, func(s Skill) bool { has, _ := hero.skill(s.Name); return !has }) ||
		a.Domain == "" &&
			slices.ContainsFunc(c.Domains, func(d Domain) bool { has, _ := hero.domain(d.Name); return !has })
}
