package spire

import (
	"slices"

	"norn/form"
)

// hindering are the suggestions that make something harder. SP-31
var hindering = []string{
	"blood.minor.1", "blood.minor.2", "blood.moderate.1", "blood.moderate.3", "mind.minor.1", "mind.moderate.1", "mind.moderate.3",
	"silver.moderate.2", "shadow.minor.1", "shadow.moderate.3", "reputation.minor.1", "reputation.moderate.1",
}

// hinders tells whether a carried fallout may make a check harder: what the GM
// has written may. SP-31
func (f Fallout) hinders() bool { return f.Text != "" || slices.Contains(hindering, f.Suggestion) }

// hindrances recall the fallouts that may make a check harder. SP-31
func (c Character) hindrances() []form.Option {
	var options []form.Option
	for _, at := range c.spots() {
		f, _ := c.at(at)
		switch {
		case !f.hinders():
		case f.Text != "":
			options = append(options, form.Option{Value: at.String(), Text: f.Text})
		default:
			options = append(options, form.Option{Value: at.String(), Word: "spire.fallout." + f.Suggestion + ".text"})
		}
	}
	return options
}

// carries finds a carried fallout by its place: "0", or "1.0" for a bond's.
func (c Character) carries(at string) (Fallout, bool) {
	spot := spotOf(at)
	if spot.String() != at {
		return Fallout{}, false
	}
	return c.at(spot)
}
