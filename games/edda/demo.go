package edda

import (
	"norn/form"
	"norn/game"
	"norn/lang"
)

// demo is the evening before Christmas: a bell must be brought home over the
// ice, and the Frost bars the way. Two special efforts wait for their answers.
func demo(s lang.Speaker) game.Demo {
	once := func(id string, size int) Circumstance {
		return Circumstance{Name: s.Say(id), Size: size, Lasts: "once"}
	}
	lasts := func(id string, size int) Circumstance {
		return Circumstance{Name: s.Say(id), Size: size, Lasts: "lasting"}
	}
	return game.Demo{
		Name: s.Say("edda.demo.table"),
		Cast: []game.Sample{
			{Kind: "hero", Name: s.Say("edda.demo.asta"), Player: true, Sheet: Hero{
				Experience: 17,
				Strengths: []Strength{
					{Name: s.Say("edda.demo.ice"), Steps: 3},
					{Name: s.Say("edda.demo.song"), Steps: 2},
					{Name: s.Say("edda.demo.promise"), Steps: 1},
					{Name: s.Say("edda.demo.candle"), Steps: 1, Faded: true},
				},
				Weakness:   Weakness{Text: s.Say("edda.demo.dark"), Marks: 2},
				Memories:   []Memory{{Text: s.Say("edda.demo.ferry"), Calls: 4}, {Text: s.Say("edda.demo.star"), Calls: 1}},
				Conditions: []Condition{{Name: fatigue, Kind: "body", Size: 1}},
				Gear:       []Gear{{Name: s.Say("edda.demo.skates"), Dice: 1}},
			}},
			{Kind: "hero", Name: s.Say("edda.demo.jon"), Sheet: Hero{
				Experience: 4,
				Strengths:  []Strength{{Name: s.Say("edda.demo.rope"), Steps: 2}, {Name: s.Say("edda.demo.laugh"), Steps: 2}},
				Weakness:   Weakness{Text: s.Say("edda.demo.stubborn"), Marks: 1},
				Conditions: []Condition{{Name: form.Trait(s.Say("edda.demo.homesick")), Kind: "mind", Size: 2}},
				Gear: []Gear{{Name: s.Say("edda.demo.sledge"), Strengths: []GearStrength{
					{Name: s.Say("edda.demo.carries"), Steps: 2},
				}}},
			}},
			{Kind: "fated", Name: s.Say("edda.demo.frost"), Sheet: Fated{
				Dice: 5, Advantages: []Circumstance{lasts("edda.demo.night", 1)}, Difficulties: []Circumstance{once("edda.demo.thaw", 1)},
				Notes: s.Say("edda.demo.secret"),
			}},
		},
		Story: []game.Beat{
			{
				Move: "help", By: "c2", Dice: []int{6, 5},
				Args: Help{
					Helped: "c1", Deed: Deed{s.Say("edda.demo.held")},
					Action: Action{Strengths: []form.Ref{"0", "g0-0"}, Conditions: []form.Ref{"0"}, Miracle: "dice"}, Effort: "never",
				},
			},
			{
				Move: "act", By: "c1", Dice: []int{2, 6, 1, 4, 5, 6, 2, 5}, Answers: []any{Effort{Pay: "memory", Memory: "1", Condition: fatigue, Kind: "body", Size: 1}},
				Args: Act{
					Deed:       Deed{s.Say("edda.demo.crossed")},
					Action:     Action{Strengths: []form.Ref{"0"}, Conditions: []form.Ref{"0"}, Advantages: []form.Ref{"0"}, Gear: []form.Ref{"0"}, Miracle: "dice"},
					Complexity: 3, Attempts: 1, Effort: "never",
				},
			},
			{
				Move: "contest", By: "c1", Dice: []int{5, 1, 3, 6, 6, 5, 2, 4, 1},
				Args: Contest{
					Against: "c3", Deed: Deed{s.Say("edda.demo.sang")},
					Action: Action{Strengths: []form.Ref{"1", "0"}, Conditions: []form.Ref{"0"}, Miracle: "dice"}, Effort: "never", AgainstEffort: "never",
				},
			},
		},
	}
}
