package edda

import (
	"slices"
	"strconv"

	"norn/game"
)

// between suggests to rethink a memory without calls left, which is due, and what a hero may learn,
// remember or get over. ED-12, ED-14, ED-16, ED-19
func between(s game.Scene, who string) []game.Suggestion {
	hero, ok := game.Sheet[Hero](s, who)
	if !ok || hero.Oblivion() {
		return nil
	}
	var all []game.Suggestion
	due := slices.IndexFunc(hero.Memories, func(m Memory) bool { return m.Calls >= maxCalls })
	if due >= 0 {
		all = append(all, game.Suggestion{Move: "rethink", Args: Rethink{Memory: strconv.Itoa(due)}, Ticked: true})
	}
	if hero.Experience >= (Spend{On: "restore"}).price() {
		all = append(all, game.Suggestion{Move: "spend"})
	}
	if len(hero.Memories) < maxMemories {
		all = append(all, game.Suggestion{Move: "remember"})
	}
	if len(hero.Conditions) > 0 {
		all = append(all, game.Suggestion{Move: "lift", Args: Lift{Condition: "0"}})
	}
	return all
}
