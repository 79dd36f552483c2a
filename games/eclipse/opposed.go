package eclipse

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Opposed is a test of one against another. EP-18
type Opposed struct {
	Target int      `json:"target" form:"min=-60,max=160,default=50,bare"`
	Rival  form.Ref `json:"against" form:"table"`
	// AgainstTarget is the other side's target where it has no sheet, and what
	// odds assume until it has said what it opposes with.
	AgainstTarget int `json:"against-target" form:"min=-60,max=160,default=50"`
	Roll
}

var opposedMove = game.Define(game.Of[Opposed]{
	ID: "opposed", Bare: true, AtTable: true, Kinds: []string{"character", "npc"},
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
		return fitRoll(s, f).With("against", s.Others("character", "npc")...)
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
	Mark:  func(_ Opposed, t rule.Thrown) []game.Mark { return markRoll(t) },

	Sources: opposedSources, Variants: opposedVariants,
})

// own is what the acting side throws against.
func (a Opposed) own(s game.Scene) aim {
	if s.Actor == "" {
		return aimed(footing{base: a.Target}, false, nil)
	}
	t, _ := aimOf(s, a.Roll)
	return t
}

// standing orders what two sides rolled: the higher one wins. EP-18
func standing(x rolled, rules Settings) int {
	switch {
	case x.result == criticalSuccess:
		return 200 + x.roll
	case x.result.succeeded():
		return 100 + x.roll
	case rules.Deadlock == "higher": // the GM's choice: failures are compared too
		return x.roll
	}
	return 0
}

// judge tells who wins by standings, and where those are equal by the skills
// if the table lets the higher one win. EP-18
func judge(own, other, ownSkill, otherSkill int, rules Settings) verdict {
	if own == other && rules.Deadlock == "higher" {
		own, other = ownSkill, otherSkill
	}
	switch {
	case own > other:
		return won
	case own < other:
		return lost
	}
	return deadlocked
}

// verdict is how an opposed test ends for the acting side.
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

// readyOpposed sees two sides only through how their standings compare. EP-18
func readyOpposed(s game.Scene, a Opposed) func(*rule.Run) rule.Outcome {
	t, rules := a.own(s), rulesOf(s)
	stands := func(standing func(roll int) int) func(*rule.Run) int {
		step := func(_, face, _ int) int { return standing(rollOf(face)) }
		return func(r *rule.Run) int { return rule.Fold(r, d100, 0, step) }
	}
	own := stands(func(roll int) int {
		done := rolled{roll, read(roll, t.target, t.defaulted)}
		if a.late {
			done = attempt{aim: t, contest: true}.bettered(done, rules)
		}
		return standing(done, rules)
	})
	other := stands(func(roll int) int {
		return standing(rolled{roll, read(roll, a.AgainstTarget, false)}, rules)
	})
	return func(r *rule.Run) rule.Outcome {
		return judge(rule.Against(r, own, other), 0, t.base, a.AgainstTarget, rules).outcome()
	}
}

// Defence is what the other side opposes with.
type Defence struct {
	On          string     `json:"on" form:"choice,set=defence"` // "" is the number that was named
	Situation   string     `json:"situation" form:"choice=major-boon|moderate-boon|minor-boon|even|minor-hindrance|moderate-hindrance|major-hindrance,default=even"`
	Boost       bool       `json:"boost"`
	Ignore      bool       `json:"ignore"`
	Pool        string     `json:"pool" form:"choice=|insight|moxie|vigor|flex"`
	Specialised bool       `json:"specialised"`
	Also        []Modifier `json:"also" form:"max=6"`
}

var defenceForm = form.Of[Defence]()

// roll is a defence as a roll of its own.
func (d Defence) roll() Roll {
	return Roll{
		On: d.On, Difficulty: "average", Situation: d.Situation, Boost: d.Boost, Ignore: d.Ignore, Pool: d.Pool,
		Specialised: d.Specialised, Also: d.Also,
	}
}

// side is what one side of an opposed test came to.
type side struct {
	result   result
	standing int
	skill    int
}

// playOpposed throws both sides next to each other, each with its own
// questions, and then lets the winner's success and every failure have their
// effects. EP-18
func playOpposed(r *rule.Run, s game.Scene, a Opposed) rule.Outcome {
	sides := rule.Together(r,
		func(r *rule.Run) side { return contest(r, s, attemptOf(s, a.Roll, a.own(s))) },
		func(r *rule.Run) side { return oppose(r, s, a) },
	)
	own, other := sides[0], sides[1]
	end := judge(own.standing, other.standing, own.skill, other.skill, rulesOf(s))
	r.Tell(game.Resolved{Who: s.Actor, Outcome: end.outcome()})
	after := func(who string, x result, winner bool) func(*rule.Run) int {
		return func(r *rule.Run) int {
			if x.succeeded() && !winner {
				return 0
			}
			r.By(who)
			return follow(r, s, who, x, false)
		}
	}
	rule.Together(r,
		after(s.Actor, own.result, end == won),
		after(string(a.Rival), other.result, end == lost),
	)
	return end.outcome()
}

// contest throws one side.
func contest(r *rule.Run, s game.Scene, t attempt) side {
	t.contest = true
	done := perform(r, s, t)
	r.Tell(CameOut{Who: t.who, Roll: done.roll, Outcome: done.result.id()})
	return side{result: done.result, standing: standing(done, rulesOf(s)), skill: t.base}
}

// oppose lets the other side say what it opposes with, and throws it. EP-18
func oppose(r *rule.Run, s game.Scene, a Opposed) side {
	r.By(string(a.Rival))
	number := attempt{who: string(a.Rival), aim: aimed(footing{on: "number", base: a.AgainstTarget}, false, nil)}
	rival, ok := sheetOf(s, string(a.Rival))
	if !ok {
		return contest(r, s, number)
	}
	own := s
	own.Actor = string(a.Rival)
	asked := defenceForm.With("on", append([]form.Option{{}}, rival.tested()...)...)
	if rival.spentOut() || quiet(s, own.Actor) {
		asked = asked.Without("boost").Without("ignore").Without("pool")
	}
	said := rule.Ask(r, rule.Question[Defence]{
		ID: "eclipse.defence", To: own.Actor, Form: asked,
		Standard: Defence{Situation: "even"}, About: AboutOpposed{Who: own.Actor, By: s.Actor, On: a.On, N: a.AgainstTarget},
		Check: func(d Defence) error {
			if d.On == "" {
				return nil
			}
			return allowRoll(own, d.roll())
		},
	})
	if said.On == "" {
		return contest(r, s, number)
	}
	t, _ := aimOf(own, said.roll())
	return contest(r, s, attemptOf(own, said.roll(), t))
}
