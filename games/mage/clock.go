package mage

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Advance holds the arguments of the move that advances the table's clock. A downtime has a length,
// and a text about what happened in it. MG-30
type Advance struct {
	To     string      `json:"to" form:"choice=turn|scene|chapter|story|chronicle|downtime"`
	Length form.Number `json:"length,omitzero" form:"min=1,max=999,for=to:downtime,beside=to:downtime"`
	Unit   string      `json:"unit,omitempty" form:"choice=days|weeks|months|years,for=to:downtime,beside=to:downtime"`
	Text   string      `json:"text,omitempty" form:"prose,for=to:downtime,beside=to:downtime"`
}

var clockMove = game.Define(game.MoveSpec[Advance]{
	ID: "clock", GMOnly: true, AtTable: true, Ends: []string{"recover"},
	Outcomes: []game.OutcomeKind{{ID: "passed", Tone: game.Neutral}},
	Cast:     func(s game.Scene, _ Advance) []string { return characters(s) },
	Play:     playClock,
})

// playClock advances the clock for everybody. In a new turn everybody has their action and
// Willpower again, and declarations end. After a downtime it offers to restore points to everybody
// who lacks some. MG-08, MG-10, MG-30
func playClock(r *rule.Run, s game.Scene, a Advance) rule.Outcome {
	now := form.Blank[Character]().Clock
	everybody := characters(s)
	for _, who := range everybody {
		if c, _ := sheetOf(s, who); now.before(c.Clock) {
			now = c.Clock
		}
	}
	now = now.next(a.To)
	passed := TimePassed{To: a.To, Clock: now}
	if a.To == "downtime" {
		passed.Length, passed.Text = a.Length, a.Text
		if !a.Length.IsZero() {
			passed.Unit = a.Unit
		}
	}
	r.Record(passed)
	for _, who := range everybody {
		r.Record(ClockSet{Who: who, Clock: now})
	}
	result := rule.Outcome{ID: "passed"}
	r.Record(game.Resolved{Outcome: result})
	var lacking []form.Ref
	for _, who := range everybody {
		if c, _ := sheetOf(s, who); c.lacksPoints() {
			lacking = append(lacking, form.Ref(who))
		}
	}
	if a.To == "downtime" && len(lacking) > 0 {
		game.Offer(r, game.GM, "recover", "", Recover{Who: lacking})
	}
	return result
}

// lacksPoints reports whether a downtime can give something back. MG-30
func (c Character) lacksPoints() bool {
	return c.Willpower.Temporary < c.Willpower.Permanent || c.Paradox > 0
}

// next returns the clock at the start of the next turn, scene, chapter, story or chronicle, or of a
// downtime. Smaller units restart at 1, and a new scene doesn't count turns until the first one
// begins. MG-30
func (c Clock) next(to string) Clock {
	first := !c.Counted && c.Turn == 1
	c.Downtime, c.Counted, c.Bought, c.Declared, c.Acted = to == "downtime", to == "turn", false, 0, false
	switch to {
	case "turn":
		if !first {
			c.Turn = following(c.Turn)
		}
		return c
	case "scene":
		c.Scene = following(c.Scene)
	case "chapter":
		c.Chapter, c.Scene = following(c.Chapter), 1
	case "story":
		c.Story, c.Chapter, c.Scene = following(c.Story), 1, 1
	case "chronicle":
		c.Chronicle, c.Story, c.Chapter, c.Scene = following(c.Chronicle), 1, 1, 1
	}
	c.Turn = 1
	return c
}

// following returns the next number of a clock, which stops at the largest that a sheet has.
func following(n int) int { return min(n+1, 9999) }
