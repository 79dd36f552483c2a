package mage

import (
	"slices"
	"strings"

	"norn/game"
	"norn/rule"
)

// AboutAdded is the subject of the question whether a player may add something to a roll that the
// Storyteller has called for. MG-32
type AboutAdded struct {
	Who      string `json:"who"`
	Modifier int    `json:"modifier,omitempty"`
	Fast     bool   `json:"fast,omitempty"`  // a retry isn't harder
	Free     bool   `json:"free,omitempty"`  // MG-12: no roll was called for
	Sides    bool   `json:"sides,omitempty"` // a threshold, or other numbers that a side must meet
}

// Spoken implements game.Spoken.
func (a AboutAdded) Spoken(v game.Voice) string {
	var added []string
	if a.Modifier != 0 {
		added = append(added, v.Say("mage.about.adds-modifier", "N", game.SignedNumber(a.Modifier)))
	}
	if a.Fast {
		added = append(added, v.Say("mage.about.adds-fast"))
	}
	if a.Sides {
		added = append(added, v.Say("mage.about.adds-sides"))
	}
	if a.Free {
		return v.Tell("mage.about.fast", data{"Name": v.Name(a.Who)})
	}
	return v.Tell("mage.about.added", data{"Name": v.Name(a.Who), "Added": strings.Join(added, ", ")})
}

// isLoose reports whether the player decides an argument although the Storyteller has called for
// the move with a fixed sum, namely one of the arguments in sums. MG-32
func isLoose(s game.Scene, name string, sums ...string) bool {
	fixed := func(name string) bool { return slices.Contains(s.Ruled.Fixed, name) }
	return s.Ruled.Asked && slices.ContainsFunc(sums, fixed) && !fixed(name)
}

// isFast reports whether a try leaves out that retries are harder. MG-12
func (t Try) isFast(s game.Scene) bool { return t.Fast && t.counts(houseRules(s)) }

// addedTo returns what a player adds to a roll. Only the Storyteller says that retries aren't harder
// in a fast scene; in a roll that was called for, the Storyteller has also decided the modifier.
// MG-12, MG-32
func (t Try) addedTo(s game.Scene, modifier int, sums ...string) AboutAdded {
	a := AboutAdded{Who: s.Actor, Fast: t.isFast(s) && !s.Ruled.Set("fast", false), Free: !s.Ruled.Asked}
	if isLoose(s, "modifier", sums...) {
		a.Modifier = modifier
	}
	return a
}

// nothing reports whether the move is unchanged from the call.
func (a AboutAdded) nothing() bool { return a == AboutAdded{Who: a.Who, Free: a.Free} }

// isRefused asks the Storyteller about the additions, and reports whether they are refused. MG-32
func (a AboutAdded) isRefused(r *rule.Run) bool {
	if a.nothing() {
		return false
	}
	says := rule.Ask(r, rule.Question[Leave]{ID: "mage.added", To: game.GM, Standard: Leave{Allow: true}, About: a})
	if a.Free {
		r.Record(FastAllowed{Who: a.Who, Allow: says.Allow})
	} else {
		r.Record(Added{Who: a.Who, Allow: says.Allow})
	}
	return !says.Allow
}

// withoutAdded returns the modifier and the try without the additions. MG-32
func (a AboutAdded) withoutAdded(modifier int, t Try) (int, Try) {
	t.Fast = t.Fast && !a.Fast
	return modifier - a.Modifier, t
}
