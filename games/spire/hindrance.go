package spire

import (
	"slices"
	"strings"

	"norn/form"
	"norn/game"
)

// hindering lists the suggestions that make something harder. SP-31
var hindering = []string{
	"blood.minor.1", "blood.minor.2", "blood.moderate.1", "blood.moderate.3", "mind.minor.1", "mind.moderate.1",
	"mind.moderate.3",
	"silver.moderate.2", "shadow.minor.1", "shadow.moderate.3", "reputation.minor.1", "reputation.moderate.1",
}

// hinders reports whether a carried fallout may make a check harder. One described by the GM may.
// SP-31
func (f Fallout) hinders() bool { return f.Text != "" || slices.Contains(hindering, f.Suggestion) }

// hindrances returns the options for the fallouts that may make a check harder. SP-31
func (c Character) hindrances() []form.Option {
	var options []form.Option
	for _, at := range c.spots() {
		if f, _ := c.at(at); f.hinders() {
			options = append(options, f.hindrance(at.String(), ""))
		}
	}
	return options
}

// hindrance returns the option for a fallout by its name, with its owner if that isn't clear. SP-31
func (f Fallout) hindrance(value, whose string) form.Option {
	if f.Text == "" {
		id := "spire.fallout." + f.Suggestion
		return form.Option{Value: value, Text: whose, Word: id + ".name", About: id + ".text"}
	}
	if whose != "" {
		whose += ": "
	}
	return form.Option{Value: value, Text: whose + f.Text}
}

// othersHindrances returns the options for fallouts of other possible participants, as "c2:0".
// SP-09, SP-31
func othersHindrances(s game.Scene) []form.Option {
	var options []form.Option
	for _, id := range s.IDs() {
		c, _ := game.Sheet[Character](s, id)
		for _, at := range c.spots() {
			if f, _ := c.at(at); id != s.Actor && f.hinders() {
				options = append(options, f.hindrance(id+":"+at.String(), s.Cast[id].Name))
			}
		}
	}
	return options
}

// hinderedOf returns a character's own among the ticked fallouts. Those of the actor have no id
// before them. SP-31
func hinderedOf(who string, all []form.Ref) []form.Ref {
	var own []form.Ref
	for _, at := range all {
		whose, place, others := strings.Cut(string(at), ":")
		if who == "" && !others {
			own = append(own, at)
		} else if others && whose == who {
			own = append(own, form.Ref(place))
		}
	}
	return own
}

// allowHindered refuses fallouts that aren't carried, or don't hinder. SP-31
func (c Character) allowHindered(all []form.Ref) error {
	for _, at := range form.IDs(all...) {
		if f, ok := c.carries(at); !ok || !f.hinders() {
			return game.Refuse("SP-31", "spire.refusal.not-hindered")
		}
	}
	return nil
}

// carries returns a carried fallout by its place: "0", or "1.0" for a bond's.
func (c Character) carries(at string) (Fallout, bool) {
	spot := spotOf(at)
	if spot.String() != at {
		return Fallout{}, false
	}
	return c.at(spot)
}
