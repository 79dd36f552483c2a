package spire

import (
	"cmp"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Danger is the GM's answer about what threatens all who take stress in one situation. SP-09
type Danger struct {
	Die        string      `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Resistance string      `json:"resistance" form:"choice=blood|mind|silver|shadow|reputation"`
	Except     []Exception `json:"except" form:"max=13"`
}

// Exception is what threatens one of them, if it's something else; "" for the same. SP-09
type Exception struct {
	Who        form.Ref `json:"who" form:"required"`
	Die        string   `json:"die" form:"choice=|d3|d6|d8"`
	Resistance string   `json:"resistance" form:"choice=|blood|mind|silver|shadow|reputation"` // or "lira/bond:0": SP-27
}

// risks returns what threatens each of those who take stress: as agreed, or as the GM answers now, in
// one question for all. SP-09, SP-11
func (a Group) risks(r *rule.Run, s game.Scene, takers []string, agreed []Exception) map[string]Risk {
	risks := map[string]Risk{}
	var open []string
	die, place := false, false
	for _, who := range takers {
		risk := Risk{a.Risk, a.Resistance}
		if _, bond := bondAt(risk.Resistance); bond && who != s.Actor { // SP-27: it's the leader's own
			risk.Resistance = ""
		}
		risk = exceptionOf(who, agreed).or(risk)
		if risk.isOpen() {
			open = append(open, who)
		}
		die, place = die || risk.Die == "", place || risk.Resistance == ""
		risks[who] = risk
	}
	switch len(open) {
	case 0:
		return risks
	case 1:
		risks[open[0]] = risks[open[0]].ask(r, s, a.Check, open[0])
		return risks
	}
	set := rule.Ask(r, dangerQuestion(s, open, die, place, dieOf(s, a.Check)))
	for _, who := range open {
		risks[who] = exceptionOf(who, set.Except).or(risks[who]).or(Risk{set.Die, set.Resistance})
	}
	return risks
}

// dangerQuestion returns the question about the danger for several. No resistance is preset. SP-09
func dangerQuestion(s game.Scene, who []string, die, place bool, weapon string) rule.Question[Danger] {
	about := AboutDanger{Who: who, Die: die}
	f := form.Of[Danger]().Offering(exceptions(s, who))
	q := rule.Question[Danger]{
		ID: "spire.danger", To: game.GM, Choose: []string{"resistance"},
		Standard: Danger{Die: cmp.Or(weapon, "d6"), Resistance: string(Blood)},
		Check:    func(d Danger) error { return allowExceptions(s, d.Except) },
	}
	if !die {
		f = f.Without("die")
	} else {
		about.Weapon = weapon
	}
	if !place {
		f, q.Choose = f.Without("resistance"), nil
	}
	q.Form, q.About = f, about
	return q
}

// exceptions returns the options for single people: the resistances, and each one's own bonds. SP-27
func exceptions(s game.Scene, who []string) form.Choices {
	people, all := []form.Option{}, append([]form.Option{{}}, places(Character{})...)
	for _, id := range who {
		people = append(people, form.Option{Value: id, Text: s.Cast[id].Name})
		hero, _ := game.Sheet[Character](s, id)
		for _, o := range places(hero)[len(Resistances):] {
			all = append(all, form.Option{Value: id + "/" + o.Value, Text: s.Cast[id].Name + " · " + o.Text})
		}
	}
	return form.Choices{"except.who": people, "except.resistance": all}
}

// allowExceptions refuses two exceptions for one character, and somebody else's bond. SP-09, SP-27
func allowExceptions(s game.Scene, all []Exception) error {
	for i, e := range all {
		if slices.ContainsFunc(all[:i], func(before Exception) bool { return before.Who == e.Who }) {
			return &game.Refusal{
				Rule: "SP-09",
				Word: "spire.refusal.twice",
				Data: map[string]any{"Name": s.Cast[string(e.Who)].Name},
			}
		}
		if whose, _, bond := strings.Cut(e.Resistance, "/"); bond && whose != string(e.Who) {
			return &game.Refusal{
				Rule: "SP-27",
				Word: "spire.refusal.others-bond",
				Data: map[string]any{"Name": s.Cast[string(e.Who)].Name},
			}
		}
	}
	return nil
}

// exceptionOf returns what is said about one character alone.
func exceptionOf(who string, all []Exception) Risk {
	for _, e := range all {
		if string(e.Who) == who {
			_, place, bond := strings.Cut(e.Resistance, "/")
			if !bond {
				place = e.Resistance
			}
			return Risk{e.Die, place}
		}
	}
	return Risk{}
}
