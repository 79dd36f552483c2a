package edda

import (
	"norn/game"
	"norn/lang"
)

// stock are what Fate often puts in a hero's way, by how many dice it has.
func stock(s lang.Speaker) []game.Sample {
	fated := func(id, name string, dice int) game.Sample {
		return game.Sample{ID: id, Kind: "fated", Name: name, Sheet: Fated{Dice: dice}}
	}
	return []game.Sample{
		fated("neighbour", s.Say("edda.stock.neighbour"), 2),
		fated("wolf", s.Say("edda.stock.wolf"), 4),
		fated("steward", s.Say("edda.stock.steward"), 5),
		fated("snowstorm", s.Say("edda.stock.snowstorm"), 6),
		fated("troll", s.Say("edda.stock.troll"), 8),
	}
}
