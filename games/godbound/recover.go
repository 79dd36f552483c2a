package godbound

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Everybody is whom something at the table happens to; nobody named means all.
type Everybody struct {
	Who []form.Ref `json:"who" form:"max=60"`
}

// among are those of some kinds whom it happens to.
func (e Everybody) among(s game.Scene, kinds ...string) []string {
	var all []string
	chosen := refs(e.Who)
	for _, o := range s.Others(kinds...) {
		if len(chosen) == 0 {
			all = append(all, o.Value)
		}
	}
	return append(all, chosen...)
}

func fitHeroesAndFoes(s game.Scene, f *form.Form) *form.Form {
	return f.With("who", s.Others("hero", "foe")...)
}

var returned = []game.OutcomeKind{{ID: "returned", Counts: true, Tone: game.Good}}

// dawn brings back Effort committed to the end of the day. GB-18
var dawnMove = game.Define(game.Of[Everybody]{
	ID: "dawn", GMOnly: true, AtTable: true, Outcomes: returned,
	Cast: func(s game.Scene, a Everybody) []string { return a.among(s, "hero", "foe") },
	Fit:  fitHeroesAndFoes,
	Play: func(r *rule.Run, s game.Scene, a Everybody) rule.Outcome {
		return on(r, s).renew(a.among(s, "hero", "foe"), "day", "dawn")
	},
})

// scene ends a scene: Effort committed to it comes back, and what miracles
// gave until its end is gone. GB-18, GB-23
var sceneMove = game.Define(game.Of[Everybody]{
	ID: "scene", GMOnly: true, AtTable: true, Outcomes: returned,
	Cast: func(s game.Scene, a Everybody) []string { return a.among(s, "hero", "foe") },
	Fit:  fitHeroesAndFoes,
	Play: func(r *rule.Run, s game.Scene, a Everybody) rule.Outcome {
		return on(r, s).renew(a.among(s, "hero", "foe"), "scene", "scene")
	},
})

// renew gives everybody back what returns now. Only the heroes' Effort is
// counted: what foes have is the GM's to know.
func (c cast) renew(all []string, until, why string) rule.Outcome {
	result := rule.Outcome{ID: "returned"}
	for _, who := range all {
		effort, foe := c.effort(who)
		back := effort.returning(until)
		c.giveBack(who, why, back)
		if !foe {
			result.N += len(back)
		}
		if c.lasting(who, why) {
			c.tell(TimePassed{Who: who, Why: why, Foe: foe})
		}
	}
	c.r.Tell(game.Resolved{Outcome: result})
	return result
}

// lasting tells whether a sheet holds anything else that ends now: healing
// taken today at dawn; what miracles gave, bindings and Fury with the scene.
// GB-17, GB-20, GB-23
func (c cast) lasting(who, why string) bool {
	switch sheet := c.sheets[who].(type) {
	case Hero:
		if why == "dawn" {
			return sheet.Healed
		}
		return sheet.Guard || len(sheet.Immunities) > 0 || sheet.State == "fury" || sheet.State == "spent"
	case Foe:
		return why == "dawn" && sheet.Healed
	}
	return false
}

// Rest is time without strain. GB-16, GB-19
type Rest struct {
	Time string `json:"time" form:"choice=day|hour"`
	Days int    `json:"days" form:"min=1,max=60,default=1"`
}

var healed = []game.OutcomeKind{{ID: "healed", Counts: true, Tone: game.Good}}

var restMove = game.Define(game.Of[Rest]{
	ID: "rest", AtTable: true, Kinds: []string{"hero", "foe"}, Outcomes: healed,
	Allow: func(s game.Scene, _ Rest) error {
		if foe, ok := game.Sheet[Foe](s, s.Actor); ok && foe.Fate != "dead" && foe.Count > 0 {
			return nil
		}
		return alive(s, s.Actor)
	},
	Play: func(r *rule.Run, s game.Scene, a Rest) rule.Outcome {
		c := on(r, s)
		n := c.rested(s.Actor, a)
		if n > 0 {
			_, foe := c.foe(s.Actor)
			c.tell(Mended{Who: s.Actor, Points: n, Why: "rest", Foe: foe})
		}
		if hero, _ := c.hero(s.Actor); hero.State == "fury" || hero.State == "spent" { // GB-17: its rounds are over
			c.tell(RoundPassed{Who: s.Actor, State: "spent"})
		}
		return rule.Outcome{ID: "healed", N: n}
	},
})

// rested is what rest gives back: a Godbound everything after a full day, one
// HP after an hour to who lay at 0; others one HD a day. GB-16, GB-19
func (c cast) rested(who string, a Rest) int {
	hero, ok := c.hero(who)
	switch {
	case ok && a.Time == "day":
		return hero.HP - hero.Left()
	case ok && hero.State == "dying":
		return 1
	case ok || a.Time == "hour":
		return 0
	}
	foe, _ := c.foe(who)
	return min(a.Days, max(foe.Lost, foe.Worn))
}

// Heal is healing by magic. GB-20
type Heal struct {
	Patient form.Ref `json:"patient" form:"required"`
	Points  int      `json:"points" form:"min=1,max=500"`
}

var healMove = game.Define(game.Of[Heal]{
	ID: "heal", AtTable: true, Kinds: []string{"hero", "foe"}, Outcomes: healed,
	Cast: func(_ game.Scene, a Heal) []string { return refs([]form.Ref{a.Patient}) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		self := s.Cast[s.Actor]
		return f.With("patient", append(afoot(s, "hero", "foe"), form.Option{Value: self.ID, Text: self.Name})...)
	},
	Allow: func(s game.Scene, a Heal) error {
		if err := awake(s); err != nil {
			return err
		}
		who := string(a.Patient)
		if err := alive(s, who); err != nil {
			return err
		}
		lost, healed := hurtOf(s.Cast[who].Sheet)
		effort := effortOf(s.Cast[who].Sheet)
		switch { // GB-20
		case lost == 0:
			return game.Refuse("GB-20", "godbound.refusal.unhurt", "Name", name(s, who))
		case effort.Total > 0 && effort.Free() == 0:
			return game.Refuse("GB-20", "godbound.refusal.patient-effort", "Name", name(s, who))
		case effort.Total == 0 && healed:
			return game.Refuse("GB-20", "godbound.refusal.healed", "Name", name(s, who))
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Heal) rule.Outcome { // GB-20
		c, who := on(r, s), string(a.Patient)
		lost, _ := hurtOf(c.sheets[who])
		effort, foe := c.effort(who)
		if effort.Total > 0 {
			c.commit(who, Commitment{Purpose: "healing", Until: "day"})
		}
		n := min(a.Points, lost)
		c.tell(Mended{Who: who, Points: n, Why: "magic", Foe: foe, Once: effort.Total == 0})
		return rule.Outcome{ID: "healed", N: n}
	},
})

// hurtOf is what a sheet has lost, and whether it was healed today.
func hurtOf(sheet any) (lost int, healed bool) {
	switch sheet := sheet.(type) {
	case Hero:
		return sheet.HP - sheet.Left(), sheet.Healed
	case Foe:
		return sheet.Lost, sheet.Healed
	}
	return 0, false
}
