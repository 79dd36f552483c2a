package edda

import (
	"norn/game"
	"norn/rule"
)

// Act holds the arguments of an action to overcome an obstacle.
type Act struct {
	Deed
	Complexity int `json:"complexity" form:"max=30,default=1,fixed"` // ED-04
	Action
	Pool     int    `json:"pool" form:"min=-99,max=99,default=5,bare"`
	Attempts int    `json:"attempts" form:"min=1,max=9,default=1,table,rare,fixed"` // ED-04
	AddUp    bool   `json:"add-up" form:"table,rare"`                               // ED-04: adds the successes of all attempts
	Time     string `json:"time" form:"text,table,rare"`                            // ED-04: story time of one throw
	Effort   string `json:"effort" form:"choice=never|fiasco|always,rare"`          // assumed by odds
}

var actMove = game.Define(acting(game.MoveSpec[Act]{
	ID: "act", Bare: true, AtTable: true, Kinds: []string{"hero"},
	Outcomes: actOutcomes, Headlines: actHeadlines, Aims: actAims,
	Allow: func(s game.Scene, a Act) error { return allowAction(s, s.Actor, a.Action) },
	Price: func(r *rule.Run, s game.Scene, a Act) rule.Outcome {
		return outcomeOf(attempts(r, s, a.party(s).toss(s), a).hits, a.Complexity)
	},
	Play: playAct,
	Strip: func(s game.Scene, a Act) Act {
		a.Pool, a.Action = a.party(s).plain(s)
		return a
	},
}, func(a *Act) (*Action, *string) { return &a.Action, &a.Effort }))

var (
	actOutcomes = []game.OutcomeKind{
		{ID: "success", Counts: true, Tone: game.Good},
		{ID: "fiasco", Counts: true, Tone: game.Bad},
		{ID: "declined", Tone: game.Neutral},
	}
	actHeadlines = []game.Headline{{ID: "succeed", Outcomes: []string{"success"}}}
	actAims      = []game.Aim{{ID: "successes", Worth: func(o rule.Outcome) int64 { return int64(o.N) }}}
)

func (a Act) party(s game.Scene) party {
	return party{who: s.Actor, bare: a.Pool, plan: a.Action, label: "pool", assume: a.Effort, need: a.Complexity}
}

// outcomeOf returns the outcome of successes against a complexity: fewer are a fiasco. ED-04
func outcomeOf(hits, complexity int) rule.Outcome {
	if verdictOf(hits, complexity) == bad {
		return rule.Outcome{ID: "fiasco", N: hits}
	}
	return rule.Outcome{ID: "success", N: hits}
}

// playAct makes an action at the table.
func playAct(r *rule.Run, s game.Scene, a Act) rule.Outcome {
	s = game.Lend(r, s)
	set := staked{complexity: &a.Complexity, attempts: &a.Attempts, addUp: &a.AddUp, time: &a.Time}
	if !fateAgrees(r, s, s.Actor, a.Deed.Text, &a.Action, set, alone) {
		return decline(r, s)
	}
	p := a.party(s)
	got := attempts(r, s, p.begin(r, s), a)
	p.endCircumstances(r, s)
	result := outcomeOf(got.hits, a.Complexity)
	set.tell(r, s.Actor)
	resolve(r, s, result, a.Complexity)
	settle(r, s, s.Actor, p.share(got), verdictOf(got.hits, a.Complexity), lost{})
	return result
}

// resolve records the outcome of an action, and the circumstances that end. ED-04
func resolve(r *rule.Run, s game.Scene, result rule.Outcome, complexity int) {
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	if result.N > complexity {
		r.Record(Surplus{Who: s.Actor, N: result.N - complexity})
	}
}

// Again is the answer whether to try again after a fiasco. ED-04
type Again struct {
	Again bool `json:"again" form:"default=true"`
}

// tried is the result of one of several throws, and whether another one follows.
type tried struct {
	thrown
	again bool
}

// attempts throws until the complexity is reached, the attempts are used up, or the hero gives up
// or is out. Successes of several throws add up if Fate says so. The special effort is one for all
// throws, and a condition that paid for it counts in those that follow, as does a step that was
// bought meanwhile; a faded strength helps only the first one. ED-04, ED-11, ED-15, ED-19, ED-22
func attempts(r *rule.Run, s game.Scene, t toss, a Act) thrown {
	var paid Effort
	sum := 0
	for n := 1; ; n++ {
		got := rule.Part(r, func(r *rule.Run) tried { return attempt(r, s, t, a, n, sum) })
		if got.effort.isMade() {
			paid = got.effort
		}
		t = t.next(s, got.effort)
		if a.AddUp {
			sum += got.hits
			t.need = a.Complexity - sum
		} else {
			sum = got.hits
		}
		if !got.again {
			return thrown{hits: sum, effort: paid}
		}
	}
}

// attempt makes the n-th throw of an action; before are the successes to add to.
func attempt(r *rule.Run, s game.Scene, t toss, a Act, n, before int) tried {
	if !a.AddUp {
		before = 0
	}
	if t.recount != nil {
		r.Record(*t.recount)
	}
	got := tried{thrown: t.throw(r)}
	of := max(1, a.Attempts)
	if of > 1 || a.Time != "" {
		r.Record(Attempted{Who: t.who, N: n, Of: of, Time: a.Time, Hits: got.hits})
	}
	if n == of || before+got.hits >= a.Complexity || got.effort.isMade() && out(t.paid(got.effort)) { // ED-11
		return got
	}
	got.again = rule.AskAnew(r, func() rule.Question[Again] {
		return rule.Question[Again]{
			ID: "edda.again", To: t.who, Standard: Again{Again: true},
			About: AboutAttempt{
				Who: t.who, N: n, Of: of, Hits: before + got.hits, Complexity: a.Complexity, Time: a.Time,
				Dice: max(0, t.next(s, got.effort).pool),
			},
		}
	}).Again
	if got.again && !a.AddUp {
		got.hits = 0 // a failed throw's successes don't matter; without them odds have fewer branches
	}
	return got
}
