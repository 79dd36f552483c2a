package spire

import (
	"norn/game"
	"norn/lang"
)

// stock are people that a GM often needs at once: SP-26, one resistance, one
// track, and SP-04, a skill that is difficulty.
func stock(s lang.Speaker) []game.Sample {
	npc := func(id, name string, n NPC) game.Sample {
		return game.Sample{ID: id, Kind: "npc", Name: name, Sheet: n}
	}
	return []game.Sample{
		npc("bystander", s.Say("spire.stock.bystander"), NPC{Resistance: 3, Die: "d3"}),
		npc("thug", s.Say("spire.stock.thug"), NPC{Resistance: 5, Die: "d6"}),
		npc("watch", s.Say("spire.stock.watch"), NPC{Resistance: 6, Difficulty: 1, Die: "d6"}),
		npc("official", s.Say("spire.stock.official"), NPC{Resistance: 5, Difficulty: 1, Die: "d3"}),
		npc("assassin", s.Say("spire.stock.assassin"), NPC{Resistance: 7, Difficulty: 2, Die: "d8"}),
	}
}
