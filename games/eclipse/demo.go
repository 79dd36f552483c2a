package eclipse

import (
	"norn/form"
	"norn/game"
	"norn/lang"
)

// demo is a quiet evening on a station: a door that opens too easily, and a
// throw that a point could still turn.
func demo(s lang.Speaker) game.Demo {
	skill := func(name form.Trait, aptitude, kind string, value int) Skill {
		return Skill{Name: name, Aptitude: aptitude, Kind: kind, Value: value, Defaultable: true}
	}
	test := func(on string) Test {
		return Test{Roll: Roll{On: on, Difficulty: "average", Situation: "even", Distance: "close"}}
	}
	vesna := Character{
		Morph: s.Say("eclipse.demo.vesna-morph"), Aptitudes: Aptitudes{Cog: 20, Int: 15, Ref: 15, Sav: 10, Som: 10, Wil: 15},
		Skills: []Skill{
			skill("infosec", "cog", "technical", 60), skill("infiltrate", "ref", "physical", 45), skill("perceive", "int", "mental", 50),
		},
		Pools: Pools{Insight: Pool{Now: 3, Max: 3}, Moxie: Pool{Now: 1, Max: 1}, Vigor: Pool{Now: 1, Max: 2}, Flex: Pool{Now: 1, Max: 1}},
		Rep:   Rep{At: 30, G: 50},
	}
	oleg := Character{
		Morph: s.Say("eclipse.demo.oleg-morph"), Aptitudes: Aptitudes{Cog: 10, Int: 15, Ref: 20, Sav: 15, Som: 20, Wil: 15},
		Skills: []Skill{
			skill("guns", "ref", "combat", 60), skill("fray", "ref", "combat", 50), skill("persuade", "sav", "social", 40),
		},
		Pools: Pools{Insight: Pool{Now: 1, Max: 1}, Moxie: Pool{Now: 2, Max: 2}, Vigor: Pool{Now: 3, Max: 3}, Flex: Pool{Now: 1, Max: 1}},
		Rep:   Rep{C: 40, X: 20},
	}
	guard := NPC{Notes: s.Say("eclipse.demo.guard-notes")}
	guard.Aptitudes = Aptitudes{Cog: 10, Int: 15, Ref: 15, Sav: 10, Som: 15, Wil: 10}
	guard.Skills = []Skill{skill("perceive", "int", "mental", 45), skill("guns", "ref", "combat", 40)}
	return game.Demo{
		Name: s.Say("eclipse.demo.table"),
		Cast: []game.Sample{
			{Kind: "character", Name: s.Say("eclipse.demo.vesna"), Player: true, Sheet: vesna},
			{Kind: "character", Name: s.Say("eclipse.demo.oleg"), Sheet: oleg},
			{Kind: "npc", Name: s.Say("eclipse.demo.guard"), Sheet: guard},
		},
		Story: []game.Beat{
			{Move: "routine", By: "c1", Args: Routine{On: "skill:infosec", Text: s.Say("eclipse.demo.arrival")}},
			{Move: "test", By: "c2", Dice: []int{24}, Args: test("skill:persuade"), Answers: []any{Point{Use: "keep", Pool: "moxie"}}},
			{Move: "test", By: "c1", Dice: []int{82}, Args: test("skill:infosec")}, // 28 if it's flipped
		},
	}
}
