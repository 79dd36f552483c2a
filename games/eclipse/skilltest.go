package eclipse

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Test holds the arguments of a test of uncertain outcome.
type Test struct {
	Plain
	Roll
	Time  int  `json:"time" form:"max=6,table,rare"`    // EP-24: extra minutes taken
	Apart bool `json:"apart" form:"table,beside=group"` // EP-08: each member of the group rolls
}

var testMove = game.Define(game.MoveSpec[Test]{
	ID: "test", Bare: true, AtTable: true, Ends: offersEnd, Kinds: []string{"character", "npc"},
	Outcomes: testOutcomes, Headlines: testHeadlines, Aims: []game.Aim{bestResult},
	Cast: func(_ game.Scene, a Test) []string { return a.cast() },
	Fit:  fitRoll,
	Allow: func(s game.Scene, a Test) error {
		if s.Actor == "" {
			return tens(a.Modifier)
		}
		if a.Apart {
			return a.allowApart(s)
		}
		return allowRoll(s, a.Roll, a.timeBonus())
	},
	Price: func(r *rule.Run, s game.Scene, a Test) rule.Outcome {
		t := attempt{aim: a.aim(s)}
		if a.late {
			return throwBestResult(r, t, rulesOf(s)).outcome()
		}
		return throwResult(r, t.target, t.lesser()).outcome()
	},
	Retry: func(_ game.Scene, a Test, f game.Failure) Test {
		a.Roll = a.retried(f)
		return a
	},
	Play:     playTest,
	Mark:     func(_ Test, t rule.Throw) []game.Mark { return markRoll(t) },
	Sources:  testSources,
	Variants: testVariants,
	Strip: func(s game.Scene, a Test) Test {
		if s.Actor != "" {
			a.Plain = a.aim(s).plain()
		}
		return a
	},
})

func (a Test) aim(s game.Scene) aim {
	if s.Actor == "" {
		t, _ := aimPlain(a.Plain)
		return t
	}
	if a.Apart {
		a.Group = nil
	}
	t, _ := aimOf(s, a.Roll, a.timeBonus())
	return t
}

// timeBonus returns the modifier for the minutes taken. EP-24
func (a Test) timeBonus() Part { return Part{Why: "time", N: 10 * a.Time} }

// playTest makes a test at the table: the throw, a point that may change it, and the effects of a
// superior or critical result.
func playTest(r *rule.Run, s game.Scene, a Test) rule.Outcome {
	s = game.Lend(r, s)
	a = a.askLeave(r, s)
	if a.Apart {
		return playApart(r, s, a)
	}
	t := attemptOf(s, a.Roll, a.aim(s))
	done, asked := perform(r, s, t)
	r.Record(game.Resolved{Who: s.Actor, Outcome: done.result.outcome()})
	if !asked {
		offerTurns(r, s, t, done, t.turns(done, rulesOf(s)), Later{On: a.On})
	}
	follow(r, s, s.Actor, Effects{On: a.On}, done.result)
	if !done.result.isSuccess() { // EP-19
		offerWaiver(r, s.Actor, "")
	}
	return done.result.outcome()
}

// askLeave returns the test with the parts that the GM allows. EP-05, EP-16
func (a Test) askLeave(r *rule.Run, s game.Scene) Test {
	var ok bool
	minutes := 0
	if isLoose(s, "time") { // EP-24
		minutes = a.Time
	}
	if a.Roll, ok = a.Roll.askLeave(r, s, AboutLeave{Modifier: 10 * minutes}); !ok {
		a.Time -= minutes
	}
	own := a.Roll
	if a.Apart { // EP-08: the point is the actor's alone
		own.Group = nil
	}
	paid := own.withoutIdlePoint(s, a.timeBonus())
	a.Boost, a.Ignore = paid.Boost, paid.Ignore
	return a
}

// apart returns the test of one member of a group in which each rolls: modifiers about all of them
// apply to each; points, helpers and lasting effects only to the actor. A member without the skill
// defaults to its aptitude. EP-08, EP-15
func (a Test) apart(s game.Scene, who string) (game.Scene, Test, error) {
	hero, _ := sheetOf(s, s.Actor)
	if _, err := a.footing(hero); err != nil {
		return s, a, err
	}
	tested, _ := hero.stand(a.On)
	if a.Group = nil; who == s.Actor {
		return s, a, nil
	}
	s.Actor = who
	c, ok := sheetOf(s, who)
	if !ok {
		return s, a, refuseName("EP-08", "eclipse.refusal.twice", s, who)
	}
	a.Roll = Roll{
		On: a.On, Difficulty: a.Difficulty, Situation: a.Situation, Retries: a.Retries, Missing: a.Missing,
		Defaulting: a.Defaulting, Related: a.Related, Distance: a.Distance, Trained: a.Trained, Health: a.Health,
		Also: a.Also,
	}
	if _, err := a.footing(c); err != nil {
		if tested.closed || a.Trained { // EP-16
			return s, a, refuseName("EP-16", "eclipse.refusal.member-no-default", s, who)
		}
		a.On, a.Defaulting, a.Missing = "lacking:"+tested.aptitude, "", form.Trait(skillOf(a.On))
	}
	return s, a, nil
}

