package mage

import (
	"norn/form"
	"norn/game"
	"norn/lang"
)

// demo is a night on a rooftop: a ritual with a helper is under way, and a
// lock that wouldn't open.
func demo(s lang.Speaker) game.Demo {
	marta, ilya, ritual := blankCharacter(), blankCharacter(), blankExtended()
	marta.Attributes = Attributes{
		Strength: 2, Dexterity: 3, Stamina: 2, Charisma: 3, Manipulation: 2, Appearance: 2, Perception: 3, Intelligence: 4, Wits: 3,
	}
	marta.Talents = []Talent{{Name: "alertness", Dots: 2}, {Name: "expression", Dots: 2}}
	marta.Skills = []Skill{{Name: "stealth", Dots: 1}}
	marta.Knowledges = []Knowledge{{Name: "academics", Dots: 3}, {Name: form.Trait(s.Say("mage.demo.occult")), Dots: 3}}
	marta.Arete, marta.Willpower, marta.Quintessence, marta.Paradox = 3, Willpower{Permanent: 6, Temporary: 5}, 4, 1

	ilya.Attributes = Attributes{
		Strength: 3, Dexterity: 4, Stamina: 3, Charisma: 2, Manipulation: 2, Appearance: 2, Perception: 3, Intelligence: 2, Wits: 3,
	}
	ilya.Talents = []Talent{{Name: "athletics", Dots: 2}, {Name: "brawl", Dots: 3}}
	ilya.Skills = []Skill{{Name: "technology", Dots: 3}}
	ilya.Knowledges = []Knowledge{{Name: form.Trait(s.Say("mage.demo.occult")), Dots: 1}}
	ilya.Arete, ilya.Willpower = 2, Willpower{Permanent: 5, Temporary: 5}

	ritual.Target, ritual.Difficulty, ritual.Limit, ritual.Interval = 10, 7, 5, "hour"
	return game.Demo{
		Name: s.Say("mage.demo.table"),
		Cast: []game.Sample{
			{Kind: "character", Name: s.Say("mage.demo.marta"), Player: true, Sheet: marta},
			{Kind: "character", Name: s.Say("mage.demo.ilya"), Sheet: ilya},
			{Kind: "extended", Name: s.Say("mage.demo.ritual"), Sheet: ritual},
		},
		Story: []game.Beat{
			{Move: "record", By: "c1", Args: Record{How: "automatic", Text: s.Say("mage.demo.arrival")}},
			{
				Move: "roll", By: "c2", Dice: []int{4, 6, 2, 5, 3, 6, 4},
				Args: Roll{
					Traits: Traits{Attribute: "dexterity", Ability: "technology"}, Difficulty: 7, Try: Try{Attempt: s.Say("mage.demo.lock")},
				},
			},
			{
				Move: "extended", By: "c1", Dice: []int{7, 9, 2, 8, 5, 1, 10}, // the helper is still to be asked
				Args: Work{
					On: "c3", Traits: Traits{Attribute: "intelligence", Ability: form.Trait(s.Say("mage.demo.occult"))},
					With: []form.Ref{"c2"}, Ruins: "itself",
				},
			},
		},
	}
}
