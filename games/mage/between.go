package mage

import (
	"norn/form"
	"norn/game"
)

// between suggests a downtime, and what it gives back to those who lack points, on one card. MG-30
func between(s game.Scene, who string) []game.Suggestion {
	if who != "" {
		return nil
	}
	all := []game.Suggestion{{Move: "clock", Args: Advance{To: "downtime", Unit: "days"}}}
	var lacking []form.Ref
	for _, id := range characters(s) {
		c, _ := sheetOf(s, id)
		if s.Cast[id].Kind == "character" && c.lacksPoints() {
			lacking = append(lacking, form.Ref(id))
		}
	}
	if len(lacking) > 0 {
		all = append(all, game.Suggestion{Move: "recover", Args: Recover{Who: lacking}})
	}
	return all
}
