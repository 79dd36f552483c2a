package mage

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Multi holds the arguments of a whole turn of several actions without a table: bare pools against
// one difficulty, of which the last Extra are extra actions. At a table a turn is declared and each
// action is made by its own move. MG-10, MG-11
type Multi struct {
	Pools         form.Faces `json:"pools" form:"max=9,bare"`
	Difficulty    int        `json:"difficulty" form:"max=20,default=6,bare"`
	Threshold     int        `json:"threshold" form:"max=20,bare"`
	Modifier      int        `json:"modifier" form:"min=-8,max=20,bare"`
	Actions       []Action   `json:"actions" form:"min=1,max=9,required,table"`
	Extra         int        `json:"extra" form:"max=8"` // MG-11: actions given by Time magic
	ThresholdRule bool       `json:"threshold-rule" form:"default=true,bare"`
}

// Action is one action of a turn whose actions are made at once, as at tables in the first edition
// of these rules.
type Action struct {
	Text string `json:"text" form:"text"`
	Traits
	Difficulty int    `json:"difficulty" form:"max=20,default=6"`
	Threshold  int    `json:"threshold" form:"max=20"`
	Willpower  bool   `json:"willpower" form:"once"`
	Kind       string `json:"kind" form:"choice=action|extra|reflexive,set=kind-of-action"`
}

var multiMove = game.Define(game.MoveSpec[Multi]{
	ID: "multi", Bare: true, Kinds: people,
	Outcomes: []game.OutcomeKind{
		{ID: "all-succeed", Tone: game.Good},
		{ID: "some-succeed", Counts: true, Tone: game.Mixed},
		{ID: "none-succeeds", Tone: game.Bad},
		{ID: "botch", Tone: game.Disaster},
	},
	Headlines: []game.Headline{
		{ID: "all-succeed", Outcomes: []string{"all-succeed"}},
		{ID: "botch", Outcomes: []string{"botch"}},
	},
	Allow: allowMulti,
	Price: func(r *rule.Run, s game.Scene, a Multi) rule.Outcome {
		tasks := a.tasks(s)
		return priceTurn(r, tasks).outcome(len(tasks))
	},
	Mark: func(a Multi, t rule.Throw) []game.Mark {
		return taskOf(standard, 0, aim{a.Difficulty, a.Modifier, a.Threshold}, false).mark(t.Faces)
	},
	Sources: func(s game.Scene, a Multi) []game.Source { return a.sources(s) },
})

// tasks returns the turn's actions in order, each with the pool left for it. MG-10, MG-11
func (a Multi) tasks(s game.Scene) []task {
	k := len(a.Pools) - a.Extra
	tasks := make([]task, len(a.Pools))
	for i, pool := range a.Pools {
		if i < k {
			pool -= less(k, i)
		}
		tasks[i] = taskOf(bareRules(s, a.ThresholdRule), pool, aim{a.Difficulty, a.Modifier, a.Threshold}, false)
	}
	return tasks
}

// allowMulti refuses the turn if one of its actions is impossible. MG-10, MG-11
func allowMulti(s game.Scene, a Multi) error {
	switch {
	case len(a.Pools) == 0:
		return game.Refuse("MG-10", "mage.refusal.no-actions")
	case a.Extra > len(a.Pools):
		return &game.Refusal{Rule: "MG-11", Word: "mage.refusal.extra", Data: data{"N": a.Extra}}
	}
	for _, pool := range a.Pools {
		if err := allowPool(pool); err != nil {
			return err
		}
	}
	if err := firstRefusal(allowDifficulty(a.Difficulty),
		allowThreshold(a.Threshold, bareRules(s, a.ThresholdRule))); err != nil {
		return err
	}
	for i, t := range a.tasks(s) {
		if t.pool <= 0 {
			return &game.Refusal{Rule: "MG-10", Word: "mage.refusal.reduced", Data: data{"At": i + 1, "N": t.pool}}
		}
	}
	return nil
}

// course is the result of a turn's actions, as far as the rest of a rule depends on it.
type course struct {
	won     int
	botched bool
}

func (a course) with(o rule.Outcome) course {
	if succeeds(o) {
		a.won++
	}
	a.botched = a.botched || o.ID == "botch"
	return a
}

// outcome returns the turn's outcome: a botch in any action is a botch of the turn.
func (a course) outcome(n int) rule.Outcome {
	switch {
	case a.botched:
		return rule.Outcome{ID: "botch"}
	case a.won == n:
		return rule.Outcome{ID: "all-succeed"}
	case a.won == 0:
		return rule.Outcome{ID: "none-succeeds"}
	}
	return rule.Outcome{ID: "some-succeed", N: a.won}
}

// priceTurn throws the actions one after another. The results of all but the last are merged.
func priceTurn(r *rule.Run, tasks []task) course {
	if len(tasks) == 0 {
		return course{}
	}
	last := len(tasks) - 1
	before := rule.Part(r, func(r *rule.Run) course { return priceTurn(r, tasks[:last]) })
	return before.with(tasks[last].settle(r))
}
