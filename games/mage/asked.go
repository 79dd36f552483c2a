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
	return v.Tell("mage.about.added", data{"Name": v.Name(a.Who), "Added": strings.Join(added, ", ")})
}

// isLoose reports whether the player decides an argument although the Storyteller has called for
// the move with a fixed sum, namely one of the arguments in sums. MG-32
func isLoose(s game.Scene, name string, sums ...string) bool {
	fixed := func(name string) bool { return slices.Contains(s.Ruled.Fixed, name) }
	return s.Ruled.Asked && slices.ContainsFunc(sums, fixed) && !fixed(name)
}

// addedTo returns what a player adds to a roll. In one that was called for, the Storyteller has
// also decided the modifier and whether retries count. MG-32
func (t Try) addedTo(s game.Scene, modifier int, sums ...string) AboutAdded {
	a := AboutAdded{Who: s.Actor, Fast: isLoose(s, "fast", sums...) && t.Fast && t.tryName() != ""}
	if isLoose(s, "modifier", sums...) {
		a.Modifier = modifier
	}
	return a
}

// nothing reports whether the move is unchanged from the call.
func (a AboutAdded) nothing() bool { return a == AboutAdded{Who: a.Who} }

// isRefused asks the Storyteller about the additions, and reports whether they are refused. MG-32
func (a AboutAdded) isRefused(r *rule.Run) bool {
	if a.nothing() {
		return false
	}
	says := rule.Ask(r, rule.Question[Leave]{ID: "mage.added", To: game.GM, Standard: Leave{Allow: true}, About: a})
	r.Record(Added{Who: a.Who, Allow: says.Allow})
	return !says.Allow
}

// withoutAdded returns the modifier and the try without the additions. MG-32
func (a AboutAdded) withoutAdded(modifier int, t Try) (int, Try) {
	t.Fast = t.Fast && !a.Fast
	return modifier - a.Modifier, t
}
