package spire

import (
	"cmp"
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Stakes is the GM's answer about the stakes of a check before the roll. SP-29
type Stakes struct {
	Difficulty int        `json:"difficulty" form:"max=2"`
	Risk       string     `json:"risk" form:"choice=|d3|d6|d8,set=die"`
	Resistance string     `json:"resistance" form:"choice=|blood|mind|silver|shadow|reputation"`
	Harm       string     `json:"harm" form:"choice=|d3|d6|d8,set=die"`
	Partial    bool       `json:"partial"`
	Enemies    int        `json:"enemies" form:"min=1,max=20,default=1"`
	With       []form.Ref `json:"with" form:"max=9"` // SP-08: the helpers who remain
	// SP-09: what threatens single participants of a group
	Except []Exception `json:"except,omitempty" form:"max=13"`
}

// settleStakes returns a check as it's rolled: with the agreed stakes and the willing helpers.
// SP-29, SP-08
func settleStakes(r *rule.Run, s game.Scene, a Check) Check {
	a, _ = agreeStakes(r, s, a, nil)
	return willing(r, s, a)
}

// settleGroupStakes is settleStakes for a group. It also returns what was agreed about single
// participants. SP-09
func settleGroupStakes(r *rule.Run, s game.Scene, a Group) (Check, []Exception) {
	check, except := agreeStakes(r, s, a.Check, a.participants(s))
	return willing(r, s, check), except
}

// agreeStakes returns a check with the stakes for the roll: as given or, if the GM confirms them,
// as the GM says, with exceptions for participants of a group. Stakes that the GM has already set
// aren't asked for. SP-09, SP-29
func agreeStakes(r *rule.Run, s game.Scene, a Check, group []string) (agreed Check, except []Exception) {
	if s.Settings.(Settings).Stakes != "gm" {
		return a, nil
	}
	var open []string
	for name, left := range map[string]bool{
		"difficulty": a.Difficulty == 0, "risk": a.Risk == "", "resistance": a.Resistance == "", "harm": a.Harm == "",
		"partial": !a.Partial, "enemies": a.Enemies <= 1, "with": false,
	} {
		atStake := name != "harm" || a.Against != "" && allowHarm(s, string(a.Against)) == nil
		if !s.Ruled.Set(name, left) && atStake && (name != "with" || len(a.With) > 0) {
			open = append(open, name)
		}
	}
	if len(open) == 0 {
		return a, nil
	}
	about := AboutStakes{Who: s.Actor}
	if len(group) > 0 && (slices.Contains(open, "risk") || slices.Contains(open, "resistance")) {
		open, about.Group = append(open, "except"), group
	}
	hero, _ := game.Sheet[Character](s, s.Actor)
	set := rule.Ask(r, rule.Question[Stakes]{
		ID: "spire.stakes", To: game.GM, About: about,
		Check: func(set Stakes) error { return allowExceptions(s, set.Except) },
		Form: form.Of[Stakes]().Offering(exceptions(s, group)).With("resistance", append([]form.Option{{}}, places(hero)...)...).
			With("with", game.Each(a.With, func(who form.Ref) form.Option {
				return form.Option{Value: string(who), Text: s.Cast[string(who)].Name}
			})...).Only(open...),
		Standard: Stakes{
			Difficulty: a.Difficulty, Risk: cmp.Or(a.Risk, dieOf(s, a)), Resistance: a.Resistance, Harm: a.Harm,
			Partial: a.Partial, Enemies: max(1, a.Enemies), With: a.With,
		},
	})
	for _, name := range open {
		switch name {
		case "difficulty":
			a.Difficulty = set.Difficulty
		case "risk":
			a.Risk = set.Risk
		case "resistance":
			a.Resistance = set.Resistance
		case "harm":
			a.Harm = set.Harm
		case "partial":
			a.Partial = set.Partial
		case "enemies":
			a.Enemies = set.Enemies
		case "with":
			r.Release(
				form.IDs(
					slices.DeleteFunc(
						slices.Clone(a.With),
						func(who form.Ref) bool { return containsRef(set.With, who) },
					)...)...)
			a.With = set.With
		}
	}
	return a, set.Except
}

// dieOf returns the die of the opponent's weapon, "" without an opponent. SP-11
func dieOf(s game.Scene, a Check) string {
	npc, _ := game.Sheet[NPC](s, string(a.Against))
	return npc.Die
}

// Help is the answer whether somebody helps, and takes the same stress. SP-08
type Help struct {
	Help bool `json:"help" form:"default=true"`
}

// willing returns a check with only the willing helpers: helping costs stress, so another player's
// hero is asked before the roll, unless the move is secret. SP-08
func willing(r *rule.Run, s game.Scene, a Check) Check {
	if !s.Settings.(Settings).Asked || s.Secret {
		return a
	}
	var asked []form.Ref
	var parts []func(*rule.Run) bool
	for _, who := range a.With {
		helper := s.Cast[string(who)]
		own := helper.Owner == s.Cast[s.Actor].Owner || helper.Owner == "" && s.Ruled.All
		if helper.Kind != "character" || own {
			continue
		}
		asked = append(asked, who)
		parts = append(parts, func(r *rule.Run) bool {
			game.Lend(r, s)
			helps := rule.Ask(
				r,
				rule.Question[Help]{
					ID:       "spire.help",
					To:       string(who),
					Standard: Help{Help: true},
					About:    aboutHelp(s, a),
				},
			).Help
			if !helps {
				r.Record(HelpRefused{Who: string(who)})
				r.Release(string(who))
			}
			return helps
		})
	}
	if len(parts) == 0 { // the places in the trail must not change
		return a
	}
	for i, helps := range rule.Together(r, parts...) {
		if !helps {
			a.With = slices.DeleteFunc(slices.Clone(a.With), func(who form.Ref) bool { return who == asked[i] })
		}
	}
	return a
}

// aboutHelp returns what helpers are shown: what the check puts at stake, as far as it's agreed. SP-08
func aboutHelp(s game.Scene, a Check) AboutHelp {
	about := AboutHelp{Who: s.Actor, Die: a.Risk, Difficulty: a.Difficulty}
	hero, _ := game.Sheet[Character](s, s.Actor)
	if at, bond := bondAt(a.Resistance); bond && at < len(hero.Bonds) {
		about.Bond = hero.Bonds[at].Name
	} else {
		about.Resistance = a.Resistance
	}
	return about
}

// Relief is the GM's answer: the die granted for clearing stress. SP-29
type Relief struct {
	Die string `json:"die" form:"choice=d3|d6|d8"`
}

// grantedDie returns the die of an act or a refresh. SP-29
func grantedDie(r *rule.Run, s game.Scene, size string) string {
	if s.Settings.(Settings).Stakes != "gm" || s.Ruled.Set("die", size == "d6") {
		return size
	}
	return rule.Ask(r, rule.Question[Relief]{
		ID: "spire.relief", To: game.GM, Standard: Relief{Die: size}, About: game.AboutWho{Who: s.Actor},
	}).Die
}
