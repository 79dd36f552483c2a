package eclipse

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Opposed holds the arguments of an opposed test. EP-18
type Opposed struct {
	Target int      `json:"target" form:"min=-60,max=160,default=50,bare"`
	Rival  form.Ref `json:"against" form:"table"`
	// AgainstOn is the defence that the other side will probably use. Odds take its value from the
	// sheet if it's visible, and it's the other side's default.
	AgainstOn string `json:"against-on" form:"choice,table"`
	// AgainstTarget is the other side's target if it has no sheet, and the assumption of odds if
	// its sheet isn't visible.
	AgainstTarget int `json:"against-target" form:"min=-60,max=160,default=50"`
	Roll
}

var opposedMove = game.Define(game.MoveSpec[Opposed]{
	ID: "opposed", Bare: true, AtTable: true, Ends: offersEnd, Kinds: []string{"character", "npc"},
	Outcomes:  opposedOutcomes,
	Headlines: []game.Headline{{ID: "win", Outcomes: []string{"win"}}},
	Cast: func(_ game.Scene, a Opposed) []string {
		cast := a.cast()
		if a.Rival != "" {
			cast = append(cast, string(a.Rival))
		}
		return cast
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return fitRoll(s, f).With("against", s.Others("character", "npc")...).With("against-on", opposing...)
	},
	Allow: func(s game.Scene, a Opposed) error {
		if s.Actor == "" {
			return nil
		}
		if a.Rival != "" && (s.Cast[string(a.Rival)].Kind == "task" || string(a.Rival) == s.Actor ||
			slices.Contains(a.With, a.Rival) || slices.Contains(a.Group, a.Rival)) {
			return refuseName("EP-18", "eclipse.refusal.both-sides", s, string(a.Rival))
		}
		return allowRoll(s, a.Roll)
	},
	Ready: readyOpposed,
	Play:  playOpposed,
	Mark:  func(_ Opposed, t rule.Throw) []game.Mark { return markRoll(t) },

	Sources: opposedSources, Variants: opposedVariants,
	Strip: func(s game.Scene, a Opposed) Opposed {
		a.Target, a.AgainstTarget = a.own(s).target, a.rival(s).target
		return a
	},
})

// own returns the acting side's target.
func (a Opposed) own(s game.Scene) aim {
	if s.Actor == "" {
		return aimAt(footing{base: a.Target}, false, nil)
	}
	t, _ := aimOf(s, a.Roll)
	return t
}

// opposing are the options for what anybody may oppose with. They don't depend on the sheet, which
// they would reveal.
var opposing = func() []form.Option {
	options := []form.Option{{}}
	for _, skill := range []string{
		"athletics", "deceive", "fray", "free-fall", "guns", "hardware", "infiltrate", "infosec", "interface",
		"kinesics",
		"medicine", "melee", "perceive", "persuade", "pilot", "program", "provoke", "psi", "research", "survival",
	} {
		options = append(
			options,
			form.Option{Value: "skill:" + skill, Word: "eclipse.skill." + skill, Group: "eclipse.field.skills"},
		)
	}
	return append(options, checkOptions()...)
}()

// rival returns the other side's target for odds: by its sheet if it's visible, otherwise the given
// number.
func (a Opposed) rival(s game.Scene) aim {
	own := s
	own.Actor = string(a.Rival)
	if c, seen := sheetOf(s, own.Actor); seen {
		if f, ok := c.stand(a.AgainstOn); ok && !f.lacks() {
			t, _ := aimOf(own, Defence{On: a.AgainstOn, Situation: "even"}.roll())
			return t
		}
	}
	return aimAt(footing{on: "number", base: a.AgainstTarget}, false, nil)
}

