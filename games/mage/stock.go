package mage

import (
	"norn/game"
	"norn/lang"
)

// stock are people of the streets, with the same ratings as everybody has.
func stock(s lang.Speaker) []game.Sample {
	person := func(id, name string, physical, social, mental int, change func(*Character)) game.Sample {
		c := blankCharacter()
		c.Attributes = Attributes{
			Strength: physical, Dexterity: physical, Stamina: physical, Charisma: social, Manipulation: social, Appearance: 2,
			Perception: mental, Intelligence: mental, Wits: mental,
		}
		c.Arete, c.Willpower = 0, Willpower{Permanent: 3, Temporary: 3}
		change(&c)
		return game.Sample{ID: id, Kind: "character", Name: name, Sheet: c}
	}
	return []game.Sample{
		person("bystander", s.Say("mage.stock.bystander"), 2, 2, 2, func(c *Character) {
			c.Talents = []Talent{{Name: "alertness", Dots: 1}}
		}),
		person("brawler", s.Say("mage.stock.brawler"), 3, 1, 2, func(c *Character) {
			c.Talents = []Talent{{Name: "athletics", Dots: 2}, {Name: "brawl", Dots: 3}}
		}),
		person("detective", s.Say("mage.stock.detective"), 3, 2, 3, func(c *Character) {
			c.Talents = []Talent{{Name: "alertness", Dots: 3}, {Name: "brawl", Dots: 2}}
			c.Knowledges = []Knowledge{{Name: "investigation", Dots: 3}}
			c.Willpower = Willpower{Permanent: 5, Temporary: 5}
		}),
		person("hacker", s.Say("mage.stock.hacker"), 1, 2, 4, func(c *Character) {
			c.Skills, c.Knowledges = []Skill{{Name: "technology", Dots: 3}}, []Knowledge{{Name: "computer", Dots: 4}}
			c.Willpower = Willpower{Permanent: 4, Temporary: 4}
		}),
		person("rival", s.Say("mage.stock.rival"), 2, 3, 4, func(c *Character) { // MG-01
			c.Talents, c.Knowledges = []Talent{{Name: "expression", Dots: 2}}, []Knowledge{{Name: "academics", Dots: 3}}
			c.Arete, c.Willpower, c.Quintessence = 3, Willpower{Permanent: 6, Temporary: 6}, 5
		}),
	}
}
