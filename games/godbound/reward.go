package godbound

import (
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

func fitHeroes(s game.Scene, f *form.Form) *form.Form { return f.With("who", s.Others(heroes...)...) }

// sessionMove ends a session and gives experience by three questions. GB-24
var sessionMove = game.Define(game.MoveSpec[Everybody]{
	ID: "session", GMOnly: true, AtTable: true,
	Outcomes: []game.OutcomeKind{{ID: "experience", Counts: true, Tone: game.Good}},
	Cast:     func(s game.Scene, a Everybody) []string { return a.among(s, heroes...) },
	Fit:      fitHeroes,
	Play:     playSession,
})

// Present is the answer which heroes took part. GB-24
type Present struct {
	Who []form.Ref `json:"who" form:"of=hero,max=60"`
}

// Verdict is the GM's answer yes or no.
type Verdict struct {
	Yes bool `json:"yes"`
}

// playSession asks who was present, whether they succeeded and whether they were seriously
// challenged; all three questions are open at once. Each is worth a point to everybody present.
// GB-24
func playSession(r *rule.Run, s game.Scene, a Everybody) rule.Outcome {
	all := game.Each(
		a.among(s, heroes...),
		func(who string) form.Option { return form.Option{Value: who, Text: name(s, who)} },
	)
	c := on(r, s)
	verdict := func(id string) func(*rule.Run) string {
		return func(r *rule.Run) string {
			c.part(r)
			if rule.Ask(r, rule.Question[Verdict]{ID: id, To: game.GM}).Yes {
				return "1"
			}
			return ""
		}
	}
	said := rule.Together(
		r,
		func(r *rule.Run) string {
			c.part(r)
			everybody := Present{}
			for _, o := range all {
				everybody.Who = append(everybody.Who, form.Ref(o.Value))
			}
			there := rule.Ask(r, rule.Question[Present]{
				ID: "godbound.present", To: game.GM,
				Form: form.Of[Present]().With("who", all...).Default("who", everybody.Who), Standard: everybody,
			})
			return strings.Join(refs(there.Who), " ")
		},
		verdict("godbound.succeeded"),
		verdict("godbound.tried"),
	)
	points := 1 + len(said[1]) + len(said[2])
	for _, who := range strings.Fields(said[0]) {
		r.Record(ExperienceGained{Who: who, Points: points})
	}
	result := rule.Outcome{ID: "experience", N: points}
	r.Record(game.Resolved{Outcome: result})
	return result
}

// Adventure holds the arguments of the move that gives Dominion for an adventure. GB-25
type Adventure struct {
	Who    []form.Ref `json:"who" form:"of=hero,max=60"`
	Worthy []form.Ref `json:"worthy" form:"of=hero,max=60"` // those who lived up to the divine role
}

var dominion = []game.OutcomeKind{{ID: "dominion", Counts: true, Tone: game.Good}}

var adventureMove = game.Define(game.MoveSpec[Adventure]{
	ID: "adventure", GMOnly: true, AtTable: true, Outcomes: dominion,
	Cast: func(s game.Scene, a Adventure) []string { return Everybody{a.Who}.among(s, "hero") },
	Play: func(r *rule.Run, s game.Scene, a Adventure) rule.Outcome { // GB-25
		result := rule.Outcome{ID: "dominion"}
		for _, who := range (Everybody{a.Who}).among(s, "hero") {
			gained := DominionGained{Who: who, Points: 1, Why: "adventure"}
			if slices.Contains(a.Worthy, form.Ref(who)) {
				gained = DominionGained{Who: who, Points: 2, Why: "role"}
			}
			r.Record(gained)
			result.N += gained.Points
		}
		return result
	},
})

// Month holds the arguments of the move for income between adventures. GB-25; only the GM makes
// time pass. GB-28
type Month struct {
	Months int `json:"months" form:"min=1,max=120,default=1"`
}

var monthMove = game.Define(game.MoveSpec[Month]{
	ID: "month", GMOnly: true, AtTable: true, Kinds: []string{"hero"}, Outcomes: dominion,
	Allow: func(s game.Scene, _ Month) error { // GB-25
		if err := alive(s, s.Actor); err != nil {
			return err
		}
		switch hero, _ := game.Sheet[Hero](s, s.Actor); {
		case hero.Divinity == "":
			return game.Refuse("GB-25", "godbound.refusal.no-income", "Name", name(s, s.Actor))
		case hero.Divinity == "cult" && hero.Level < 2:
			return game.Refuse("GB-25", "godbound.refusal.cult-level", "Name", name(s, s.Actor))
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Month) rule.Outcome {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		gained := DominionGained{Who: s.Actor, Points: a.Months * hero.income(), Why: hero.Divinity}
		if hero.Divinity == "cult" {
			gained.Strictures = hero.Cult.Strictures
		}
		r.Record(gained)
		on(r, s).outlast(s.Actor)
		return rule.Outcome{ID: "dominion", N: gained.Points}
	},
})

// income returns a month's Dominion: from a cult a point for each point of its Power and more for
// strictures, for a free divinity one and one more for every full three levels after the second.
// GB-25
func (h Hero) income() int {
	switch h.Divinity {
	case "cult":
		return h.Cult.Power + strictures(h.Cult.Strictures)
	case "free":
		return 1 + max(0, h.Level-2)/3
	}
	return 0
}

// strictures returns what a cult's rules add to its income. GB-25
func strictures(how string) int {
	return map[string]int{"some": 1, "serious": 2, "draconian": 3}[how]
}

// LevelUp is the answer of the hero's player about the changes of a new level. The table's rules
// for it are in the players' books.
type LevelUp struct {
	HP        int    `json:"hp" form:"min=1,max=500"` // at full health
	Bonus     int    `json:"bonus" form:"min=-20,max=30"`
	Saves     Saves  `json:"saves"`
	Fray      string `json:"fray" form:"text,dice"`
	Effort    int    `json:"effort" form:"max=40"`
	Influence int    `json:"influence" form:"max=9999"`
	Gifts     []Gift `json:"gifts" form:"max=10"` // new ones
}

// NewLevel holds the arguments of the move for a level reached; there are none.
type NewLevel struct{}

var levelMove = game.Define(game.MoveSpec[NewLevel]{
	ID: "level", GMOnly: true, AtTable: true, Kinds: heroes,
	Outcomes: []game.OutcomeKind{{ID: "level", Counts: true, Tone: game.Triumph}},
	Allow: func(s game.Scene, _ NewLevel) error {
		if err := alive(s, s.Actor); err != nil {
			return err
		}
		if hero, _ := game.Sheet[Hero](s, s.Actor); hero.Level >= maxLevel {
			return game.Refuse("GB-17", "godbound.refusal.top-level", "Name", name(s, s.Actor), "Level", hero.Level)
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, _ NewLevel) rule.Outcome {
		c := on(r, s)
		hero, _ := c.hero(s.Actor)
		is := LevelUp{
			HP: hero.HP, Bonus: hero.Bonus, Saves: hero.Saves, Fray: hero.Fray, Effort: hero.Effort.Total,
			Influence: hero.Influence.Total,
		}
		f := form.Of[LevelUp]().From(is)
		if c.mortal(s.Actor) { // GB-19
			f = f.Without("fray", "effort", "influence", "gifts")
		}
		gained := func(up LevelUp) LevelGained {
			return LevelGained{
				Who: s.Actor, Level: hero.Level + 1, HP: up.HP, Bonus: up.Bonus, Saves: up.Saves,
				Fray: up.Fray, Effort: up.Effort, Influence: up.Influence, Gifts: up.Gifts,
			}
		}
		up := rule.Ask(r, rule.Question[LevelUp]{
			ID: "godbound.level-up", To: s.Actor, Form: f, Standard: is,
			About: AboutLevel{Who: s.Actor, Level: hero.Level + 1},
			Check: func(up LevelUp) error {
				hero, _ := c.hero(s.Actor)
				return checkHero(game.After(hero, gained(up)))
			},
		})
		c.tell(gained(up)) // GB-17: Fury is available again
		return game.RecordOutcome(r, s, rule.Outcome{ID: "level", N: hero.Level + 1})
	},
})

const maxLevel = 20
