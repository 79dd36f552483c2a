package spire

import (
	"norn/form"
	"norn/game"
	"norn/lang"
)

// demo is an evening's beginning: a burglary in the duke's boathouse, some
// stress already taken, and a fallout that waits for the GM.
func demo(s lang.Speaker) game.Demo {
	return game.Demo{
		Name: s.Say("spire.demo.table"),
		Cast: []game.Sample{
			{Kind: "character", Name: s.Say("spire.demo.lira"), Player: true, Sheet: Character{
				Class:   s.Say("spire.demo.lira-class"),
				Skills:  []Skill{{Name: "sneak", Mastery: true}, {Name: "deceive"}, {Name: "fight"}},
				Domains: []Domain{{Name: "crime"}, {Name: "low-society"}},
				Slots:   Marks{Shadow: 2}, Stress: Marks{Shadow: 3, Blood: 1},
				Refresh: s.Say("spire.demo.lira-refresh"),
				Gear:    []Gear{{Name: s.Say("spire.demo.knife"), Die: "d3"}, {Name: s.Say("spire.demo.coat"), Armour: 1}},
				Bonds:   []Bond{{Name: s.Say("spire.demo.verris"), NPC: true, Stress: 1}},
			}},
			{Kind: "character", Name: s.Say("spire.demo.harald"), Sheet: Character{
				Class:   s.Say("spire.demo.harald-class"),
				Skills:  []Skill{{Name: "compel"}, {Name: "fix", Mastery: true}, {Name: "fight"}},
				Domains: []Domain{{Name: "religion"}, {Name: "occult"}},
				Slots:   Marks{Mind: 1}, Stress: Marks{Mind: 2, Silver: 1},
				Refresh: s.Say("spire.demo.harald-refresh"),
				Gear:    []Gear{{Name: s.Say("spire.demo.censer"), Die: "d6"}},
			}},
			{Kind: "npc", Name: s.Say("spire.demo.guard"), Sheet: NPC{Resistance: 5, Difficulty: 1, Die: "d6"}},
		},
		Story: []game.Beat{
			{Move: "no-roll", By: "c1", Args: NoRoll{Text: s.Say("spire.demo.arrival")}},
			{
				Move: "check", By: "c1", Dice: []int{8, 3, 5, 1},
				Args: Check{Skill: "sneak", Domain: "crime", Enemies: 1, Risk: "d6", Resistance: string(Shadow)},
			},
			{
				Move: "check", By: "c2", Dice: []int{7, 2, 2, 9},
				Args: Check{Skill: "compel", Against: form.Ref("c3"), Mastery: true, Enemies: 1, Risk: "d3", Resistance: string(Reputation)},
			},
			{
				Move: "check", By: "c1", Dice: []int{4, 2, 6, 3},
				Args: Check{Skill: "fight", Against: form.Ref("c3"), Mastery: true, Harm: "d3", Enemies: 1, Resistance: string(Blood)},
			},
		},
	}
}
