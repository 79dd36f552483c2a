package godbound

import (
	"norn/form"
	"norn/game"
	"norn/lang"
)

// demo is a fight on a bridge: two Godbound against a mob and its champion,
// and one of them has just fallen.
func demo(s lang.Speaker) game.Demo {
	arren, sefa := blank[Hero](), blank[Hero]()
	arren.Level, arren.HP, arren.Lost, arren.AC, arren.Bonus = 3, 19, 11, 4, 3
	arren.Attributes = Attributes{Strength: 16, Dexterity: 13, Constitution: 15, Intelligence: 9, Wisdom: 11, Charisma: 14}
	arren.Armour, arren.Hampered, arren.Saves = "medium", Hampered{Evasion: true}, Saves{Hardiness: 12, Evasion: 13, Spirit: 12}
	arren.Words = []Named{{s.Say("godbound.demo.sun")}, {s.Say("godbound.demo.sword")}}
	arren.Gifts = []Gift{
		{Name: s.Say("godbound.demo.aegis"), Word: s.Say("godbound.demo.sun"), Action: "instant", Cost: "scene"},
		{Name: s.Say("godbound.demo.noon"), Word: s.Say("godbound.demo.sword"), Action: "action", Cost: "day"},
	}
	arren.Weapons = []Weapon{{Name: s.Say("godbound.demo.hammer"), Dice: "1d10", Attribute: "strength", Melee: true}}
	arren.Facts = []Named{{s.Say("godbound.demo.bell")}}
	arren.Effort, arren.Influence, arren.Dominion = Effort{Total: 4}, Influence{Total: 3}, 2
	arren.Bindings = []Binding{{Name: s.Say("godbound.demo.chain")}}

	sefa.Level, sefa.HP, sefa.AC, sefa.Bonus = 3, 16, 7, 3
	sefa.Attributes = Attributes{Strength: 8, Dexterity: 16, Constitution: 11, Intelligence: 14, Wisdom: 16, Charisma: 12}
	sefa.Saves = Saves{Hardiness: 14, Evasion: 11, Spirit: 11}
	sefa.Words = []Named{{s.Say("godbound.demo.night")}}
	sefa.Weapons = []Weapon{{Name: s.Say("godbound.demo.knife"), Dice: "1d6", Attribute: "dexterity", Melee: true}}
	sefa.Effort, sefa.Divinity = Effort{Total: 4}, "free"

	mob, champion, canal := blank[Foe](), blank[Foe](), blank[Project]()
	mob.Count, mob.AC, mob.Bonus, mob.Morale = 12, 7, 1, 7
	mob.Attacks = []Blows{{Name: s.Say("godbound.demo.spears"), Dice: "1d6", Times: 1}}
	champion.HD, champion.AC, champion.Save, champion.Bonus, champion.Morale, champion.Actions = 14, 4, 9, 9, 11, 2
	champion.Attacks = []Blows{{Name: s.Say("godbound.demo.blade"), Dice: "1d12", Times: 2}}
	champion.Effort = Effort{Total: 2}
	canal.Goal, canal.Scale, canal.Degree = s.Say("godbound.demo.goal"), "region", "improbable"
	return game.Demo{
		Name: s.Say("godbound.demo.table"),
		Cast: []game.Sample{
			{Kind: "hero", Name: s.Say("godbound.demo.arren"), Player: true, Sheet: arren},
			{Kind: "hero", Name: s.Say("godbound.demo.sefa"), Sheet: sefa},
			{Kind: "foe", Name: s.Say("godbound.demo.mob"), Sheet: mob},
			{Kind: "foe", Name: s.Say("godbound.demo.champion"), Sheet: champion},
			{Kind: "fight", Name: s.Say("godbound.demo.bridge"), Sheet: blank[Fight]()},
			{Kind: "project", Name: s.Say("godbound.demo.canal"), Sheet: canal},
		},
		Story: []game.Beat{
			{Move: "work", By: "c1", Args: Work{Project: "c6", Influence: 2, Dominion: 1}},
			{Move: "begin", By: "c5", Args: Begin{Heroes: []form.Ref{"c1", "c2"}, Foes: []form.Ref{"c3", "c4"}}},
			{Move: "fray", By: "c1", Dice: []int{7}, Args: Fray{Target: "c3", Fight: "c5"}},
			{Move: "attack", By: "c1", Dice: []int{14, 9}, Args: Attack{Target: "c4", Weapon: "0", Fight: "c5"}},
			{
				Move: "miracle", By: "c2", Answers: []any{Defend{}},
				Args: Miracle{
					Word: "0", Use: "hinder", Guard: "armour", Harm: "chart", Until: "scene", Unseen: Unseen{AC: 9, Save: 15},
					Aim: Aim{Targets: []form.Ref{"c4"}, Text: s.Say("godbound.demo.dark"), Fight: "c5"},
				},
			},
			{Move: "next", By: "c5", Args: Next{}},
			{
				Move: "strike", By: "c3", Dice: []int{3, 15, 8, 11, 2, 16, 7, 9, 4, 1, 4, 6},
				Args: Strike{Target: "c1", Fight: "c5"},
			},
			{Move: "strike", By: "c4", Dice: []int{9, 12, 11, 10}, Args: Strike{Target: "c1", Fight: "c5"}}, // Fury is still to be answered
		},
	}
}
