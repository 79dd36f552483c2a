package edda

import (
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// What a faded strength gives. ED-21, ED-22
const (
	miracleDice = 6
	miracleSure = 1
)

// Consent is Fate's answer whether to allow something that the rules leave to Fate.
type Consent struct {
	Agree bool `json:"agree"`
}

// Whether somebody plans an action alone, or others are planning theirs in parallel, who must not
// see it yet. ED-01
const (
	alone  = false
	beside = true
)

// fateAgrees asks Fate if the rules require it: for every action if the table wishes (ED-01) or if
// Fate sets the stakes, which changes them (ED-04), and for a miracle that does the impossible
// (ED-21). Nothing has happened before, so a refusal costs nothing.
func fateAgrees(r *rule.Run, s game.Scene, who, deed string, a *Action, set staked, sealed bool) bool {
	if _, ok := game.Sheet[Hero](s, who); !ok {
		return true
	}
	rules, _ := s.Settings.(Settings)
	about := func() AboutAction { // what it is by now: ED-19, ED-23
		hero, _ := game.Sheet[Hero](s, who)
		return AboutAction{
			Who:   who,
			Deed:  deed,
			Pool:  hero.addends(*a),
			Left:  hero.excludedAddends(*a),
			Fades: hero.fadingStrength(*a).Name,
			Last:  hero.last(*a),
		}
	}
	agrees := func(q rule.Question[Consent]) bool {
		q.To, q.Standard, q.Sealed = game.GM, Consent{Agree: true}, sealed
		return rule.AskAnew(r, func() rule.Question[Consent] {
			q.About = about()
			return q
		}).Agree
	}
	if rules.Stakes == "fate" && !set.confirm(r, s, a, about, sealed) ||
		rules.Stakes != "fate" && rules.Agree && !isCalledFor(s, about()) &&
			!agrees(rule.Question[Consent]{ID: "edda.action"}) {
		r.Record(Declined{Who: who, What: "action"})
		return false
	}
	if a.impossible() && !agrees(rule.Question[Consent]{ID: "edda.miracle"}) {
		r.Record(Declined{Who: who, What: "miracle"})
		return false
	}
	return true
}

// impossible reports whether the action does the impossible. ED-21
func (a Action) impossible() bool {
	return a.Fade != "" && (a.Miracle == "impossible" || a.Miracle == "both")
}

// certain returns the number of successes that the action has without dice. ED-21, ED-22
func (a Action) certain() int {
	if a.Fade == "" || a.Miracle == "impossible" {
		return 0
	}
	return miracleSure
}

// bare returns the dice and successes that a miracle adds without a sheet. ED-22
func (a Action) bare() (extra, sure int) {
	if a.Miracle == "dice" || a.Miracle == "both" {
		return miracleDice, miracleSure
	}
	return 0, 0
}

// fadingStrength returns the strength that the action fades.
func (h Hero) fadingStrength(a Action) Strength {
	for _, s := range pick(h.Strengths, []form.Ref{form.Ref(a.Fade)}) {
		return s
	}
	return Strength{}
}

// last reports whether the action fades the last strength. ED-23
func (h Hero) last(a Action) bool {
	for _, fades := range h.fading("", a.Fade) {
		return game.After(h, fades).Oblivion()
	}
	return false
}

var declined = rule.Outcome{ID: "declined"}

// decline ends a move that Fate refused. Nothing was thrown or changed.
func decline(r *rule.Run, s game.Scene) rule.Outcome {
	return game.RecordOutcome(r, s, declined)
}

// fading returns the event by which a strength fades for the action, if one does. ED-21
func (h Hero) fading(who, place string) []StrengthFaded {
	at, err := strconv.Atoi(place)
	if err != nil || at < 0 || at >= len(h.Strengths) {
		return nil
	}
	return []StrengthFaded{{Who: who, At: at, Strength: h.Strengths[at].Name}}
}