// allowApart refuses a group in which somebody's test would be forbidden. EP-08
func (a Test) allowApart(s game.Scene) error {
	for _, who := range append([]string{s.Actor}, form.IDs(a.Group...)...) {
		own, test, err := a.apart(s, who)
		if err == nil {
			err = allowRoll(own, test.Roll, test.timeBonus())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// playApart makes a separate test for each member of a group; the move has the actor's outcome.
// EP-08
func playApart(r *rule.Run, s game.Scene, a Test) rule.Outcome {
	var parts []func(*rule.Run) result
	for _, who := range append([]string{s.Actor}, form.IDs(a.Group...)...) {
		parts = append(parts, func(r *rule.Run) result {
			own, test, _ := a.apart(game.Lend(r, s), who)
			r.SetRoller(who)
			t := attemptOf(own, test.Roll, test.aim(own))
			done, asked := perform(r, own, t)
			r.Record(CameOut{Who: who, Roll: done.roll, Outcome: done.result.id()})
			if !asked {
				offerTurns(r, own, t, done, t.turns(done, rulesOf(s)), Later{On: test.On})
			}
			follow(r, own, who, Effects{On: test.On}, done.result)
			return done.result
		})
	}
	own := rule.Together(r, parts...)[0]
	r.Record(game.Resolved{Who: s.Actor, Outcome: own.outcome()})
	if !own.isSuccess() { // EP-19
		offerWaiver(r, s.Actor, "")
	}
	return own.outcome()
}

// attempt is one character's throw, with what was paid before it.
type attempt struct {
	aim
	who     string // "" for a number without a character
	paid    string // "boost", "ignore", or "" for nothing
	pool    string // the pool that pays
	contest bool   // EP-18: a higher roll has a value
}

func attemptOf(s game.Scene, a Roll, t aim) attempt {
	at := attempt{aim: t, who: s.Actor}
	switch {
	case a.Boost:
		at.paid = "boost"
	case a.Ignore:
		at.paid = "ignore"
	default:
		return at
	}
	hero, _ := sheetOf(s, s.Actor)
	at.pool, _ = hero.pays(t.footing, a.Pool)
	return at
}

// rolled is a roll with its result.
type rolled struct {
	roll   int
	result result
}

// perform makes one character's test. It asks for a point after the roll where that can't be offered
// later, and reports whether it did: it's one point a test. EP-20
func perform(r *rule.Run, s game.Scene, t attempt) (done rolled, asked bool) {
	done = throwTest(r, s, t)
	if asksPoint(s, done.result) {
		return turn(r, s, t, done, t.turns(done, rulesOf(s)), nil), true
	}
	return done, false
}

// throwTest throws for one character's test, including payments before the roll. EP-20
func throwTest(r *rule.Run, s game.Scene, t attempt) rolled {
	hero, _ := sheetOf(s, t.who)
	r.Record(t.targetSet(s))
	if t.next { // EP-13, EP-14: used once
		s.Record(r, NextUsed{Who: t.who, N: hero.next(), Hidden: unseen(s, t.who)})
	}
	if t.paid != "" {
		s.Record(r, hero.spend(s, t.who, t.pool, 1, t.paid))
	}
	roll := throwRoll(r)
	return rolled{roll, read(roll, t.target, t.lesser())}
}

// targetSet returns the event with a test's target, for before the throw.
func (t attempt) targetSet(s game.Scene) TargetSet {
	e := TargetSet{
		Who: t.who, Whose: t.whose, On: t.on, Base: t.base, Parts: t.parts, Sum: t.sum, Counts: t.counts,
		Ignored: t.ignored, Overall: t.overall, Defaulted: t.defaulted, Instead: t.instead, Missing: t.missing,
		Target: t.target,
	}
	e.Hidden = unseen(s, t.who) || unseen(s, t.whose)
	return e
}

// cast returns the other characters whose sheets a roll reads.
func (a Roll) cast() []string {
	return slices.Concat(form.IDs(a.With...), form.IDs(a.Group...), a.bearers())
}

// fitRoll offers what is on the sheet, lasting effects, and other characters as helpers or as a
// group.
func fitRoll(s game.Scene, f *form.Form) *form.Form {
	hero, ok := sheetOf(s, s.Actor)
	if !ok {
		return f
	}
	companions := s.Others("character", "npc")
	if !slices.ContainsFunc(s.IDs(), func(who string) bool { // nobody has wounds that could count
		c, _ := sheetOf(s, who)
		return len(c.health()) > 0 && (who == s.Actor || s.Cast[who].Kind == "character")
	}) {
		f = f.With("health", form.Option{})
	}
	return f.Offering(form.Choices{
		"on": hero.testOptions(), "related": append([]form.Option{{}}, hero.skillOptions()...),
		"carried": carriedFor(s), "with": companions, "group": companions,
	})
}

// professional is the value from which everyday work needs no test. EP-07
const professional = 40

// Routine holds the arguments of the move that records everyday work by somebody who is good at it.
// EP-07
type Routine struct {
	On   string `json:"on" form:"choice,required"`
	Text string `json:"text" form:"prose"`
}

var routineMove = game.Define(game.MoveSpec[Routine]{
	ID: "routine", AtTable: true, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "happens", Tone: game.Neutral}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		return f.With("on", hero.skillOptions()...)
	},
	Allow: func(s game.Scene, a Routine) error {
		hero, _ := sheetOf(s, s.Actor)
		if skill, _ := hero.skill(skillOf(a.On)); skill.Value < professional { // EP-07
			return game.Refuse("EP-07", "eclipse.refusal.not-professional")
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Routine) rule.Outcome {
		r.Record(Managed{Who: s.Actor, On: a.On, Text: a.Text})
		return rule.Outcome{ID: "happens"}
	},
})
