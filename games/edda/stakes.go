package edda

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Stakes is Fate's answer about what is set before the throw of an action. ED-04
type Stakes struct {
	Agree      bool       `json:"agree" form:"default=true"`
	Strengths  []form.Ref `json:"strengths" form:"max=40,at=strengths"`
	Bonus      int        `json:"bonus" form:"min=-20,max=20"`
	Complexity int        `json:"complexity" form:"max=99,default=1"`
	Each       int        `json:"each" form:"min=1,max=9,default=1"`
	Attempts   int        `json:"attempts" form:"min=1,max=9,default=1"`
	AddUp      bool       `json:"add-up"`
	Time       string     `json:"time" form:"text,for=agree"`
}

var stakesForm = form.Of[Stakes]()

// staked holds pointers to what Fate may set of a move in addition to its strengths and dice. What
// the move lacks is nil.
type staked struct {
	complexity, each, attempts *int
	addUp                      *bool
	time                       *string
}

// open returns the names of the numbers of the action that Fate hasn't set yet by a call. ED-04
func (set staked) open(s game.Scene, who string, a Action) []string {
	var open []string
	add := func(name string, usual bool) {
		if who != s.Actor || !s.Ruled.Set(name, usual) {
			open = append(open, name)
		}
	}
	add("bonus", a.Bonus == 0)
	if set.complexity != nil {
		add("complexity", *set.complexity == 1) // 0 is also a number
	}
	if set.each != nil {
		add("each", *set.each <= 1)
	}
	if set.attempts != nil {
		add("attempts", *set.attempts <= 1)
		add("add-up", !*set.addUp)
		add("time", *set.time == "")
	}
	return open
}

// isCalledFor reports whether Fate called for the action, so that it needs no second question: only
// what its player leaves out is for Fate to judge. ED-04, ED-13
func isCalledFor(s game.Scene, about AboutAction) bool {
	return about.Who == s.Actor && (s.Ruled.All || s.Ruled.Asked && len(about.Left) == 0)
}

// confirm asks Fate to set or confirm an action in one question, and returns whether Fate agrees.
// ED-04
func (set staked) confirm(r *rule.Run, s game.Scene, a *Action, about func() AboutAction, sealed bool) bool {
	open := set.open(s, about().Who, *a)
	if len(open) == 0 && isCalledFor(s, about()) {
		return true
	}
	given := Stakes{Agree: true, Strengths: a.Strengths, Bonus: a.Bonus}
	if set.complexity != nil {
		given.Complexity = *set.complexity
	}
	if set.each != nil {
		given.Each = max(1, *set.each)
	}
	if set.attempts != nil {
		given.Attempts, given.AddUp, given.Time = max(1, *set.attempts), *set.addUp, *set.time
	}
	fate := rule.AskAnew(r, func() rule.Question[Stakes] {
		hero, _ := game.Sheet[Hero](s, about().Who)
		strengths, faded, _ := hero.strengthOptions()
		return rule.Question[Stakes]{
			ID: "edda.stakes", To: game.GM, Standard: given, About: about(), Sealed: sealed,
			Form:  stakesForm.With("strengths", append(strengths, faded...)...).Only(append(open, "agree", "strengths")...),
			Check: func(fate Stakes) error { return hero.allow(Action{Strengths: fate.Strengths, Fade: a.Fade}) },
		}
	})
	a.Strengths = fate.Strengths
	for _, name := range open {
		switch name {
		case "bonus":
			a.Bonus = fate.Bonus
		case "complexity":
			*set.complexity = fate.Complexity
		case "each":
			*set.each = fate.Each
		case "attempts":
			*set.attempts = fate.Attempts
		case "add-up":
			*set.addUp = fate.AddUp
		case "time":
			*set.time = fate.Time
		}
	}
	return fate.Agree
}

// tell records what Fate has set, unless it's the default. It does so after the throw, because
// otherwise the question about the special effort would reveal the verdict. ED-04, ED-15
func (set staked) tell(r *rule.Run, who string) {
	e := FateSet{Who: who}
	usual := true
	if set.complexity != nil {
		e.Complexity = *set.complexity
		usual = e.Complexity == 1
	}
	if set.each != nil && *set.each > 1 {
		e.Each = *set.each
	}
	if set.attempts != nil {
		e.Time = *set.time
		if *set.attempts > 1 {
			e.Attempts, e.AddUp = *set.attempts, *set.addUp
		}
	}
	if !usual || e.Each > 0 || e.Attempts > 0 || e.Time != "" {
		r.Record(e)
	}
}
