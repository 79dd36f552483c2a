package spire

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Stakes are what the GM sets of a check before it's thrown. SP-29
type Stakes struct {
	Difficulty int    `json:"difficulty" form:"max=2"`
	Risk       string `json:"risk" form:"choice=|d3|d6|d8,set=die"`
	Resistance string `json:"resistance" form:"choice=|blood|mind|silver|shadow|reputation"`
	Harm       string `json:"harm" form:"choice=|d3|d6|d8,set=die"`
}

// agreed is a check with the stakes that it's thrown with: as said aloud at the
// table or, where the GM confirms them, as the GM says. Those that stand by the
// GM's word already aren't asked for. SP-29
func agreed(r *rule.Run, s game.Scene, a Check) Check {
	if s.Settings.(Settings).Stakes != "gm" {
		return a
	}
	var open []string
	for name, left := range map[string]bool{"difficulty": a.Difficulty == 0, "risk": a.Risk == "", "resistance": a.Resistance == "", "harm": a.Harm == ""} {
		if !s.Ruled.Set(name, left) && (name != "harm" || a.Against != "" && allowHarm(s, string(a.Against)) == nil) {
			open = append(open, name)
		}
	}
	if len(open) == 0 {
		return a
	}
	hero, _ := game.Sheet[Character](s, s.Actor)
	set := rule.Ask(r, rule.Question[Stakes]{
		ID: "spire.stakes", To: game.GM, About: AboutStakes{Who: s.Actor},
		Form:     form.Of[Stakes]().With("resistance", append([]form.Option{{}}, places(hero)...)...).Only(open...),
		Standard: Stakes{Difficulty: a.Difficulty, Risk: a.Risk, Resistance: a.Resistance, Harm: a.Harm},
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
		}
	}
	return a
}

// Relief is the die that the GM grants for getting rid of stress. SP-29
type Relief struct {
	Die string `json:"die" form:"choice=d3|d6|d8"`
}

// granted is the die of an act or a refresh. SP-29
func granted(r *rule.Run, s game.Scene, size string) string {
	if s.Settings.(Settings).Stakes != "gm" || s.Ruled.Set("die", size == "d6") {
		return size
	}
	return rule.Ask(r, rule.Question[Relief]{
		ID: "spire.relief", To: game.GM, Standard: Relief{Die: size}, About: game.AboutWho{Who: s.Actor},
	}).Die
}
