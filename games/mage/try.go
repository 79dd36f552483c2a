package mage

import (
	"cmp"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// Try holds the arguments about an attempt, which is harder after a failure. MG-12
type Try struct {
	Attempt string `json:"attempt" form:"text,table"` // a name, so that it can be tried again
	Again   string `json:"again" form:"choice,table"` // an attempt that has failed before
	Fast    bool   `json:"fast" form:"table"`         // retries aren't harder in a fast scene
}

// tryName returns the name of the attempt, "" if failures aren't counted.
func (t Try) tryName() string { return cmp.Or(t.Again, t.Attempt) }

// counts reports whether a failure makes the next try harder. MG-12, MG-40
func (t Try) counts(rules Settings) bool { return rules.Retries && t.tryName() != "" && !t.Fast }

// harder returns what earlier failures add to the difficulty. MG-12
func (t Try) harder(c Character, rules Settings) int {
	if before, tried := c.retry(t.tryName()); tried && t.counts(rules) {
		return before.Penalty
	}
	return 0
}

// settle records the effect of a try: a failure makes the next one harder, a success clears that.
// MG-12
func (t Try) settle(r *rule.Run, who string, c Character, rules Settings, succeeded bool) {
	before, tried := c.retry(t.tryName())
	switch {
	case !t.counts(rules):
	case !succeeded:
		marked := RetryMarked{
			Who:     who,
			Attempt: cmp.Or(before.Attempt, t.tryName()),
			Penalty: before.Penalty + 1,
			Hidden:  c.hidden,
		}
		r.Record(marked)
		game.Offer(r, game.GM, "waive", who, Waive{Attempt: marked.Attempt, Penalty: marked.Penalty})
	case tried:
		r.Record(RetryCleared{Who: who, Attempt: before.Attempt, Hidden: c.hidden})
	}
}

// Waive holds the arguments of the Storyteller's move, offered by a failed one, that its failure
// doesn't make the next try harder. MG-12
type Waive struct {
	Attempt string `json:"attempt" form:"text"`
	Penalty int    `json:"penalty" form:"max=99,said"` // as set by the failure
}

var waiveMove = game.Define(game.MoveSpec[Waive]{
	ID: "waive", GMOnly: true, AtTable: true, ByOffer: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "waived", Tone: game.Good}},
	Allow: func(s game.Scene, a Waive) error {
		hero, _ := sheetOf(s, s.Actor)
		if before, tried := hero.retry(a.Attempt); !tried || before.Penalty != a.Penalty || before.Final {
			return &game.Refusal{Rule: "MG-12", Word: "mage.refusal.not-waived", Data: data{"Attempt": a.Attempt}}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Waive) rule.Outcome {
		hero, _ := sheetOf(s, s.Actor)
		before, _ := hero.retry(a.Attempt)
		if a.Penalty > 1 {
			r.Record(RetryMarked{Who: s.Actor, Attempt: before.Attempt, Penalty: a.Penalty - 1, Hidden: hero.hidden})
		} else {
			r.Record(RetryCleared{Who: s.Actor, Attempt: before.Attempt, Hidden: hero.hidden})
		}
		return game.RecordOutcome(r, s, rule.Outcome{ID: "waived"})
	},
})

// sameAttempt reports whether two names mean the same attempt, ignoring case, spaces and
// apostrophes. MG-12
func sameAttempt(a, b string) bool {
	plain := func(s string) string { return strings.ReplaceAll(lang.Key(s), " ", "") }
	return plain(a) == plain(b)
}

// attempts returns the options for failed attempts, each with its current penalty; closed ones are
// left out. MG-12
func attempts(c Character) []form.Option {
	options := []form.Option{{Value: ""}}
	for _, before := range c.Retries {
		if !before.Final {
			options = append(
				options,
				form.Option{Value: before.Attempt, Text: before.Attempt + " +" + strconv.Itoa(before.Penalty)},
			)
		}
	}
	return options
}
