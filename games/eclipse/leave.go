package eclipse

import (
	"errors"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Leave is the GM's answer whether to allow a player's version of a test. EP-05, EP-16
type Leave struct {
	Allow bool `json:"allow" form:"default=true"`
}

// AboutLeave is the subject of that question, with everything in the player's test that needs the
// GM's permission: a related skill, and more modifiers than the GM's call had. EP-05, EP-16
type AboutLeave struct {
	Who      string      `json:"who"`
	On       string      `json:"on"`                 // what is tested
	Missing  string      `json:"missing,omitempty"`  // the skill missing on the sheet
	Related  string      `json:"related,omitempty"`  // the skill used instead
	Distance int         `json:"distance,omitempty"` // the modifier for that
	Modifier int         `json:"modifier,omitempty"` // the sum of the player's own modifiers
	Overall  bool        `json:"overall,omitempty"`  // wounds and traumas don't count
	Target   form.Number `json:"target,omitzero"`    // target of the other side, which has no sheet
}

// Spoken implements game.Spoken.
func (a AboutLeave) Spoken(v game.Voice) string {
	var wishes []string
	if a.Related != "" {
		wishes = append(
			wishes,
			v.Say(
				"eclipse.about.by-related",
				"On",
				tests(a.Related, v),
				"Instead",
				missingSkillText(a.On, a.Missing, v),
				"N",
				game.SignedNumber(a.Distance),
			),
		)
	}
	if a.Modifier != 0 {
		wishes = append(wishes, v.Say("eclipse.about.by-modifier", "N", game.SignedNumber(a.Modifier)))
	}
	if a.Overall {
		wishes = append(wishes, v.Say("eclipse.about.by-overall"))
	}
	if !a.Target.IsZero() {
		wishes = append(wishes, v.Say("eclipse.about.by-target", "N", a.Target.Or(0)))
	}
	return v.Tell(
		"eclipse.about.leave",
		data{"Name": v.Name(a.Who), "On": tests(a.On, v), "Wishes": strings.Join(wishes, ", ")},
	)
}

// isLoose reports whether the player decides an argument although the GM has called for the test
// with a fixed difficulty. EP-05
func isLoose(s game.Scene, name string) bool {
	return s.Ruled.Asked && slices.Contains(s.Ruled.Fixed, "difficulty") && !slices.Contains(s.Ruled.Fixed, name)
}

// needsLeave returns the parts of a test that need the GM's permission. EP-05, EP-16
func (a Roll) needsLeave(s game.Scene) AboutLeave {
	about := AboutLeave{Who: s.Actor, On: a.On}
	if a.Defaulting == "related" && !s.Ruled.Set("defaulting", false) {
		about.Related, about.Missing, about.Distance = a.Related, a.Missing.Name(), named[a.Distance]
	}
	if isLoose(s, "situation") {
		about.Modifier += named[a.Situation]
	}
	if isLoose(s, "also") {
		for _, m := range a.Also {
			about.Modifier += m.Value
		}
	}
	about.Overall = isLoose(s, "health") && a.Health != ""
	return about
}

// askLeave returns the test with the parts that the GM allows, and whether all are. Without a
// related skill it defaults to the aptitude. own holds additions of the move itself. EP-05, EP-15,
// EP-16
func (a Roll) askLeave(r *rule.Run, s game.Scene, own AboutLeave) (Roll, bool) {
	about := a.needsLeave(s)
	about.Modifier += own.Modifier
	about.Target = own.Target
	if about == (AboutLeave{Who: s.Actor, On: a.On}) {
		return a, true
	}
	says := rule.Ask(
		r,
		rule.Question[Leave]{ID: "eclipse.leave", To: game.GM, Standard: Leave{Allow: true}, About: about},
	)
	r.Record(Allowed{Who: s.Actor, Allow: says.Allow})
	if says.Allow {
		return a, true
	}
	if about.Related != "" {
		a.Defaulting, a.Related = "aptitude", ""
	}
	if isLoose(s, "situation") {
		a.Situation = "even"
	}
	if isLoose(s, "also") {
		a.Also = nil
	}
	if about.Overall {
		a.Health = ""
	}
	return a, false
}

// withoutIdlePoint returns the roll without a point that buys nothing, or that no pool can pay, after
// the GM has refused a part of the roll, or points were spent on something else meanwhile. EP-20
func (a Roll) withoutIdlePoint(s game.Scene, more ...Part) Roll {
	err := allowRoll(s, a, more...)
	if refused, ok := errors.AsType[*game.Refusal](err); ok && refused.Rule == "EP-20" {
		a.Boost, a.Ignore = false, false
	}
	return a
}
