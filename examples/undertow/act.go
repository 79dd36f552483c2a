package undertow

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Act holds the arguments of an action against an obstacle.
type Act struct {
	Action   string   `json:"action" form:"choice=skulk|fight|sway|tinker,table"`
	Dice     int      `json:"rating" form:"max=4,default=1,bare"`
	Position string   `json:"position" form:"choice=controlled|risky|desperate,default=risky"`
	Effect   string   `json:"effect" form:"choice=limited|standard|great,default=standard"`
	Push     bool     `json:"push"`
	Clock    form.Ref `json:"clock" form:"of=clock,table"` // the clock that the action advances
}

var actMove = game.Define(game.MoveSpec[Act]{
	ID: "act", Bare: true, AtTable: true, Kinds: []string{"smuggler"},
	Outcomes: []game.OutcomeKind{
		{ID: "critical", Tone: game.Triumph},
		{ID: "full", Tone: game.Good},
		{ID: "partial", Tone: game.Mixed},
		{ID: "bad", Tone: game.Bad},
	},
	Headlines: []game.Headline{
		{ID: "succeed", Outcomes: []string{"critical", "full", "partial"}},
		{ID: "clean", Outcomes: []string{"critical", "full"}},
	},
	Allow: func(s game.Scene, a Act) error {
		me, _ := game.Sheet[Smuggler](s, s.Actor)
		switch {
		case me.out():
			return game.Refuse("UT-07", "undertow.refusal.out")
		case a.Push && me.Stress > 7:
			return game.Refuse("UT-04", "undertow.refusal.worn")
		}
		return nil
	},
	Price: func(r *rule.Run, s game.Scene, a Act) rule.Outcome {
		return rule.Outcome{ID: readPool(r, "action", a.pool(s))}
	},
	Strip: func(s game.Scene, a Act) Act {
		if me, ok := game.Sheet[Smuggler](s, s.Actor); ok {
			a.Dice = me.rating(a.Action)
		}
		return a
	},
	Play:  playAct,
	Joins: map[string]any{"undertow.consequence": Consequence{}},
	Mark:  func(_ Act, t rule.Throw) []game.Mark { return markDeciding(t) },
})

func (a Act) pool(s game.Scene) int { // UT-01 UT-04
	n := a.Dice
	if me, ok := game.Sheet[Smuggler](s, s.Actor); ok {
		n = me.rating(a.Action)
	}
	if a.Push {
		n++
	}
	return n
}

func playAct(r *rule.Run, s game.Scene, a Act) rule.Outcome {
	me, _ := game.Sheet[Smuggler](s, s.Actor)
	if a.Push { // UT-04
		me = strain(r, s.Actor, me, 2)
	}
	came := rule.Outcome{ID: readPool(r, "action", a.pool(s))}
	r.Record(game.Resolved{Who: s.Actor, Outcome: came})
	if clock, ok := game.Sheet[Clock](s, string(a.Clock)); ok && came.ID != "bad" { // UT-03
		tick(r, string(a.Clock), clock, effects[a.Effect]+map[string]int{"critical": 1}[came.ID])
	}
	if came.ID == "partial" || came.ID == "bad" {
		suffer(r, s, severities[a.Position], me)
	}
	return came
}

var (
	effects    = map[string]int{"limited": 1, "standard": 2, "great": 3}
	severities = map[string]int{"controlled": 1, "risky": 2, "desperate": 3}
)

// Consequence is the game master's answer about what goes wrong.
type Consequence struct {
	What  string   `json:"what" form:"choice=nothing|harm|threat"`
	Text  string   `json:"text" form:"text"`
	Clock form.Ref `json:"clock" form:"of=clock"` // the clock that advances; it joins the move with this answer
}

// Resistance is the player's answer whether to resist a consequence.
type Resistance struct {
	Resist bool `json:"resist"`
}

// Trauma is the player's answer about a lasting trauma.
type Trauma struct {
	Text string `json:"text" form:"text,required"`
}

// Facing is the subject of a question.
type Facing struct {
	Who   string `json:"who"`
	What  string `json:"what"`
	Level int    `json:"level,omitempty" say:"N"`
	Text  string `json:"text,omitempty"`
}

// Word implements game.Worded.
func (f Facing) Word() string { return "undertow.about." + f.What }

var (
	consequenceForm = form.Of[Consequence]()
	resistanceForm  = form.Of[Resistance]()
	traumaForm      = form.Of[Trauma]()
)