// standing returns a number that ranks the rolls of two sides: the higher one wins, and equal ones
// are a draw. If the setting says that the higher roll wins, failures are ranked, too, and equal
// rolls by the skill; a critical failure never wins. EP-18
func standing(x rolled, skill, rivals int, rules Settings) int {
	higher := rules.Deadlock == "higher"
	stands := 0
	switch {
	case x.result == criticalSuccess:
		stands = 200 + x.roll
	case x.result.isSuccess():
		stands = 100 + x.roll
	case x.result == criticalFailure || !higher:
		return -1
	default:
		stands = x.roll
	}
	stands *= 2
	if higher && skill > rivals {
		stands++
	}
	return stands
}

// judge returns who wins by standings. EP-18
func judge(own, other int) verdict {
	switch {
	case own > other:
		return won
	case own < other:
		return lost
	}
	return deadlocked
}

// verdict is the result of an opposed test for the acting side.
type verdict uint8

const (
	won verdict = iota
	deadlocked
	lost
)

var opposedOutcomes = []game.OutcomeKind{
	won:        {ID: "win", Tone: game.Good},
	deadlocked: {ID: "deadlock", Tone: game.Mixed},
	lost:       {ID: "lose", Tone: game.Bad},
}

func (x verdict) outcome() rule.Outcome { return rule.Outcome{ID: opposedOutcomes[x].ID} }

// readyOpposed returns the rule for odds, which depends only on how the two standings compare.
// EP-18
func readyOpposed(s game.Scene, a Opposed) func(*rule.Run) rule.Outcome {
	t, rival, rules := a.own(s), a.rival(s), rulesOf(s)
	stands := func(standing func(roll int) int) func(*rule.Run) int {
		step := func(_, face, _ int) int { return standing(rollOf(face)) }
		return func(r *rule.Run) int { return rule.Fold(r, d100, 0, step) }
	}
	own := stands(func(roll int) int {
		done := rolled{roll, read(roll, t.target, t.lesser())}
		if a.late {
			done = attempt{aim: t, contest: true}.bestWithPoint(done, rules)
		}
		return standing(done, t.base, rival.base, rules)
	})
	other := stands(func(roll int) int {
		return standing(rolled{roll, read(roll, rival.target, rival.lesser())}, rival.base, t.base, rules)
	})
	return func(r *rule.Run) rule.Outcome { return judge(rule.Against(r, own, other), 0).outcome() }
}

// Defence is the other side's answer about what it opposes with.
type Defence struct {
	On          string     `json:"on" form:"choice,set=defence"` // "" uses the given number
	Situation   string     `json:"situation" form:"choice=major-boon|moderate-boon|minor-boon|even|minor-hindrance|moderate-hindrance|major-hindrance,default=even"`
	Carried     []form.Ref `json:"carried" form:"max=6"` // EP-13
	Boost       bool       `json:"boost"`
	Ignore      bool       `json:"ignore"`
	Pool        string     `json:"pool" form:"choice=|insight|moxie|vigor|flex"`
	Specialised bool       `json:"specialised"`
	Health      string     `json:"health" form:"choice=|overall"` // EP-05
	Also        []Modifier `json:"also" form:"max=6"`
}

// roll returns a defence as a roll.
func (d Defence) roll() Roll {
	return Roll{
		On: d.On, Difficulty: "average", Situation: d.Situation, Boost: d.Boost, Ignore: d.Ignore, Pool: d.Pool,
		Specialised: d.Specialised, Carried: d.Carried, Health: d.Health, Also: d.Also,
	}
}

// usualTarget is the default target of somebody without a sheet.
const usualTarget = 50

// askLeave returns the contest with the parts that the GM allows. EP-05, EP-16
func (a Opposed) askLeave(r *rule.Run, s game.Scene) Opposed {
	var ok bool
	var own AboutLeave
	if _, there := sheetOf(s, string(a.Rival)); !there && a.AgainstTarget != usualTarget &&
		isLoose(s, "against-target") {
		own.Target = form.NewNumber(a.AgainstTarget)
	}
	if a.Roll, ok = a.Roll.askLeave(r, s, own); !ok && !own.Target.IsZero() {
		a.AgainstTarget = usualTarget
	}
	return a
}

