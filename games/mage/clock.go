package mage

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Advance moves the table's clock on. MG-30
type Advance struct {
	To string `json:"to" form:"choice=turn|scene|chapter|story|chronicle|downtime"`
}

var clockMove = game.Define(game.Of[Advance]{
	ID: "clock", GMOnly: true, AtTable: true,
	Outcomes: []game.OutcomeKind{{ID: "passed", Tone: game.Neutral}},
	Cast:     func(s game.Scene, _ Advance) []string { return characters(s) },
	Play:     playClock,
})

// playClock moves the clock on for every character, and at the end of a scene
// and in downtime asks the GM what each gets back. A new turn gives everybody
// their action and their Willpower again, and ends what is left of a
// declaration. MG-08, MG-10, MG-30
func playClock(r *rule.Run, s game.Scene, a Advance) rule.Outcome {
	now := form.Blank[Character]().Clock
	everybody := characters(s)
	for _, who := range everybody {
		if c, _ := game.Sheet[Character](s, who); now.before(c.Clock) {
			now = c.Clock
		}
	}
	now = now.next(a.To)
	r.Tell(TimePassed{To: a.To, Clock: now})
	for _, who := range everybody {
		r.Tell(ClockSet{Who: who, Clock: now})
	}
	result := rule.Outcome{ID: "passed"}
	r.Tell(game.Resolved{Outcome: result})
	if a.To == "turn" {
		return result
	}
	var parts []func(*rule.Run) bool
	for _, who := range everybody {
		c, _ := game.Sheet[Character](s, who)
		parts = append(parts, func(r *rule.Run) bool {
			restore(r, who, c)
			return true
		})
	}
	rule.Together(r, parts...)
	return result
}

// next is the clock when the next turn, scene, chapter, story or chronicle
// begins, or a downtime. What is smaller begins anew, and a new scene counts no
// turns till its first one is begun. MG-30
func (c Clock) next(to string) Clock {
	first := !c.Counted && c.Turn == 1
	c.Downtime, c.Counted, c.Bought, c.Declared, c.Acted = to == "downtime", to == "turn", false, 0, false
	switch to {
	case "turn":
		if !first {
			c.Turn++
		}
		return c
	case "scene":
		c.Scene++
	case "chapter":
		c.Chapter, c.Scene = c.Chapter+1, 1
	case "story":
		c.Story, c.Chapter, c.Scene = c.Story+1, 1, 1
	case "chronicle":
		c.Chronicle, c.Story, c.Chapter, c.Scene = c.Chronicle+1, 1, 1, 1
	}
	c.Turn = 1
	return c
}