// suffer asks the game master for a consequence, maybe with a clock that it advances, and the
// player whether to resist it. UT-05 UT-06
func suffer(r *rule.Run, s game.Scene, level int, me Smuggler) {
	named, s := game.Name(r, s, rule.Question[Consequence]{
		ID: "undertow.consequence", To: game.GM, Form: consequenceForm, Standard: Consequence{What: "nothing"},
		About: Facing{Who: s.Actor, What: "consequence", Level: level},
		Check: func(c Consequence) error {
			switch {
			case (c.What == "harm") != (c.Text != ""):
				return game.Refuse("UT-05", "undertow.refusal.text")
			case (c.What == "threat") != (c.Clock != ""):
				return game.Refuse("UT-05", "undertow.refusal.clock")
			}
			return nil
		},
	})
	if named.What == "nothing" {
		return
	}
	if rule.Ask(r, rule.Question[Resistance]{
		ID: "undertow.resist", To: s.Actor, Form: resistanceForm,
		About: Facing{Who: s.Actor, What: named.What, Level: level, Text: named.Text},
	}).Resist {
		strain(r, s.Actor, me, 6-highest(r, "resist", me.nerve()))
		level--
	}
	if clock, ok := game.Sheet[Clock](s, string(named.Clock)); ok {
		tick(r, string(named.Clock), clock, level)
	} else if level > 0 {
		r.Record(hurt{Who: s.Actor, Level: level, Text: named.Text})
	}
}

// strain adds stress; too much of it leaves a trauma. UT-07
func strain(r *rule.Run, who string, me Smuggler, by int) Smuggler {
	if by == 0 {
		return me
	}
	if me.Stress+by <= 9 {
		return game.RecordOn(r, me, game.Set(who, me, "stress", me.Stress+by))
	}
	scar := rule.Ask(r, rule.Question[Trauma]{
		ID: "undertow.trauma", To: who, Form: traumaForm,
		Standard: Trauma{Text: "…"}, About: Facing{Who: who, What: "trauma"},
	})
	return game.RecordOn(r, me, broken{Who: who, Text: scar.Text})
}

func tick(r *rule.Run, which string, c Clock, by int) {
	if now := min(c.Segments, c.Filled+by); now > c.Filled {
		r.Record(game.Set(which, c, "filled", now))
	}
}

// markDeciding marks the dice that decide: the highest, or the lower of two for a rating of 0.
// UT-02
func markDeciding(t rule.Throw) []game.Mark {
	marks, best := make([]game.Mark, len(t.Faces)), 0
	for i, face := range t.Faces {
		if face > t.Faces[best] {
			best = i
		}
	}
	marks[best] = game.Deciding
	return marks
}

// Tick holds the arguments of the game master's move that advances a clock.
type Tick struct {
	Clock form.Ref `json:"clock" form:"of=clock,required"`
	By    int      `json:"by" form:"min=1,max=6,default=1"`
}

var tickMove = game.Define(game.MoveSpec[Tick]{
	ID: "tick", GMOnly: true, AtTable: true, Outcomes: []game.OutcomeKind{{ID: "done", Tone: game.Neutral}},
	Play: func(r *rule.Run, s game.Scene, a Tick) rule.Outcome { // UT-03
		clock, _ := game.Sheet[Clock](s, string(a.Clock))
		tick(r, string(a.Clock), clock, a.By)
		return rule.Outcome{ID: "done"}
	},
})

// Rest holds the arguments of the move to rest; there are none.
type Rest struct{}

var restMove = game.Define(game.MoveSpec[Rest]{
	ID: "rest", AtTable: true, Kinds: []string{"smuggler"},
	Outcomes:  []game.OutcomeKind{{ID: "rested", Counts: true, Tone: game.Good}},
	Headlines: []game.Headline{{ID: "rested", Outcomes: []string{"rested"}}},
	Price: func(r *rule.Run, s game.Scene, _ Rest) rule.Outcome { // UT-07
		me, _ := game.Sheet[Smuggler](s, s.Actor)
		eased := min(me.Stress, highest(r, "rest", me.nerve()))
		if eased > 0 {
			r.Record(game.Set(s.Actor, me, "stress", me.Stress-eased))
		}
		return rule.Outcome{ID: "rested", N: eased}
	},
	Mark: func(_ Rest, t rule.Throw) []game.Mark { return markDeciding(t) },
})
