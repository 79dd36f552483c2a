package godbound

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Everybody holds the arguments of something that happens to characters; none named means all.
type Everybody struct {
	Who []form.Ref `json:"who" form:"max=60"`
}

// among returns the characters that it happens to: those named, or else all of some kinds.
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

// boundHeroes returns the characters affected by a dawn or by the end of a scene, and the
// characters that their Effort binds. GB-18
func (e Everybody) boundHeroes(s game.Scene) []string {
	all := e.among(s, people...)
	return append(all, boundBy(s, all...)...)
}

func fitEverybody(s game.Scene, f *form.Form) *form.Form {
	return f.With("who", s.Others(people...)...)
}

var returned = []game.OutcomeKind{{ID: "returned", Counts: true, Tone: game.Good}}

// dawnMove frees all Effort that isn't bound indefinitely. GB-18; only the GM makes it. GB-28
var dawnMove = game.Define(game.MoveSpec[Everybody]{
	ID: "dawn", GMOnly: true, AtTable: true, Outcomes: returned,
	Cast: func(s game.Scene, a Everybody) []string { return a.boundHeroes(s) },
	Fit:  fitEverybody,
	Play: func(r *rule.Run, s game.Scene, a Everybody) rule.Outcome {
		return on(r, s).renew(a.among(s, people...), "dawn", func(c cast, who string) []Commitment {
			keep := c.keeps(who)
			effort, _ := c.effort(who)
			var back []Commitment
			for i, each := range effort.Committed {
				if !slices.Contains(keep, form.Ref(strconv.Itoa(i))) {
					back = append(back, each)
				}
			}
			return back
		})
	},
})

// Keep is the answer what stays bound over dawn, by index on the sheet. GB-18
type Keep struct {
	Keep []form.Ref `json:"keep" form:"max=40"`
}

// keeps asks a player which Effort stays bound, if any may. GB-18
func (c cast) keeps(who string) []form.Ref {
	if may, _ := c.mayKeep(who); len(may) == 0 {
		return nil
	}
	return rule.AskAnew(c.r, func() rule.Question[Keep] {
		may, all := c.mayKeep(who)
		return rule.Question[Keep]{
			ID: "godbound.keep", To: who, Form: form.Of[Keep]().With("keep", may...).Default("keep", all.Keep),
			Standard: all, About: game.AboutWho{Who: who},
		}
	}).Keep
}

// mayKeep returns what may stay bound, and all of it as an answer. GB-18
func (c cast) mayKeep(who string) (may []form.Option, all Keep) {
	effort, _ := c.effort(who)
	for _, o := range effort.options() {
		if !o.Past {
			may, all.Keep = append(may, o), append(all.Keep, form.Ref(o.Value))
		}
	}
	return may, all
}

// sceneMove ends a scene: Effort committed to it is freed, and effects that last for it end. GB-18,
// GB-23; only the GM makes it. GB-28
var sceneMove = game.Define(game.MoveSpec[Everybody]{
	ID: "scene", GMOnly: true, AtTable: true, Outcomes: returned,
	Cast: func(s game.Scene, a Everybody) []string { return a.boundHeroes(s) },
	Fit:  fitEverybody,
	Play: func(r *rule.Run, s game.Scene, a Everybody) rule.Outcome {
		return on(r, s).renew(a.among(s, people...), "scene", func(c cast, who string) []Commitment {
			effort, _ := c.effort(who)
			return effort.returning()
		})
	},
})

// renew frees everybody's Effort that returns now, in parallel. It counts only the heroes' Effort,
// since only the GM knows that of foes.
func (c cast) renew(all []string, why string, returning func(c cast, who string) []Commitment) rule.Outcome {
	parts := make([]func(*rule.Run) int, len(all))
	for i, who := range all {
		parts[i] = func(r *rule.Run) int {
			own := c.part(r)
			back := returning(own, who)
			own.giveBack(who, why, back)
			_, foe := own.effort(who)
			if own.lasting(who, why) {
				own.tell(TimePassed{Who: who, Why: why, Foe: foe})
			}
			if foe {
				return 0
			}
			return len(back)
		}
	}
	result := rule.Outcome{ID: "returned"}
	for _, n := range rule.Together(c.r, parts...) {
		result.N += n
	}
	c.r.Record(game.Resolved{Outcome: result})
	return result
}

