package mage

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Spend holds the arguments of the move that spends points. MG-01
type Spend struct {
	Points string `json:"points" form:"choice=quintessence|willpower|paradox|arete"`
	Amount int    `json:"amount" form:"min=1,max=99,default=1"`
}

// Gain holds the arguments of the move that adds points. MG-01
type Gain struct {
	Points string `json:"points" form:"choice=quintessence|willpower|paradox|arete"`
	Amount int    `json:"amount" form:"min=1,max=99,default=1"`
}

var spendMove = game.Define(game.MoveSpec[Spend]{
	ID: "spend", AtTable: true, Kinds: people,
	Instant:  func(game.Scene, Spend) bool { return true }, // MG-09
	Outcomes: []game.OutcomeKind{{ID: "spent", Counts: true, Tone: game.Neutral}},
	Fit:      fitPoints,
	Allow: func(s game.Scene, a Spend) error {
		hero, _ := sheetOf(s, s.Actor)
		return firstRefusal(allowPoints(a.Points), allowLoss(hero, a.Points, a.Amount))
	},
	Play: func(r *rule.Run, s game.Scene, a Spend) rule.Outcome { // MG-01; MG-09: not an action
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
	Instant:  func(game.Scene, Gain) bool { return true }, // MG-09
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

// fitPoints offers everything but Arete, which the Storyteller sets. MG-01
func fitPoints(_ game.Scene, f *form.Form) *form.Form {
	points, _ := f.Field("points")
	options := slices.Clone(points.Options)
	for i := range options {
		options[i].Past = options[i].Value == "arete"
	}
	return f.With("points", options...)
}

// allowPoints refuses to change Arete, which only the Storyteller does. MG-01
func allowPoints(name string) error {
	if name == "arete" {
		return game.Refuse("MG-01", "mage.refusal.storytellers")
	}
	return nil
}

// SetArete holds the arguments of the Storyteller's move that sets Arete. MG-01
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

// points returns how much a character has of something that can be spent and gained.
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

// most returns the maximum of something on a sheet: 10 for Arete, the permanent rating for
// temporary Willpower, otherwise the limit of the sheet's field. MG-01
func (c Character) most(name string) int {
	switch name {
	case "willpower":
		return c.Willpower.Permanent
	case "arete":
		return 10
	}
	return 99
}

// allowLoss refuses to spend more than there is. MG-01
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

// allowGain refuses to gain more than the maximum. MG-01
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

// pointsWord returns the word for points.
func pointsWord(name string) game.Word { return game.Word("mage.points." + name) }

// Recover holds the arguments of the move that restores points after a downtime, to everybody who
// lacks some. MG-30
type Recover struct {
	Who []form.Ref `json:"who" form:"of=character|npc,max=50,required"`
}

// Recovery is the Storyteller's answer about what each of them gets back.
type Recovery struct {
	Back []Restored `json:"back" form:"max=50"`
}

// Restored is the part of one character.
type Restored struct {
	Who          form.Ref `json:"who" form:"of=character|npc,required"`
	Willpower    int      `json:"willpower-back" form:"max=10"`
	Quintessence int      `json:"quintessence-back" form:"max=99"`
	Paradox      int      `json:"paradox-off" form:"max=99"`
}

// AboutRecovery is the subject of the question about a recovery.
type AboutRecovery struct{}

var recoverMove = game.Define(game.MoveSpec[Recover]{
	ID: "recover", GMOnly: true, AtTable: true,
	Outcomes: []game.OutcomeKind{{ID: "recovered", Tone: game.Good}},
	Joins:    map[string]any{"mage.recovery": Recovery{}},
	Cast:     func(game.Scene, Recover) []string { return nil }, // nobody is locked while the question is open
	Play:     playRecover,
})

// playRecover asks the Storyteller in one question what everybody gets back, at most what they
// lack. MG-01, MG-30
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
