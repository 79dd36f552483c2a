package mage

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Spend takes points off a pool. MG-01
type Spend struct {
	Points string `json:"points" form:"choice=quintessence|willpower|paradox|arete"`
	Amount int    `json:"amount" form:"min=1,max=99,default=1"`
}

// Gain adds points to a pool. MG-01
type Gain struct {
	Points string `json:"points" form:"choice=quintessence|willpower|paradox|arete"`
	Amount int    `json:"amount" form:"min=1,max=99,default=1"`
}

var spendMove = game.Define(game.MoveSpec[Spend]{
	ID: "spend", AtTable: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "spent", Counts: true, Tone: game.Neutral}},
	Fit:      fitPoints,
	Allow: func(s game.Scene, a Spend) error {
		hero, _ := sheetOf(s, s.Actor)
		return firstRefusal(allowPoints(a.Points), allowLoss(hero, a.Points, a.Amount))
	},
	Play: func(r *rule.Run, s game.Scene, a Spend) rule.Outcome { // MG-01; MG-09: no action
		hero, _ := sheetOf(s, s.Actor)
		r.Record(
			PointsChanged{
				Who:    s.Actor,
				Points: a.Points,
				By:     -a.Amount,
				Now:    hero.points(a.Points) - a.Amount,
				Hidden: hero.hidden,
			},
		)
		return game.RecordOutcome(r, s, rule.Outcome{ID: "spent", N: a.Amount})
	},
})

var gainMove = game.Define(game.MoveSpec[Gain]{
	ID: "gain", AtTable: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "gained", Counts: true, Tone: game.Neutral}},
	Fit:      fitPoints,
	Allow: func(s game.Scene, a Gain) error {
		hero, _ := sheetOf(s, s.Actor)
		return firstRefusal(allowPoints(a.Points), allowGain(hero, a.Points, a.Amount))
	},
	Play: func(r *rule.Run, s game.Scene, a Gain) rule.Outcome { // MG-01
		hero, _ := sheetOf(s, s.Actor)
		r.Record(
			PointsChanged{
				Who:    s.Actor,
				Points: a.Points,
				By:     a.Amount,
				Now:    hero.points(a.Points) + a.Amount,
				Hidden: hero.hidden,
			},
		)
		return game.RecordOutcome(r, s, rule.Outcome{ID: "gained", N: a.Amount})
	},
})

// fitPoints leaves Arete to the Storyteller. MG-01
func fitPoints(_ game.Scene, f *form.Form) *form.Form {
	points, _ := f.Field("points")
	options := slices.Clone(points.Options)
	for i := range options {
		options[i].Past = options[i].Value == "arete"
	}
	return f.With("points", options...)
}

// allowPoints refuses Arete, which nobody gives to themselves. MG-01
func allowPoints(name string) error {
	if name == "arete" {
		return game.Refuse("MG-01", "mage.refusal.storytellers")
	}
	return nil
}

// SetArete is what Arete the Storyteller gives. MG-01
type SetArete struct {
	Arete int `json:"arete" form:"max=10,default=1,said"`
}

var areteMove = game.Define(game.MoveSpec[SetArete]{
	ID: "arete", GMOnly: true, AtTable: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "set", Tone: game.Neutral}},
	Play: func(r *rule.Run, s game.Scene, a SetArete) rule.Outcome { // MG-01
		hero, _ := sheetOf(s, s.Actor)
		r.Record(
			PointsChanged{Who: s.Actor, Points: "arete", By: a.Arete - hero.Arete, Now: a.Arete, Hidden: hero.hidden},
		)
		return game.RecordOutcome(r, s, rule.Outcome{ID: "set"})
	},
})

// points are what a character has of what can be spent and gained.
func (c Character) points(name string) int { return *c.at(name) }

func (c *Character) at(name string) *int {
	switch name {
	case "willpower":
		return &c.Willpower.Temporary
	case "paradox":
		return &c.Paradox
	case "arete":
		return &c.Arete
	}
	return &c.Quintessence
}

// most is how much of something a character can have: Arete goes to 10,
// temporary Willpower to the permanent rating, a pool as far as its sheet has
// room. MG-01
func (c Character) most(name string) int {
	switch name {
	case "willpower":
		return c.Willpower.Permanent
	case "arete":
		return 10
	}
	return 99
}

// allowLoss refuses to spend what isn't there. MG-01
func allowLoss(c Character, name string, n int) error {
	if have := c.points(name); n > have {
		return &game.Refusal{
			Rule: "MG-01",
			Word: "mage.refusal.not-there",
			Data: data{"Points": pointsWord(name), "N": have},
		}
	}
	return nil
}

// allowGain refuses more than there can be. MG-01
func allowGain(c Character, name string, n int) error {
	if c.points(name)+n > max(c.most(name), c.points(name)) && n > 0 {
		return &game.Refusal{
			Rule: "MG-01",
			Word: "mage.refusal.too-much",
			Data: data{"Points": pointsWord(name), "N": c.most(name)},
		}
	}
	return nil
}

// pointsWord names what is spent and gained.
func pointsWord(name string) game.Word { return game.Word("mage.points." + name) }

// Recover gives back what a downtime brings, to all who lack something. MG-30
type Recover struct {
	Who []form.Ref `json:"who" form:"of=character|npc,max=50,required"`
}

// Recovery is what each of them gets back.
type Recovery struct {
	Back []Restored `json:"back" form:"max=50"`
}

// Restored is what one character gets back.
type Restored struct {
	Who          form.Ref `json:"who" form:"of=character|npc,required"`
	Willpower    int      `json:"willpower-back" form:"max=10"`
	Quintessence int      `json:"quintessence-back" form:"max=99"`
	Paradox      int      `json:"paradox-off" form:"max=99"`
}

// AboutRecovery is what the question of a recovery is about.
type AboutRecovery struct{}

var recoverMove = game.Define(game.MoveSpec[Recover]{
	ID: "recover", GMOnly: true, AtTable: true,
	Outcomes: []game.OutcomeKind{{ID: "recovered", Tone: game.Good}},
	Joins:    map[string]any{"mage.recovery": Recovery{}},
	Cast:     func(game.Scene, Recover) []string { return nil }, // nobody is held while the card is open
	Play:     playRecover,
})

// playRecover asks the Storyteller in one card what everybody gets back, never more
// than they lack. MG-01, MG-30
func playRecover(r *rule.Run, s game.Scene, a Recover) rule.Outcome {
	standard := Recovery{Back: game.Each(a.Who, func(who form.Ref) Restored { return Restored{Who: who} })}
	says, s := game.Name(
		r,
		s,
		rule.Question[Recovery]{ID: "mage.recovery", To: game.GM, Standard: standard, About: AboutRecovery{}},
	)
	for _, back := range says.Back {
		who := string(back.Who)
		c, _ := sheetOf(s, who)
		for _, change := range []PointsChanged{
			{Points: "willpower", By: min(back.Willpower, max(0, c.Willpower.Permanent-c.Willpower.Temporary))},
			{Points: "quintessence", By: min(back.Quintessence, c.most("quintessence")-c.Quintessence)},
			{Points: "paradox", By: -min(back.Paradox, c.Paradox)},
		} {
			if change.By != 0 {
				change.Who, change.Now, change.Hidden = who, c.points(change.Points)+change.By, c.hidden
				s = s.Tell(r, change)
			}
		}
	}
	result := rule.Outcome{ID: "recovered"}
	r.Record(game.Resolved{Outcome: result})
	return result
}
