package mage

import (
	"cmp"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Roll is one throw of a pool against a difficulty.
//
// Off a table Pool and Difficulty stand for all that was reckoned before: a
// difficulty past 9 is one that was raised. At a table Difficulty is the
// Storyteller's, 2–10, and what raises or lowers it stands apart. MG-03, MG-20
type Roll struct {
	Pool int `json:"pool" form:"min=-99,max=100,default=6,bare"`
	Traits
	Difficulty    int    `json:"difficulty" form:"max=20,default=6"`
	Threshold     int    `json:"threshold" form:"max=20"`
	Willpower     bool   `json:"willpower" form:"once"`               // MG-08
	Modifier      int    `json:"modifier" form:"min=-8,max=20,table"` // of the difficulty
	Attempt       string `json:"attempt" form:"text,table"`           // MG-12: what is tried, so that it can be tried again
	Again         string `json:"again" form:"choice,table"`           // MG-12: what has failed before
	Fast          bool   `json:"fast" form:"table"`                   // MG-12: no retry is harder in a scene that moves fast
	Reflexive     bool   `json:"reflexive" form:"table"`              // MG-09: no action
	ThresholdRule bool   `json:"threshold-rule" form:"default=true,bare"`
}

var rollMove = game.Define(game.Of[Roll]{
	ID: "roll", Bare: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: rollOutcomes, Headlines: rollHeadlines,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Character](s, s.Actor)
		return fitTraits(hero, f, "").With("again", attempts(hero)...)
	},
	Allow:   allowRoll,
	Ready:   func(s game.Scene, a Roll) func(*rule.Run) rule.Outcome { return a.task(s).settle },
	Play:    playRoll,
	Mark:    func(a Roll, t rule.Thrown) []game.Mark { return a.task(game.Scene{Settings: standard}).mark(t) },
	Sources: func(s game.Scene, a Roll) []game.Source { return a.sources(s) },
	Variants: func(s game.Scene, a Roll) []game.VariantOf[Roll] {
		better := a
		better.Willpower = true
		return withWillpower(s, a.Willpower, better)
	},
})

var (
	rollOutcomes = []game.OutcomeKind{
		{ID: "success", Counts: true, Tone: game.Good},
		{ID: "failure", Tone: game.Bad},
		{ID: "botch", Tone: game.Disaster},
	}
	rollHeadlines = []game.Headline{
		{ID: "succeed", Outcomes: []string{"success"}},
		{ID: "botch", Outcomes: []string{"botch"}},
	}
)

// task is what the roll comes to: the pool from the sheet, the difficulty with
// all that raises it.
func (a Roll) task(s game.Scene) task {
	rules := houseRules(s)
	hero, ok := game.Sheet[Character](s, s.Actor)
	if !ok {
		rules.Thresholds = a.ThresholdRule
		return taskOf(rules, a.Pool, a.Difficulty, a.Threshold, a.Willpower)
	}
	difficulty := a.Difficulty + a.Modifier
	if before, tried := hero.retry(a.tried()); tried && a.counts(rules) {
		difficulty += before.Penalty // MG-12
	}
	return taskOf(rules, hero.Pool(a.Traits), difficulty, a.Threshold, a.Willpower)
}

// tried names what is tried, "" where nobody keeps count. MG-12
func (a Roll) tried() string { return cmp.Or(a.Again, a.Attempt) }

// counts tells whether a failure makes the next try harder. MG-12, MG-40
func (a Roll) counts(rules Settings) bool {
	return rules.Retries && a.tried() != "" && !a.Fast
}

func allowRoll(s game.Scene, a Roll) error {
	rules := houseRules(s)
	hero, ok := game.Sheet[Character](s, s.Actor)
	if !ok {
		rules.Thresholds = a.ThresholdRule
		return firstRefusal(allowPool(a.Pool), allowBareDifficulty(a.Difficulty, rules), allowThreshold(a.Threshold, rules))
	}
	return firstRefusal(
		allowTraits(hero, a.Traits), allowDifficulty(a.Difficulty), allowThreshold(a.Threshold, rules),
		allowWillpower(hero, a.Willpower), allowRetry(hero, a.tried()), allowAction(hero, a.Reflexive),
	)
}

// allowAction refuses an action beside those that were declared for the turn;
// what is reflexive is none. MG-09, MG-10
func allowAction(c Character, reflexive bool) error {
	if c.Clock.Declared > 0 && !reflexive {
		return &game.Refusal{Rule: "MG-10", Word: "mage.refusal.declared", Data: data{"N": c.Clock.Declared}}
	}
	return nil
}

// allowRetry refuses another try at what the Storyteller has closed. MG-12
func allowRetry(c Character, attempt string) error {
	if before, tried := c.retry(attempt); tried && before.Final {
		return &game.Refusal{Rule: "MG-12", Word: "mage.refusal.final", Data: data{"Attempt": before.Attempt}}
	}
	return nil
}

// playRoll is the whole of a roll at the table: the throw, and what its failure
// or success means for the next try.
func playRoll(r *rule.Run, s game.Scene, a Roll) rule.Outcome {
	hero, _ := game.Sheet[Character](s, s.Actor)
	result := a.task(s).play(r, s.Actor, hero, Rolled{Traits: a.Traits, Text: a.tried()})
	r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
	before, tried := hero.retry(a.tried())
	switch {
	case !a.counts(houseRules(s)):
	case !succeeds(result): // MG-12
		r.Tell(RetryMarked{Who: s.Actor, Attempt: a.tried(), Penalty: before.Penalty + 1})
	case tried:
		r.Tell(RetryCleared{Who: s.Actor, Attempt: before.Attempt})
	}
	return result
}

// attempts offers what has failed before, each with what it costs now; what
// can't be tried again isn't among them. MG-12
func attempts(c Character) []form.Option {
	options := []form.Option{{Value: ""}}
	for _, before := range c.Retries {
		if !before.Final {
			options = append(options, form.Option{Value: before.Attempt, Text: before.Attempt + " +" + strconv.Itoa(before.Penalty)})
		}
	}
	return options
}

// Retried changes what a failed attempt has left behind. MG-12
type Retried struct {
	Attempt string `json:"attempt" form:"choice,required"`
	Do      string `json:"do" form:"choice=reset|final|reopen"`
}

var retryMove = game.Define(game.Of[Retried]{
	ID: "retry", GMOnly: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{{ID: "reset", Tone: game.Good}, {ID: "final", Tone: game.Bad}, {ID: "reopened", Tone: game.Good}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Character](s, s.Actor)
		options := []form.Option{}
		for _, before := range hero.Retries {
			options = append(options, form.Option{Value: before.Attempt, Text: before.Attempt + " +" + strconv.Itoa(before.Penalty)})
		}
		f = f.With("attempt", options...)
		if len(options) == 1 {
			f = f.Default("attempt", options[0].Value)
		}
		return f
	},
	Play: func(r *rule.Run, s game.Scene, a Retried) rule.Outcome { // MG-12
		result := rule.Outcome{ID: map[string]string{"reset": "reset", "final": "final", "reopen": "reopened"}[a.Do]}
		if a.Do == "reset" {
			r.Tell(RetryCleared{Who: s.Actor, Attempt: a.Attempt})
		} else {
			r.Tell(RetryClosed{Who: s.Actor, Attempt: a.Attempt, Final: a.Do == "final"})
		}
		r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
		return result
	},
})
