package spire

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Fix treats a Blood or Mind fallout by a check. SP-20
type Fix struct {
	Fallout string `json:"fallout" form:"choice,set=carried,required,table"` // "c2:0": whose, which
	Check
}

var fixMove = game.Define(game.Of[Fix]{
	ID: "fix", AtTable: true, Kinds: []string{"character"},
	Outcomes: checkOutcomes, Headlines: checkHeadlines,
	Cast: func(_ game.Scene, a Fix) []string {
		patient, _ := which(a.Fallout)
		return append(castOf(a.With, a.Against), patient)
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return fitCheck(s, f).With("fallout", carriedOptions(s, treatable)...)
	},
	Allow: func(s game.Scene, a Fix) error {
		if _, f, ok := carriedBy(s, a.Fallout); !ok || !treatable(f) {
			return game.Refuse("SP-20", "spire.refusal.not-treatable")
		}
		return allowCheck(s, a.Check)
	},
	Price: func(r *rule.Run, s game.Scene, a Fix) rule.Outcome {
		return throw(r, poolOf(s, a.Check), difficultyOf(s, a.Check))
	},
	Play: func(r *rule.Run, s game.Scene, a Fix) rule.Outcome { // SP-20
		result := throw(r, poolOf(s, a.Check), difficultyOf(s, a.Check))
		r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
		if succeeded(result) {
			s = treated(r, s, a.Fallout)
		}
		follow(r, s, a.Check, result)
		return result
	},
	Mark: func(_ Fix, t rule.Thrown) []game.Mark { return markHighest(t) },
})

// treatable tells whether a Fix does anything for a fallout. SP-20
func treatable(f Fallout) bool { return (f.Kind == "blood" || f.Kind == "mind") && !f.Stabilised }

// treated takes a minor fallout away and stabilises any other. It returns the
// scene as it stands then, for what the check still brings. SP-20
func treated(r *rule.Run, s game.Scene, fallout string) game.Scene {
	patient, at := which(fallout)
	_, f, _ := carriedBy(s, fallout)
	var change game.Change = FalloutStabilised{Who: patient, At: at, Fallout: f}
	if f.Severity == "minor" {
		change = FalloutRemoved{Who: patient, At: at, Fallout: f}
	}
	r.Tell(change)
	s.Cast = maps.Clone(s.Cast)
	m := s.Cast[patient]
	m.Sheet = change.Apply(m.Sheet)
	s.Cast[patient] = m
	return s
}

// Heal lets magic take away a fallout instead of stress. Worth is the stress
// that the magic would have cleared. SP-21
type Heal struct {
	Fallout string `json:"fallout" form:"choice,set=carried,required,table"`
	Worth   int    `json:"worth" form:"min=1,max=99,default=3"`
}

// Leave is the GM's word on something that the rules leave to the GM.
type Leave struct {
	Allow bool `json:"allow"`
}

var leaveForm = form.Of[Leave]()

var healMove = game.Define(game.Of[Heal]{
	ID: "heal", AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{{ID: "healed", Tone: game.Good}, {ID: "refused", Tone: game.Neutral}},
	Cast: func(_ game.Scene, a Heal) []string {
		patient, _ := which(a.Fallout)
		return []string{patient}
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return f.With("fallout", carriedOptions(s, func(Fallout) bool { return true })...)
	},
	Allow: func(s game.Scene, a Heal) error { // SP-21
		_, f, ok := carriedBy(s, a.Fallout)
		if !ok {
			return game.Refuse("SP-21", "spire.refusal.nothing-to-heal")
		}
		if price := clears(f.Severity); a.Worth < price {
			return &game.Refusal{Rule: "SP-21", Word: "spire.refusal.worth", Data: map[string]any{"N": price}}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Heal) rule.Outcome { // SP-21
		patient, f, _ := carriedBy(s, a.Fallout)
		if f.Severity == "severe" {
			leave := rule.Ask(r, rule.Question[Leave]{
				ID: "spire.heal-severe", To: game.GM, Form: leaveForm, About: AboutCarried{Who: patient, Fallout: f},
			})
			if !leave.Allow {
				r.Tell(game.Resolved{Who: s.Actor, Outcome: rule.Outcome{ID: "refused"}})
				return rule.Outcome{ID: "refused"}
			}
		}
		_, at := which(a.Fallout)
		r.Tell(game.Resolved{Who: s.Actor, Outcome: rule.Outcome{ID: "healed"}}, FalloutRemoved{Who: patient, At: at, Fallout: f})
		return rule.Outcome{ID: "healed"}
	},
})

// which reads "c2:0" as a character and a place in its fallouts.
func which(fallout string) (who string, at int) {
	who, n, _ := strings.Cut(fallout, ":")
	at, _ = strconv.Atoi(n)
	return who, at
}

// carriedBy finds a fallout that somebody in the cast carries.
func carriedBy(s game.Scene, fallout string) (who string, f Fallout, ok bool) {
	who, at := which(fallout)
	c, ok := game.Sheet[Character](s, who)
	if !ok || at < 0 || at >= len(c.Fallouts) {
		return who, Fallout{}, false
	}
	return who, c.Fallouts[at], true
}

// carriedOptions lists the fallouts at the table that fit.
func carriedOptions(s game.Scene, fits func(Fallout) bool) []form.Option {
	options := []form.Option{}
	for _, id := range s.IDs() {
		c, _ := game.Sheet[Character](s, id)
		for i, f := range c.Fallouts {
			if fits(f) {
				options = append(options, f.option(id+":"+strconv.Itoa(i), s.Cast[id].Name))
			}
		}
	}
	return options
}

// option offers a fallout by its name, or by its text if the GM wrote it.
func (f Fallout) option(value, whose string) form.Option {
	if f.Suggestion != "" {
		return form.Option{Value: value, Text: whose, Word: "spire.fallout." + f.Suggestion + ".name"}
	}
	if whose != "" {
		whose += ": "
	}
	return form.Option{Value: value, Text: whose + f.Text}
}

// removed returns fallouts without the one at a place.
func removed(fallouts []Fallout, at int) []Fallout {
	if at < 0 || at >= len(fallouts) {
		return fallouts
	}
	return slices.Delete(slices.Clone(fallouts), at, at+1)
}
