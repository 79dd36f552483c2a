package html

import (
	"norn/table/view"
	"norn/web/fields"
)

// TurnsOf returns encounters and scenes with the names of their characters.
func TurnsOf(v fields.Voice, all []view.Turns) Named[view.Turns] {
	names := map[string]string{}
	for _, t := range all {
		for _, one := range t.Order {
			names[one.Character] = v.Name(one.Character)
		}
	}
	return Named[view.Turns]{all, names}
}

// bySide groups the characters of an encounter by their sides, which act one after another.
func bySide(order []view.TurnOf) (sides [][]view.TurnOf) {
	for _, one := range order {
		if n := len(sides); n == 0 || sides[n-1][0].Side != one.Side {
			sides = append(sides, nil)
		}
		last := &sides[len(sides)-1]
		*last = append(*last, one)
	}
	return sides
}

// TurnSaid returns the text of a part of the strip about whose turn it is; "" for an unknown part.
func (l *Look) TurnSaid(at int) string {
	if at < 0 || at >= len(l.View.Turns) {
		return ""
	}
	return turnText(l.View.Turns[at])
}

func turnText(t view.Turns) string { return t.Scene + " " + t.Turn }
