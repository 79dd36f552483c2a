package eclipse

import (
	"slices"
	"strings"

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
	// EP-17, EP-08: who helps the other side, and who acts as one with it
	AgainstWith  []form.Ref `json:"against-with" form:"max=9,table,beside=against"`
	AgainstGroup []form.Ref `json:"against-group" form:"max=9,table,beside=against"`
	Roll
}

// others returns the ids of the other side's people. EP-17
func (a Opposed) others() []string {
	all := form.IDs(append(slices.Clone(a.AgainstWith), a.AgainstGroup...)...)
	if a.Rival != "" {
		all = append(all, string(a.Rival))
	}
	return all
}

var opposedMove = game.Define(game.MoveSpec[Opposed]{
	ID: "opposed", Bare: true, AtTable: true, Ends: offersEnd, Kinds: []string{"character", "npc"},
	Outcomes:  opposedOutcomes,
	Headlines: []game.Headline{{ID: "win", Outcomes: []string{"win"}}},
	Cast: func(_ game.Scene, a Opposed) []string {
		return append(a.cast(), a.others()...)
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		others := s.Others("character", "npc")
		return fitRoll(s, f).With("against-on", opposing...).Offering(
			form.Choices{"against": others, "against-with": others, "against-group": others},
		)
	},
	Allow: func(s game.Scene, a Opposed) error {
		if s.Actor == "" {
			return nil
		}
		in := append([]string{s.Actor}, form.IDs(append(slices.Clone(a.With), a.Group...)...)...)
		for _, who := range a.others() {
			if s.Cast[who].Kind == "task" || slices.Contains(in, who) {
				return refuseName("EP-18", "eclipse.refusal.both-sides", s, who)
			}
			in = append(in, who)
		}
		if a.Rival == "" && len(a.others()) > 0 {
			return game.Refuse("EP-18", "eclipse.refusal.no-rival")
		}
		return allowRoll(s, a.Roll)
	},
	Ready: readyOpposed,
	Retry: func(_ game.Scene, a Opposed, f game.Failure) Opposed {
		a.Roll = a.retried(f)
		return a
	},
	Play: playOpposed,
	Mark: func(_ Opposed, t rule.Throw) []game.Mark { return markRoll(t) },

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
		if t, err := aimOf(own, a.defence(own, c).roll()); err == nil {
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
	On string `json:"on" form:"choice,set=defence"` // "": what is preset
	// EP-16, EP-17: not on the sheet
	Missing     form.Trait `json:"missing,omitempty" form:"choice=athletics|deceive|exotic|fray|free-fall|guns|hardware|infiltrate|infosec|interface|kinesics|medicine|melee|perceive|persuade|pilot|program|provoke|psi|research|survival|know,open,worded,set=skill,beside=on:lacking:cog|lacking:int|lacking:ref|lacking:sav|lacking:som|lacking:wil"`
	Situation   string     `json:"situation" form:"choice=major-boon|moderate-boon|minor-boon|even|minor-hindrance|moderate-hindrance|major-hindrance,default=even"`
	Carried     []form.Ref `json:"carried" form:"max=6"` // EP-13
	Boost       bool       `json:"boost"`
	Ignore      bool       `json:"ignore"`
	Pool        string     `json:"pool" form:"choice=|insight|moxie|vigor|flex"`
	Specialised bool       `json:"specialised"`
	Health      string     `json:"health" form:"choice=|overall"` // EP-05
	Also        []Modifier `json:"also" form:"max=6"`
	With        []form.Ref `json:"with" form:"max=9"`  // EP-17
	Group       []form.Ref `json:"group" form:"max=9"` // EP-08
	Hindered    bool       `json:"hindered" form:"beside=group"`
	Defaulting  string     `json:"defaulting" form:"choice=|aptitude|related"` // EP-15, EP-16
	Related     string     `json:"related" form:"choice,beside=defaulting:related"`
	Distance    string     `json:"distance" form:"choice=close|loose|far,beside=defaulting:related"`
}

// roll returns a defence as a roll.
func (d Defence) roll() Roll {
	return Roll{
		On: d.On, Missing: d.Missing, Difficulty: "average", Situation: d.Situation, Boost: d.Boost, Ignore: d.Ignore,
		Pool: d.Pool, Specialised: d.Specialised, Carried: d.Carried, Health: d.Health, Also: d.Also,
		With: d.With, Group: d.Group, Hindered: d.Hindered, Defaulting: d.Defaulting, Related: d.Related,
		Distance: d.Distance,
	}
}

// or returns the defence with what is preset instead of nothing.
func (d Defence) or(usual Defence) Defence {
	if d.On == "" {
		d.On = usual.On
	}
	return d
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
	s = game.Lend(r, s)
	a = a.askLeave(r, s)
	other := oppose(r, s, a)
	a.Roll = a.withoutIdlePoint(s)
	own := attemptOf(s, a.Roll, a.own(s))
	own.contest, other.contest = true, true
	sides := rule.Together(r,
		func(r *rule.Run) rolled { return throwTest(r, game.Lend(r, s), own) },
		func(r *rule.Run) rolled {
			r.SetRoller(other.who)
			return throwTest(r, game.Lend(r, s), other)
		},
	)
	mine, theirs := sides[0], sides[1]
	mine = contest{own, other}.turn(r, s, mine, theirs)
	theirs = contest{other, own}.turn(r, s, theirs, mine)
	end := contest{own, other}.judge(s, mine, theirs)
	r.Record(
		CameOut{Who: own.who, Roll: mine.roll, Outcome: mine.result.id()},
		CameOut{Who: other.who, Roll: theirs.roll, Outcome: theirs.result.id()},
	)
	if mine.roll == theirs.roll && mine.result == theirs.result && end != deadlocked {
		decided := SkillDecided{Who: own.who, Roll: mine.roll}
		if end == lost {
			decided.Who = other.who
		}
		r.Record(decided)
	}
	r.Record(game.Resolved{Who: s.Actor, Outcome: end.outcome()})
	after := func(of contest, fell, done, rivals rolled, winner bool) func(*rule.Run) int {
		return func(r *rule.Run) int {
			s := game.Lend(r, s)
			if done.result.isSuccess() && !winner {
				return 0
			}
			r.SetRoller(of.own.who)
			if !asksPoint(s, done.result) && done == fell { // EP-20: one point a test
				turns := slices.DeleteFunc(of.turns(s, done, rivals, false), func(u Turn) bool {
					return !winner && u.result.isSuccess()
				})
				offerTurns(r, s, of.own, done, turns, Later{On: of.own.on})
			}
			return follow(r, s, of.own.who, Effects{On: of.own.on}, done.result)
		}
	}
	rule.Together(r,
		after(contest{own, other}, sides[0], mine, theirs, end == won),
		after(contest{other, own}, sides[1], theirs, mine, end == lost))
	if end == lost { // EP-19
		offerWaiver(r, s.Actor, "")
	}
	return end.outcome()
}

// contest is an opposed test as one side sees it. EP-18
type contest struct{ own, other attempt }

// judge returns who wins.
func (c contest) judge(s game.Scene, mine, theirs rolled) verdict {
	rules := rulesOf(s)
	return judge(standing(mine, c.own.base, c.other.base, rules), standing(theirs, c.other.base, c.own.base, rules))
}

// turns returns the ways in which a point would change a side's roll: those that change who wins, or
// those that leave it as it is.
func (c contest) turns(s game.Scene, mine, theirs rolled, decides bool) []Turn {
	now := c.judge(s, mine, theirs)
	return slices.DeleteFunc(c.own.turns(mine, rulesOf(s)), func(u Turn) bool {
		changed := rolled{u.Roll, u.result}
		if decides {
			return c.judge(s, changed, theirs) >= now
		}
		return c.judge(s, changed, theirs) != now || changed.result >= mine.result
	})
}

// turn asks a side whether to spend a point that can change who wins. If asksPoint reports true, it
// may ask about other points, too. EP-18, EP-20
func (c contest) turn(r *rule.Run, s game.Scene, mine, theirs rolled) rolled {
	turns := c.turns(s, mine, theirs, true)
	if asksPoint(s, mine.result) && (c.judge(s, mine, theirs) == won || !mine.result.isSuccess()) {
		turns = append(turns, c.turns(s, mine, theirs, false)...)
	}
	return turn(r, s, c.own, mine, turns, &Rival{Who: c.other.who, Roll: theirs.roll, Outcome: theirs.result.id()})
}

// oppose asks the other side what it opposes with; without a sheet it uses the given number. EP-18
func oppose(r *rule.Run, s game.Scene, a Opposed) attempt {
	number := attempt{who: string(a.Rival), aim: aimAt(footing{on: "number", base: a.AgainstTarget}, false, nil)}
	if _, ok := sheetOf(s, string(a.Rival)); !ok {
		return number
	}
	own := s
	// the other side's player answers
	own.Actor, own.Ruled = string(a.Rival), game.Ruled{All: s.Cast[string(a.Rival)].Owner == ""}
	var usual Defence
	said := rule.AskAnew(r, func() rule.Question[Defence] {
		rival, _ := sheetOf(own, own.Actor)
		usual = a.defence(own, rival)
		return rule.Question[Defence]{
			ID: "eclipse.defence", To: own.Actor, Standard: usual,
			Fit:   func() *form.Form { return a.defenceForm(own, rival) },
			About: AboutOpposed{Who: own.Actor, By: s.Actor, On: a.On, Against: usual.On},
			Check: func(d Defence) error { return allowRoll(own, d.or(usual).roll()) },
		}
	}).or(usual)
	roll, _ := said.roll().askLeave(r, own, AboutLeave{})
	roll = roll.withoutIdlePoint(own)
	t, _ := aimOf(own, roll)
	return attemptOf(own, roll, t)
}

// defenceForm returns the form with what is on the rival's sheet, with the lasting effects that
// apply, and with the characters that the move names on the rival's side.
func (a Opposed) defenceForm(s game.Scene, rival Character) *form.Form {
	named := func(all []form.Ref) []form.Option {
		return game.Each(all, func(who form.Ref) form.Option {
			return form.Option{Value: string(who), Text: s.Cast[string(who)].Name}
		})
	}
	f := form.Of[Defence]().Offering(form.Choices{
		"on":      append([]form.Option{{Past: true}}, rival.testOptions()...),
		"related": append([]form.Option{{}}, rival.skillOptions()...),
		"carried": carriedFor(s), "with": named(a.AgainstWith), "group": named(a.AgainstGroup),
	})
	if len(a.AgainstWith) == 0 {
		f = f.Without("with")
	}
	if len(a.AgainstGroup) == 0 {
		f = f.Without("group").Without("hindered")
	}
	if len(rival.health()) == 0 {
		f = f.With("health", form.Option{})
	}
	if rival.spentOut() || quiet(s, s.Actor) {
		f = f.Without("boost").Without("ignore").Without("pool")
	}
	return f
}

// defence returns a character's default defence: what the acting side expected; else the same skill;
// else the best on the sheet, or the check of the best aptitude, with those who may help. s is the
// character's own. EP-17, EP-18
func (a Opposed) defence(s game.Scene, c Character) Defence {
	d := Defence{Situation: "even", Distance: "close", With: a.AgainstWith, Group: a.AgainstGroup}
	best := 0
	for _, o := range append(c.skillOptions(), checkOptions()...) {
		if f, ok := c.stand(o.Value); ok && !f.lacks() && f.kind != "know" && (f.base > best || d.On == "") &&
			(f.skill || !strings.HasPrefix(d.On, "skill:")) {
			d.On, best = o.Value, f.base
		}
	}
	for _, on := range []string{a.On, a.AgainstOn} {
		if f, ok := c.stand(on); ok && !f.lacks() && (on == a.AgainstOn || f.skill) {
			d.On = on
		}
	}
	d.With = d.roll().helpers(s)
	return d
}
