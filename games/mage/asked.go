package mage

import (
	"slices"
	"strings"

	"norn/game"
	"norn/rule"
)

// AboutAdded is what a player adds to a sum that the Storyteller has asked for. MG-32
type AboutAdded struct {
	Who      string `json:"who"`
	Modifier int    `json:"modifier,omitempty"`
	Fast     bool   `json:"fast,omitempty"`  // no retry is harder
	Sides    bool   `json:"sides,omitempty"` // a threshold, or what the other side has to meet
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

// isLoose tells whether an argument is the player's own in a move of which the
// Storyteller has asked for a sum, by one of some arguments. MG-32
func isLoose(s game.Scene, name string, sums ...string) bool {
	fixed := func(name string) bool { return slices.Contains(s.Ruled.Fixed, name) }
	return s.Ruled.Asked && slices.ContainsFunc(sums, fixed) && !fixed(name)
}

// addedTo is what a player adds to a roll: of a called one the Storyteller has
// settled the modifier and whether retries count, too. MG-32
func (t Try) addedTo(s game.Scene, modifier int, sums ...string) AboutAdded {
	a := AboutAdded{Who: s.Actor, Fast: isLoose(s, "fast", sums...) && t.Fast && t.tryName() != ""}
	if isLoose(s, "modifier", sums...) {
		a.Modifier = modifier
	}
	return a
}

// nothing tells whether the move is as it was asked for.
func (a AboutAdded) nothing() bool { return a == AboutAdded{Who: a.Who} }

// isRefused asks the Storyteller about what is added, and tells whether it doesn't
// count. MG-32
func (a AboutAdded) isRefused(r *rule.Run) bool {
	if a.nothing() {
		return false
	}
	says := rule.Ask(r, rule.Question[Leave]{ID: "mage.added", To: game.GM, Standard: Leave{Allow: true}, About: a})
	r.Record(Added{Who: a.Who, Allow: says.Allow})
	return !says.Allow
}

// withoutAdded is the modifier and the try without what was added. MG-32
func (a AboutAdded) withoutAdded(modifier int, t Try) (int, Try) {
	t.Fast = t.Fast && !a.Fast
	return modifier - a.Modifier, t
}
