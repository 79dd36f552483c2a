package mage

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Multi is several actions in one turn, declared together. Off a table they
// are bare pools against one difficulty, of which the last Extra are extra
// actions. MG-10, MG-11
type Multi struct {
	Pools      form.Faces `json:"pools" form:"max=9,bare"`
	Difficulty int        `json:"difficulty" form:"max=20,default=6,bare"`
	Threshold  int        `json:"threshold" form:"max=20,bare"`
	Actions    []Action   `json:"actions" form:"min=1,max=9,required,table"`
	Extra      int        `json:"extra" form:"max=8"` // MG-11: actions that Time magic gives
}

// Action is one action of a turn. MG-09, MG-10, MG-11
type Action struct {
	Text string `json:"text" form:"text"`
	Traits
	Difficulty int    `json:"difficulty" form:"max=20,default=6"`
	Threshold  int    `json:"threshold" form:"max=20"`
	Willpower  bool   `json:"willpower" form:"once"`
	Kind       string `json:"kind" form:"choice=action|extra|reflexive,set=kind-of-action"`
}

var multiMove = game.Define(game.Of[Multi]{
	ID: "multi", Bare: true, AtTable: true, Kinds: []string{"character"},
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
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Character](s, s.Actor)
		return fitTraits(hero, f, "actions.")
	},
	Allow: allowMulti,
	Price: func(r *rule.Run, s game.Scene, a Multi) rule.Outcome {
		tasks := a.tasks(s)
		return priceTurn(r, tasks).outcome(len(tasks))
	},
	Play: playMulti,
	Mark: func(a Multi, t rule.Thrown) []game.Mark {
		return taskOf(standard, 0, a.Difficulty, a.Threshold, false).mark(t)
	},
	Sources: func(s game.Scene, a Multi) []game.Source { return a.sources(s) },
})

// declared are the turn's actions with their whole pools, on or off a table.
func (a Multi) declared(s game.Scene) []Action {
	if len(a.Actions) > 0 {
		return a.Actions
	}
	actions := make([]Action, len(a.Pools))
	for i := range a.Pools {
		actions[i] = Action{Kind: "action", Difficulty: a.Difficulty, Threshold: a.Threshold}
		if i >= len(a.Pools)-a.Extra {
			actions[i].Kind = "extra"
		}
	}
	return actions
}

// split counts how many of a turn's actions share its one action. MG-09: what
// is reflexive isn't among them. MG-11: nor is what Time gives.
func split(actions []Action) int {
	k := 0
	for _, action := range actions {
		if action.Kind == "action" {
			k++
		}
	}
	return k
}

// tasks are the turn's actions in their order, each with the pool that is left
// of it: of k declared ones the i-th loses k and one more for each before it;
// one alone loses nothing. MG-10
func (a Multi) tasks(s game.Scene) []task {
	rules := houseRules(s)
	hero, atTable := game.Sheet[Character](s, s.Actor)
	actions := a.declared(s)
	k, before := split(actions), 0
	tasks := make([]task, len(actions))
	for i, action := range actions {
		pool := hero.Pool(action.Traits)
		if !atTable {
			pool = a.Pools[i]
		}
		if action.Kind == "action" {
			if k > 1 {
				pool -= k + before
			}
			before++
		}
		tasks[i] = taskOf(rules, pool, action.Difficulty, action.Threshold, action.Willpower)
	}
	return tasks
}

// allowMulti refuses the whole turn where one of its actions can't be done.
// MG-10, MG-11
func allowMulti(s game.Scene, a Multi) error {
	rules := houseRules(s)
	hero, atTable := game.Sheet[Character](s, s.Actor)
	actions := a.declared(s)
	if len(actions) == 0 {
		return game.Refuse("MG-10", "mage.refusal.no-actions")
	}
	extra, bought := 0, 0
	for i, action := range actions {
		judge := func() error {
			return firstRefusal(allowTraits(hero, action.Traits), allowDifficulty(action.Difficulty), allowWillpower(hero, action.Willpower))
		}
		if !atTable {
			judge = func() error {
				return firstRefusal(allowPool(a.Pools[i]), allowBareDifficulty(action.Difficulty, rules))
			}
		}
		if err := firstRefusal(judge(), allowThreshold(action.Threshold, rules)); err != nil {
			return err
		}
		if action.Kind == "extra" {
			extra++
		}
		if action.Willpower {
			bought++
		}
	}
	switch {
	case bought > 1:
		return game.Refuse("MG-08", "mage.refusal.willpower-twice")
	case extra > a.Extra:
		return &game.Refusal{Rule: "MG-11", Word: "mage.refusal.extra", Data: data{"N": a.Extra}}
	case !atTable && a.Extra > len(actions):
		return &game.Refusal{Rule: "MG-11", Word: "mage.refusal.extra", Data: data{"N": a.Extra}}
	}
	for i, t := range a.tasks(s) {
		if t.pool <= 0 {
			return &game.Refusal{Rule: "MG-10", Word: "mage.refusal.reduced", Data: data{"At": i + 1, "N": t.pool}}
		}
	}
	if split(actions) == 0 { // extra and reflexive ones are free beside those declared
		return nil
	}
	return allowAction(hero, false)
}

// turn is how a turn's actions came out, as far as the rest of a rule can see.
type turn struct {
	won     int
	botched bool
}

func (t turn) with(o rule.Outcome) turn {
	if succeeds(o) {
		t.won++
	}
	t.botched = t.botched || o.ID == "botch"
	return t
}

// outcome sums a turn up: a botch in any action is one of the turn.
func (t turn) outcome(actions int) rule.Outcome {
	switch {
	case t.botched:
		return rule.Outcome{ID: "botch"}
	case t.won == actions:
		return rule.Outcome{ID: "all-succeed"}
	case t.won == 0:
		return rule.Outcome{ID: "none-succeeds"}
	}
	return rule.Outcome{ID: "some-succeed", N: t.won}
}

// priceTurn throws the actions one after another; what came of those before
// the last is merged first.
func priceTurn(r *rule.Run, tasks []task) turn {
	if len(tasks) == 0 {
		return turn{}
	}
	last := len(tasks) - 1
	before := rule.Part(r, func(r *rule.Run) turn { return priceTurn(r, tasks[:last]) })
	return before.with(tasks[last].settle(r))
}

// playMulti declares the whole turn with its pools and then throws its actions
// one after another. MG-10
func playMulti(r *rule.Run, s game.Scene, a Multi) rule.Outcome {
	hero, _ := game.Sheet[Character](s, s.Actor)
	tasks := a.tasks(s)
	declared := Declared{Who: s.Actor, Split: split(a.Actions)}
	for i, t := range tasks {
		declared.Actions = append(declared.Actions, Planned{Text: a.Actions[i].Text, Traits: a.Actions[i].Traits, Whole: hero.Pool(a.Actions[i].Traits), Dice: t.pool})
	}
	r.Tell(declared)
	var done turn
	for i, t := range tasks {
		done = rule.Part(r, func(r *rule.Run) turn {
			return done.with(t.play(r, s.Actor, hero, Rolled{Traits: a.Actions[i].Traits, Text: a.Actions[i].Text}))
		})
	}
	result := done.outcome(len(tasks))
	r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
	return result
}
