package godbound

import (
	"norn/game"
	"norn/lang"
)

// stock are foes of every size, from a mob to a supernatural one with Effort.
func stock(s lang.Speaker) []game.Sample {
	foe := func(id, name, attack string, change func(*Foe)) game.Sample {
		f := blank[Foe]()
		f.Attacks = []Blows{{Name: attack, Dice: "1d6", Times: 1}}
		change(&f)
		return game.Sample{ID: id, Kind: "foe", Name: name, Sheet: f}
	}
	return []game.Sample{
		foe("mob", s.Say("godbound.stock.mob"), s.Say("godbound.stock.clubs"), func(f *Foe) { f.Count, f.Morale = 20, 7 }),
		foe("soldiers", s.Say("godbound.stock.soldiers"), s.Say("godbound.stock.spears"), func(f *Foe) {
			f.Count, f.AC, f.Bonus = 10, 6, 1
		}),
		foe("veteran", s.Say("godbound.stock.veteran"), s.Say("godbound.stock.sword"), func(f *Foe) {
			f.HD, f.AC, f.Save, f.Bonus, f.Morale, f.Attacks[0].Dice = 4, 4, 13, 4, 9, "1d8"
		}),
		foe("beast", s.Say("godbound.stock.beast"), s.Say("godbound.stock.claws"), func(f *Foe) {
			f.HD, f.AC, f.Save, f.Bonus, f.Attacks[0].Dice, f.Attacks[0].Times = 6, 6, 12, 6, "1d8", 2
		}),
		foe("spirit", s.Say("godbound.stock.spirit"), s.Say("godbound.stock.touch"), func(f *Foe) { // GB-04, GB-08
			f.HD, f.AC, f.Save, f.Bonus, f.Morale, f.Actions, f.Effort = 10, 4, 10, 10, 10, 2, Effort{Total: 3}
			f.Attacks[0].Dice, f.Attacks[0].Straight = "1d8", true
		}),
	}
}
