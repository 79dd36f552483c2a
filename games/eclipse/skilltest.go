package eclipse

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Test is a throw to get something done where it may go either way.
type Test struct {
	Plain
	Roll
	Time int `json:"time" form:"max=6,table"` // EP-24: minutes taken beyond what is needed
}

var testMove = game.Define(game.Of[Test]{
	ID: "test", Bare: true, AtTable: true, Kinds: []string{"character", "npc"},
	Outcomes: testOutcomes, Headlines: testHeadlines, Aims: []game.Aim{bestResult},
	Cast: func(_ game.Scene, a Test) []string { return a.cast() },
	Fit:  fitRoll,
	Allow: func(s game.Scene, a Test) error {
		if s.Actor == "" {
			return tens(a.Modifier)
		}
		return allowRoll(s, a.Roll, a.unhurried())
	},
	Price: func(r *rule.Run, s game.Scene, a Test) rule.Outcome {
		t := attempt{aim: a.aim(s)}
		if a.late {
			return throwBettered(r, t, rulesOf(s)).outcome()
		}
		return throwResult(r, t.target, t.defaulted).outcome()
	},
	Play:     playTest,
	Mark:     func(_ Test, t rule.Thrown) []game.Mark { return markRoll(t) },
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
	t, _ := aimOf(s, a.Roll, a.unhurried())
	return t
}

// unhurried is what the minutes taken are worth. EP-24
func (a Test) unhurried() Part { return Part{Why: "time", N: 10 * a.Time} }

// playTest is the whole of a test at the table: the throw, the point that may
// turn it, and what a superior or critical result brings.
func playTest(r *rule.Run, s game.Scene, a Test) rule.Outcome {
	done := perform(r, s, attemptOf(s, a.Roll, a.aim(s)))
	r.Tell(game.Resolved{Who: s.Actor, Outcome: done.result.outcome()})
	follow(r, s, s.Actor, a.On, done.result, false)
	return done.result.outcome()
}

// attempt is one character's throw, with what was paid before it.
type attempt struct {
	aim
	who     string // "" for a number without a character
	paid    string // "boost", "ignore" or "" for nothing
	pool    string // that pays
	contest bool   // a higher roll is worth something: EP-18
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

// rolled is a roll and how it came out.
type rolled struct {
	roll   int
	result result
}

// perform throws one character's test and lets a point turn it.
func perform(r *rule.Run, s game.Scene, t attempt) rolled {
	return turn(r, s, t, throwTest(r, s, t), nil)
}

// throwTest throws one character's test, with what is paid for it before. EP-20
func throwTest(r *rule.Run, s game.Scene, t attempt) rolled {
	hero, _ := sheetOf(s, t.who)
	r.Tell(t.told(s))
	if t.next { // EP-13, EP-14: it counts once
		r.Tell(NextUsed{Who: t.who, N: hero.next(), Hidden: unseen(s, t.who)})
	}
	if t.paid != "" {
		r.Tell(hero.spend(s, t.who, t.pool, 1, t.paid))
	}
	roll := throwRoll(r)
	return rolled{roll, read(roll, t.target, t.defaulted)}
}

// told says what a test is thrown against, before it's thrown.
func (t attempt) told(s game.Scene) TargetSet {
	e := TargetSet{
		Who: t.who, Whose: t.whose, On: t.on, Base: t.base, Parts: t.parts, Sum: t.sum, Counts: t.counts,
		Ignored: t.ignored, Overall: t.overall, Defaulted: t.defaulted, Instead: t.instead, Target: t.target,
	}
	e.Hidden = unseen(s, t.who) || unseen(s, t.whose)
	return e
}

// cast are the other characters that a roll reads.
func (a Roll) cast() []string {
	return slices.Concat(form.IDs(a.With...), form.IDs(a.Group...), a.bearers())
}

// fitRoll offers what is on the sheet, what earlier results left, and the others as helpers or as a group.
func fitRoll(s game.Scene, f *form.Form) *form.Form {
	hero, ok := sheetOf(s, s.Actor)
	if !ok {
		return f
	}
	companions := s.Others("character", "npc")
	if !slices.ContainsFunc(s.IDs(), func(who string) bool { // nobody's wounds can count
		c, _ := sheetOf(s, who)
		return len(c.health()) > 0 && (who == s.Actor || s.Cast[who].Kind == "character")
	}) {
		f = f.With("health", form.Option{})
	}
	return f.Offering(form.Choices{
		"on": hero.tested(), "related": append([]form.Option{{}}, hero.skillOptions()...), "carried": carriedFor(s), "with": companions, "group": companions,
	})
}

// professional is the value from which everyday work needs no test. EP-07
const professional = 40

// Routine records everyday work of somebody who is good at it. EP-07
type Routine struct {
	On   string `json:"on" form:"choice,required"`
	Text string `json:"text" form:"prose"`
}

var routineMove = game.Define(game.Of[Routine]{
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
		r.Tell(Managed{Who: s.Actor, On: a.On, Text: a.Text})
		return rule.Outcome{ID: "happens"}
	},
})
