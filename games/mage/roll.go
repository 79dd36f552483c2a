package mage

import (
	"cmp"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Roll holds the arguments of one throw of a pool against the Storyteller's difficulty, 2–10.
// Modifiers of the difficulty are separate. MG-03, MG-20
type Roll struct {
	Pool int `json:"pool" form:"min=-99,max=100,default=6,bare"`
	Traits
	Difficulty int  `json:"difficulty" form:"max=20,default=6,fixed"`
	Threshold  int  `json:"threshold" form:"max=20,rare"`
	Willpower  bool `json:"willpower" form:"once"`              // MG-08
	Modifier   int  `json:"modifier" form:"min=-8,max=20,rare"` // of the difficulty
	Try
	Taking
	Reflexive     bool `json:"reflexive" form:"table,rare"` // MG-09: not an action
	Tease         bool `json:"tease" form:"table,rare,gm"`  // MG-03: impossible, but thrown anyway
	ThresholdRule bool `json:"threshold-rule" form:"default=true,bare"`
}

var rollMove = game.Define(game.MoveSpec[Roll]{
	ID: "roll", Bare: true, AtTable: true, Ends: forgivingEnds, Kinds: people,
	Outcomes: rollOutcomes, Headlines: rollHeadlines,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		return fitTraits(hero, f, form.Choices{"again": attempts(hero), "action": dues(hero, false)})
	},
	Instant: func(_ game.Scene, a Roll) bool { return a.reflexive() }, // MG-09
	Allow:   allowRoll,
	Ready:   func(s game.Scene, a Roll) func(*rule.Run) rule.Outcome { return a.task(s).settle },
	Retry: func(s game.Scene, a Roll, f game.Failure) Roll {
		a.Try = a.retried(s, f)
		return a
	},
	Play:     playRoll,
	Mark:     func(a Roll, t rule.Throw) []game.Mark { return a.task(game.Scene{}).mark(t.Faces) },
	Sources:  func(s game.Scene, a Roll) []game.Source { return a.sources(s) },
	Variants: willing(func(a *Roll) *bool { return &a.Willpower }),
	Strip: func(s game.Scene, a Roll) Roll {
		if s.Actor != "" {
			a.Pool, a.Difficulty, a.Threshold, a.Modifier = a.task(s).plain()
		}
		return a
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

// task returns the throw: the sheet's pool minus what its place in the turn costs, against the
// difficulty with everything that raises it. MG-10, MG-12
func (a Roll) task(s game.Scene) task {
	hero, ok := sheetOf(s, s.Actor)
	if !ok {
		return taskOf(bareRules(s, a.ThresholdRule), a.Pool, a.aim(), a.Willpower)
	}
	rules := houseRules(s)
	return taskOf(rules, a.turn(hero).pool(hero, a.Traits), a.aim().plus(a.harder(s, s.Actor)), a.Willpower)
}

func (a Roll) aim() aim { return aim{a.Difficulty, a.Modifier, a.Threshold} }

// turn returns the roll's place in the turn. A reflexive roll has none, nor does a roll of
// Willpower. MG-09, MG-10
func (a Roll) turn(c Character) turn {
	if a.reflexive() {
		return turn{free: true, reflex: true}
	}
	return a.Taking.turn(c, false)
}

func (a Roll) reflexive() bool { return a.Reflexive || a.Alone == "willpower" }

func allowRoll(s game.Scene, a Roll) error {
	hero, ok := sheetOf(s, s.Actor)
	if !ok {
		return firstRefusal(
			allowPool(a.Pool),
			allowDifficulty(a.Difficulty),
			allowThreshold(a.Threshold, bareRules(s, a.ThresholdRule)),
		)
	}
	if err := firstRefusal(
		allowTraits(hero, a.Traits, houseRules(s)), allowDifficulty(a.Difficulty),
		allowThreshold(a.Threshold, houseRules(s)),
		allowWillpower(hero, a.Willpower), a.allowRetry(s, s.Actor),
	); err != nil || a.reflexive() {
		return err
	}
	return a.allowTurn(hero, a.Traits, false)
}

// allowRetry refuses another try of what the Storyteller has closed for somebody. MG-12
func (c Character) allowRetry(attempt string) error {
	if before, tried := c.retry(attempt); tried && before.Final {
		return &game.Refusal{Rule: "MG-12", Word: "mage.refusal.final", Data: data{"Attempt": before.Attempt}}
	}
	return nil
}

// allowRetry refuses another try of what the Storyteller has closed for one of those who try. MG-12
func (t Try) allowRetry(s game.Scene, who ...string) error {
	if before, tried := t.before(s, who...); tried && before.Final {
		return &game.Refusal{Rule: "MG-12", Word: "mage.refusal.final", Data: data{"Attempt": before.Attempt}}
	}
	return nil
}

// playRoll makes a roll at the table, including the effect of failure or success on the next try.
func playRoll(r *rule.Run, s game.Scene, a Roll) rule.Outcome {
	s = game.Lend(r, s)
	if added := a.addedTo(s, a.Modifier, "difficulty"); added.isRefused(r) {
		a.Modifier, a.Try = added.withoutAdded(a.Modifier, a.Try)
	}
	hero, _ := sheetOf(s, s.Actor)
	at := a.turn(hero)
	thrown := a.task(s)
	thrown.tease = a.Tease
	result := thrown.play(r, s, s.Actor, at, Rolled{Traits: a.Traits, Text: cmp.Or(a.tryName(), at.text)})
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	a.settle(r, s, succeeds(result), s.Actor)
	if !succeeds(result) {
		a.offerForgiving(r, s)
	}
	return result
}

// Retried holds the arguments of the move that changes a failed attempt. MG-12
type Retried struct {
	Attempt string `json:"attempt" form:"choice,required"`
	Do      string `json:"do" form:"choice=reset|final|reopen"`
}

var retryMove = game.Define(game.MoveSpec[Retried]{
	ID: "retry", GMOnly: true, AtTable: true, Kinds: people,
	Outcomes: []game.OutcomeKind{
		{ID: "reset", Tone: game.Good},
		{ID: "final", Tone: game.Bad},
		{ID: "reopened", Tone: game.Good},
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		options := game.Each(hero.Retries, func(before Retry) form.Option {
			return form.Option{Value: before.Attempt, Text: before.Attempt + " +" + strconv.Itoa(before.Penalty)}
		})
		f = f.With("attempt", options...)
		if len(options) == 1 {
			f = f.Default("attempt", options[0].Value)
		}
		return f
	},
	Cast: func(s game.Scene, a Retried) []string { // MG-12: an attempt of a team is everybody's
		hero, _ := sheetOf(s, s.Actor)
		before, _ := hero.retry(a.Attempt)
		return form.IDs(before.With...)
	},
	Play: func(r *rule.Run, s game.Scene, a Retried) rule.Outcome { // MG-12
		hero, _ := sheetOf(s, s.Actor)
		before, _ := hero.retry(a.Attempt)
		who := before.team(s, s.Actor)
		result := rule.Outcome{ID: map[string]string{"reset": "reset", "final": "final", "reopen": "reopened"}[a.Do]}
		if a.Do == "reset" {
			clearRetry(r, s, a.Attempt, who...)
		} else {
			for i, id := range who {
				c, _ := sheetOf(s, id)
				was, _ := c.retry(a.Attempt)
				r.Record(RetryClosed{Who: id, Attempt: was.Attempt, Final: a.Do == "final", Hidden: c.hidden, Along: i > 0})
			}
		}
		return game.RecordOutcome(r, s, result)
	},
})