// lasting reports whether anything else on a sheet ends now: healing taken today at dawn; effects
// of miracles, bindings and Fury with the scene. GB-17, GB-20, GB-23
func (c cast) lasting(who, why string) bool {
	if why == "scene" && slices.ContainsFunc(bindingsOf(c.sheets[who]), Binding.endsWithScene) {
		return true
	}
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

// Rest holds the arguments of time without strain. GB-16, GB-19; only the GM makes it. GB-28
type Rest struct {
	Time string `json:"time" form:"choice=day|hour"`
	Days int    `json:"days" form:"min=1,max=60,default=1"`
}

var healed = []game.OutcomeKind{
	{ID: "healed", Counts: true, Tone: game.Good},
	{ID: "declined", Tone: game.Neutral},
	{ID: "no-effort", Tone: game.Neutral}, // GB-20: too little to accept it at its price
	{ID: "too-late", Tone: game.Neutral},  // GB-02: somebody died, or was healed, while it was asked
}

var restMove = game.Define(game.MoveSpec[Rest]{
	ID: "rest", GMOnly: true, AtTable: true, Kinds: people, Outcomes: healed[:1],
	Allow: func(s game.Scene, _ Rest) error {
		if foe, ok := game.Sheet[Foe](s, s.Actor); ok && foe.Fate != "dead" && foe.Count > 0 {
			return nil
		}
		return alive(s, s.Actor)
	},
	Play: func(r *rule.Run, s game.Scene, a Rest) rule.Outcome {
		c := on(r, s)
		c.outlast(s.Actor)
		n := c.restGain(s.Actor, a)
		if n > 0 {
			_, foe := c.foe(s.Actor)
			c.tell(Mended{Who: s.Actor, Points: n, Why: "rest", Foe: foe})
		}
		return rule.Outcome{ID: "healed", N: n}
	},
})

// outlast ends Fury and the helplessness after it: an hour is longer than both. GB-17, GB-28
func (c cast) outlast(who string) {
	if hero, _ := c.hero(who); hero.State == "fury" || hero.State == "spent" {
		c.tell(RoundPassed{Who: who, State: "spent", Was: hero.State})
	}
}

// restGain returns what rest restores: everything for a Godbound after a full day, one HP after an
// hour for one at 0; others, including heroes without Effort, get one HP or HD a day. GB-16, GB-19
func (c cast) restGain(who string, a Rest) int {
	hero, ok := c.hero(who)
	switch {
	case ok && c.mortal(who) && a.Time == "day":
		return min(a.Days, hero.HP-hero.RemainingHP())
	case ok && a.Time == "day":
		return hero.HP - hero.RemainingHP()
	case ok && hero.State == "dying" && !c.mortal(who):
		return 1
	case ok || a.Time == "hour":
		return 0
	}
	foe, _ := c.foe(who)
	return min(a.Days, max(foe.Lost, foe.Worn))
}

// AskTime holds the arguments of a player's request that time pass. GB-28
type AskTime struct {
	Time string `json:"time" form:"choice=hour|day|month|dawn|scene"`
	Text string `json:"text" form:"prose"`
}

var askMove = game.Define(game.MoveSpec[AskTime]{ // GB-28: the GM makes the move, or doesn't
	ID: "ask", AtTable: true, Kinds: heroes, Outcomes: done,
	Play: func(r *rule.Run, s game.Scene, a AskTime) rule.Outcome {
		r.Record(TimeAsked{Who: s.Actor, Time: a.Time, Text: a.Text})
		return happened
	},
})
