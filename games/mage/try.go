package mage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// Try holds the arguments about an attempt, which is harder after a failure. MG-12
type Try struct {
	Attempt string `json:"attempt" form:"text,table,rare"` // a name, so that it can be tried again
	Again   string `json:"again" form:"choice,table"`      // an attempt that has failed before
	Fast    bool   `json:"fast" form:"table,rare"`         // retries aren't harder in a fast scene
	// how often it has failed without a name: "Make it again" says so
	Failed int `json:"failed" form:"max=20,table,beside=failed:1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20"`
}

// tryName returns the name of the attempt, "" if failures aren't counted.
func (t Try) tryName() string { return cmp.Or(t.Again, t.Attempt) }

// counts reports whether failures of the try are counted. MG-12, MG-40
func (t Try) counts(rules Settings) bool { return rules.Retries && t.tryName() != "" }

// before returns what earlier failures have left: of several people who try together, the mark of
// the one with most of them. MG-12
func (t Try) before(s game.Scene, who ...string) (found Retry, tried bool) {
	for _, id := range who {
		c, _ := sheetOf(s, id)
		was, ok := c.retry(t.tryName())
		if ok && (!tried || was.Final && !found.Final || was.Final == found.Final && was.Penalty > found.Penalty) {
			found, tried = was, true
		}
	}
	if t.Failed > found.Penalty && t.tryName() != "" {
		found.Penalty = t.Failed
	}
	return found, tried
}

// harder returns what earlier failures add to the difficulty of a try by one or several people.
// MG-12
func (t Try) harder(s game.Scene, who ...string) int {
	if !t.counts(houseRules(s)) || t.Fast {
		return 0
	}
	before, _ := t.before(s, who...)
	return before.Penalty
}

// settle records the effect of a try, on the sheets of all who made it together: a failure makes the
// next one harder, a success ends the attempt. MG-12
func (t Try) settle(r *rule.Run, s game.Scene, succeeded bool, who ...string) {
	before, tried := t.before(s, who...)
	if !t.counts(houseRules(s)) {
		return
	}
	if t.Fast && (before.Penalty > 0 || !succeeded) {
		r.Record(RetryFree{Who: who[0], Attempt: cmp.Or(before.Attempt, t.tryName())})
	}
	name := cmp.Or(before.Attempt, t.tryName())
	switch {
	case succeeded && tried:
		clearRetry(r, s, name, who...)
	case !succeeded && !t.Fast:
		markRetry(r, s, Retry{Attempt: name, Penalty: before.Penalty + 1}, who...)
		game.Offer(r, game.GM, "waive", who[0], Waive{
			Attempt: name, Penalty: before.Penalty + 1, With: refs(who[1:]...),
		})
	}
}

// offerForgiving offers the Storyteller of a failed roll without a name that making it again isn't
// harder. MG-12
func (t Try) offerForgiving(r *rule.Run, s game.Scene) {
	if t.tryName() == "" && !t.Fast && houseRules(s).Retries {
		game.Offer(r, game.GM, "forgive", s.Actor, Forgive{})
	}
}

// retried returns the try that comes after a failure. What had no name is known by the number of its
// entry from now on, so that its failure counts without a word being typed. MG-12
func (t Try) retried(s game.Scene, f game.Failure) Try {
	before, tried := t.before(s, s.Actor)
	switch {
	case t.Fast || !houseRules(s).Retries:
	case t.tryName() == "" && slices.Contains(f.Taken, forgiveMove.ID):
	case t.tryName() == "":
		t.Attempt, t.Failed = "#"+strconv.FormatUint(f.Seq, 10), 1
	case tried && !before.Final:
		t = Try{Again: before.Attempt}
	case !tried: // the Storyteller has waived it
		t.Failed = 0
	}
	return t
}

// markRetry records a failed attempt on the sheets of all who made it. The log mentions it once.
// MG-12
func markRetry(r *rule.Run, s game.Scene, failed Retry, who ...string) {
	for i, id := range who {
		c, _ := sheetOf(s, id)
		r.Record(RetryMarked{
			Who: id, Attempt: failed.Attempt, Penalty: failed.Penalty, Hidden: c.hidden,
			With:  refs(slices.DeleteFunc(slices.Clone(who), func(other string) bool { return other == id })...),
			Along: i > 0,
		})
	}
}

// clearRetry records on the sheets of all who made it that an attempt isn't harder any more. MG-12
func clearRetry(r *rule.Run, s game.Scene, attempt string, who ...string) {
	said := false
	for _, id := range who {
		c, _ := sheetOf(s, id)
		if was, ok := c.retry(attempt); ok {
			r.Record(RetryCleared{Who: id, Attempt: was.Attempt, Hidden: c.hidden, Along: said})
			said = true
		}
	}
}

// refs returns ids as references, nil for none.
func refs(ids ...string) []form.Ref {
	var all []form.Ref
	for _, id := range ids {
		all = append(all, form.Ref(id))
	}
	return all
}

// team returns those who made a failed attempt together, the given one first. MG-12
func (f Retry) team(s game.Scene, who string) []string {
	return append([]string{who}, slices.DeleteFunc(form.IDs(f.With...), func(id string) bool {
		c, _ := sheetOf(s, id)
		_, ok := c.retry(f.Attempt)
		return !ok
	})...)
}

// Waive holds the arguments of the Storyteller's move, offered by a failed one, that its failure
// doesn't make the next try harder. MG-12
type Waive struct {
	Attempt string     `json:"attempt" form:"text"`
	Penalty int        `json:"penalty" form:"max=99,said"` // as set by the failure
	With    []form.Ref `json:"with,omitempty" form:"max=12"`
}

var waiveMove = game.Define(game.MoveSpec[Waive]{
	ID: "waive", GMOnly: true, AtTable: true, ByOffer: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "waived", Tone: game.Good}},
	Allow: func(s game.Scene, a Waive) error {
		hero, _ := sheetOf(s, s.Actor)
		// another failure may have left the same penalty to other people
		if before, tried := hero.retry(a.Attempt); !tried || before.Penalty != a.Penalty || before.Final ||
			!slices.Equal(slices.Sorted(slices.Values(before.With)), slices.Sorted(slices.Values(a.With))) {
			return &game.Refusal{Rule: "MG-12", Word: "mage.refusal.not-waived", Data: data{"Attempt": a.Attempt}}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Waive) rule.Outcome {
		hero, _ := sheetOf(s, s.Actor)
		before, _ := hero.retry(a.Attempt)
		if who := before.team(s, s.Actor); a.Penalty > 1 {
			markRetry(r, s, Retry{Attempt: before.Attempt, Penalty: a.Penalty - 1}, who...)
		} else {
			clearRetry(r, s, before.Attempt, who...)
		}
		return game.RecordOutcome(r, s, rule.Outcome{ID: "waived"})
	},
})

// Forgive holds the arguments of the Storyteller's move, offered by a failed roll without a name,
// that making it again isn't harder; there are none. MG-12
type Forgive struct{}

var forgiveMove = game.Define(game.MoveSpec[Forgive]{
	ID: "forgive", GMOnly: true, AtTable: true, ByOffer: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "waived", Tone: game.Good}},
	Play: func(r *rule.Run, s game.Scene, _ Forgive) rule.Outcome {
		hero, _ := sheetOf(s, s.Actor)
		r.Record(RetryForgiven{Who: s.Actor, Hidden: hero.hidden})
		return game.RecordOutcome(r, s, rule.Outcome{ID: "waived"})
	},
})

// forgivingEnds lists the move whose offers to the roller end with the next roll. MG-12
var forgivingEnds = []string{"forgive"}

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
