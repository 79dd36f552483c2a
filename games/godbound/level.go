package godbound

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// LevelUp is what changes with a new level, as the hero's player says. What the
// table's rules for it give stands in the players' books.
type LevelUp struct {
	HP        int    `json:"hp" form:"min=1,max=500"` // with nothing lost
	Bonus     int    `json:"bonus" form:"min=-20,max=30"`
	Saves     Saves  `json:"saves"`
	Fray      string `json:"fray" form:"text,dice"`
	Effort    int    `json:"effort" form:"max=40"`
	Influence int    `json:"influence" form:"max=9999"`
	Gifts     []Gift `json:"gifts" form:"max=10"` // new ones
}

// NewLevel is a level reached.
type NewLevel struct{}

var levelMove = game.Define(game.Of[NewLevel]{
	ID: "level", GMOnly: true, AtTable: true, Kinds: heroes, Outcomes: []game.OutcomeKind{{ID: "level", Counts: true, Tone: game.Triumph}},
	Allow: func(s game.Scene, _ NewLevel) error {
		if err := alive(s, s.Actor); err != nil {
			return err
		}
		if hero, _ := game.Sheet[Hero](s, s.Actor); hero.Level >= mostLevel {
			return game.Refuse("GB-17", "godbound.refusal.top-level", "Name", name(s, s.Actor), "Level", hero.Level)
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, _ NewLevel) rule.Outcome {
		c := on(r, s)
		hero, _ := c.hero(s.Actor)
		is := LevelUp{
			HP: hero.HP, Bonus: hero.Bonus, Saves: hero.Saves, Fray: hero.Fray, Effort: hero.Effort.Total, Influence: hero.Influence.Total,
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
			ID: "godbound.level-up", To: s.Actor, Form: f, Standard: is, About: AboutLevel{Who: s.Actor, Level: hero.Level + 1},
			Check: func(up LevelUp) error { return checkHero(game.After(hero, gained(up))) },
		})
		c.tell(gained(up)) // GB-17: and Fury is ready again
		return game.Came(r, s, rule.Outcome{ID: "level", N: hero.Level + 1})
	},
})

const mostLevel = 20