// playOpposed asks both sides for their choices before any throw, throws for both in parallel, then
// asks for points with both rolls visible, and finally applies the effects of the winner's success
// and of failures. EP-18
func playOpposed(r *rule.Run, s game.Scene, a Opposed) rule.Outcome {
	a = a.askLeave(r, s)
	own, other := attemptOf(s, a.Roll, a.own(s)), oppose(r, s, a)
	own.contest, other.contest = true, true
	sides := rule.Together(r,
		func(r *rule.Run) rolled { return throwTest(r, s, own) },
		func(r *rule.Run) rolled {
			r.SetRoller(other.who)
			return throwTest(r, s, other)
		},
	)
	mine, theirs := sides[0], sides[1]
	mine = turn(r, s, own, mine, &Rival{Who: other.who, Roll: theirs.roll, Outcome: theirs.result.id()})
	theirs = turn(r, s, other, theirs, &Rival{Who: own.who, Roll: mine.roll, Outcome: mine.result.id()})
	rules := rulesOf(s)
	end := judge(standing(mine, own.base, other.base, rules), standing(theirs, other.base, own.base, rules))
	r.Record(
		CameOut{Who: own.who, Roll: mine.roll, Outcome: mine.result.id()},
		CameOut{Who: other.who, Roll: theirs.roll, Outcome: theirs.result.id()},
		game.Resolved{Who: s.Actor, Outcome: end.outcome()},
	)
	after := func(t attempt, x result, winner bool) func(*rule.Run) int {
		return func(r *rule.Run) int {
			if x.isSuccess() && !winner {
				return 0
			}
			r.SetRoller(t.who)
			return follow(r, s, t.who, Effects{On: t.on}, x)
		}
	}
	rule.Together(r, after(own, mine.result, end == won), after(other, theirs.result, end == lost))
	return end.outcome()
}

// oppose asks the other side what it opposes with; without a sheet it uses the given number. EP-18
func oppose(r *rule.Run, s game.Scene, a Opposed) attempt {
	number := attempt{who: string(a.Rival), aim: aimAt(footing{on: "number", base: a.AgainstTarget}, false, nil)}
	rival, ok := sheetOf(s, string(a.Rival))
	if !ok {
		return number
	}
	own := s
	own.Actor, own.Ruled = string(a.Rival), game.Ruled{} // the other side's player answers
	said := rule.Ask(r, rule.Question[Defence]{
		ID: "eclipse.defence", To: own.Actor, Form: defenceFormOf(own, rival),
		Standard: rival.defence(
			a.AgainstOn,
		), About: AboutOpposed{Who: own.Actor, By: s.Actor, On: a.On, N: a.AgainstTarget},
		Check: func(d Defence) error {
			if d.On == "" {
				return nil
			}
			return allowRoll(own, d.roll())
		},
	})
	if said.On == "" {
		return number
	}
	t, _ := aimOf(own, said.roll())
	return attemptOf(own, said.roll(), t)
}

// defenceFormOf returns the form with what is on the rival's sheet, and with the lasting effects
// that apply.
func defenceFormOf(s game.Scene, rival Character) *form.Form {
	f := form.Of[Defence]().Offering(
		form.Choices{"on": append([]form.Option{{}}, rival.testOptions()...), "carried": carriedFor(s)},
	)
	if len(rival.health()) == 0 {
		f = f.With("health", form.Option{})
	}
	if rival.spentOut() || quiet(s, s.Actor) {
		f = f.Without("boost").Without("ignore").Without("pool")
	}
	return f
}

// defence returns a character's default defence: what the acting side expected, if it's on the
// sheet.
func (c Character) defence(on string) Defence {
	if f, ok := c.stand(on); !ok || f.lacks() {
		on = ""
	}
	return Defence{On: on, Situation: "even"}
}
