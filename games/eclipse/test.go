package eclipse

import (
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
		return allowRoll(s, a.Roll)
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
})

func (a Test) aim(s game.Scene) aim {
	if s.Actor == "" {
		t, _ := aimPlain(a.Plain)
		return t
	}
	t, _ := aimOf(s, a.Roll, Part{Why: "time", N: 10 * a.Time}) // EP-24
	return t
}

// playTest is the whole of a test at the table: the throw, the point that may
// turn it, and what a superior or critical result brings.
func playTest(r *rule.Run, s game.Scene, a Test) rule.Outcome {
	done := perform(r, s, attemptOf(s, a.Roll, a.aim(s)))
	r.Tell(game.Resolved{Who: s.Actor, Outcome: done.result.outcome()})
	follow(r, s, s.Actor, done.result, false)
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

// perform throws one character's test and lets a point turn it. Whoever helps
// can't spend any: the question goes to who rolls. EP-17
func perform(r *rule.Run, s game.Scene, t attempt) rolled {
	hero, there := sheetOf(s, t.who)
	r.Tell(t.told(s))
	if t.next { // EP-13, EP-14: it counts once
		r.Tell(NextUsed{Who: t.who, N: hero.next(), Hidden: unseen(s, t.who)})
	}
	if t.paid != "" {
		r.Tell(hero.spend(s, t.who, t.pool, 1, t.paid))
	}
	done := rolled{roll: throwRoll(r)}
	done.result = read(done.roll, t.target, t.defaulted)
	if !there || t.paid != "" || quiet(s, t.who) { // EP-20: one point a test; EP-09
		return done
	}
	return turn(r, s, t, hero, done)
}

// told says what a test is thrown against, before it's thrown.
func (t attempt) told(s game.Scene) TargetSet {
	e := TargetSet{
		Who: t.who, Whose: t.whose, On: t.on, Base: t.base, Parts: t.parts, Sum: t.sum, Counts: t.counts,
		Ignored: t.ignored, Defaulted: t.defaulted, Target: t.target,
	}
	e.Hidden = unseen(s, t.who) || unseen(s, t.whose)
	return e
}

// cast are the other characters that a roll reads.
func (a Roll) cast() []string { return append(form.IDs(a.With...), form.IDs(a.Group...)...) }

// fitRoll offers what is on the sheet, and the others as helpers or as a group.
func fitRoll(s game.Scene, f *form.Form) *form.Form {
	hero, ok := sheetOf(s, s.Actor)
	if !ok {
		return f
	}
	companions := s.Others("character", "npc")
	return f.Offering(form.Choices{
		"on": hero.tested(), "related": append([]form.Option{{}}, hero.skillOptions()...), "with": companions, "group": companions,
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
