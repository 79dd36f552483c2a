package godbound

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Dispel is a defence against something that the GM only told of: by a gift, a
// Word or another ability. GB-22
type Dispel struct {
	Threat string `json:"threat" form:"choice=gift|miracle|blow|hazard"`
	AtMe   bool   `json:"at-me" form:"default=true"`
	Word   string `json:"word" form:"choice,required"` // as Defend has it: "word:0", "gift:1"; the first edition had a place alone
	How    string `json:"how" form:"prose"`
}

var dispelMove = game.Define(game.Of[Dispel]{
	ID: "dispel", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "dispelled", Tone: game.Good}, {ID: "unblocked", Tone: game.Bad}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		c := on(nil, s)
		options := c.defences(s.Actor)[1:]
		if hero.Effort.Free() == 0 { // named, they're refused with the reason
			for _, o := range append(hero.wordsOffered(), form.Option{Value: "own"}) {
				o.Past = true
				options = append(options, o)
			}
		}
		return f.With("word", options...).Default("word", firstOf(options))
	},
	Allow: func(s game.Scene, a Dispel) error { // GB-22
		if err := awake(s); err != nil {
			return err
		}
		switch {
		case a.Threat == "blow" || a.Threat == "hazard":
			return game.Refuse("GB-22", "godbound.refusal.not-dispelled", "Threat", game.Word("godbound.threat."+a.Threat))
		case !a.AtMe:
			return game.Refuse("GB-22", "godbound.refusal.not-aimed")
		case a.How == "":
			return game.Refuse("GB-22", "godbound.refusal.say-how")
		}
		if _, cost := on(nil, s).defence(s.Actor, a.defend()); cost.Until == "" {
			return nil
		}
		return mayCommit(s)
	},
	Play: func(r *rule.Run, s game.Scene, a Dispel) rule.Outcome {
		c, result := on(r, s), rule.Outcome{ID: "dispelled"}
		if c.nods(s.Actor, a.defend()) {
			c.defend(s.Actor, a.defend())
		} else {
			result.ID = "unblocked"
		}
		return game.Came(r, s, result)
	},
})

func (a Dispel) defend() Defend { return Defend{With: a.Word, How: a.How} }
