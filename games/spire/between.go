package spire

import (
	"slices"

	"norn/game"
)

// between suggests a day, after which as a rule minor fallouts end, and ways to recover. SP-20,
// SP-23, SP-24, SP-25, SP-30
func between(s game.Scene, who string) []game.Suggestion {
	if who == "" {
		carried, minor := false, false
		for _, id := range s.IDs() {
			c, _ := game.Sheet[Character](s, id)
			for _, at := range c.spots() {
				f, _ := c.at(at)
				carried, minor = true, minor || f.Severity == "minor"
			}
		}
		if !carried {
			return nil
		}
		return []game.Suggestion{{Move: "day", Ticked: minor}}
	}
	if s.Cast[who].Kind != "character" {
		return nil
	}
	hero, seen := game.Sheet[Character](s, who)
	var all []game.Suggestion
	stressed := !seen || hero.Stress.Sum() > 0 // SP-28
	if stressed {
		all = append(all, game.Suggestion{Move: "lie-low"}, game.Suggestion{Move: "refresh"})
	}
	if stressed || slices.ContainsFunc(hero.Bonds, func(b Bond) bool { return b.NPC && b.Stress > 0 }) {
		all = append(all, game.Suggestion{Move: "act"})
	}
	for _, at := range hero.spots() {
		if f, _ := hero.at(at); f.Stabilised {
			return append(all, game.Suggestion{Move: "care", Args: Care{Fallout: who + ":" + at.String()}})
		}
	}
	return all
}
