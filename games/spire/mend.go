package spire

import (
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Fix holds the arguments of the treatment of a Blood or Mind fallout by a check. SP-20
type Fix struct {
	Fallout string `json:"fallout" form:"choice,set=carried,required,table"` // "c2:0": character and index
	Check
}

var fixMove = game.Define(game.MoveSpec[Fix]{
	ID: "fix", AtTable: true, Kinds: []string{"character"},
	Outcomes: checkOutcomes, Headlines: checkHeadlines,
	Cast: func(_ game.Scene, a Fix) []string {
		patient, _ := which(a.Fallout)
		return append(castOf(a.With, a.Against), patient)
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		f = offerCarried(s, fitCheck(s, f), treatable)
		if hero, _ := game.Sheet[Character](s, s.Actor); slices.ContainsFunc(
			hero.Skills,
			func(k Skill) bool { return k.Name == "fix" },
		) {
			f = f.Default("skill", form.Trait("fix"))
		}
		return f
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
		before := s
		s = game.Lend(r, s)
		a.Check = settleStakes(r, s, a.Check)
		result := attempt(r, before, s, a.Check)
		if isSuccess(result) {
			treat(r, before, s, a.Fallout)
		}
		if patient, _ := which(a.Fallout); patient != s.Actor && !containsRef(a.With, form.Ref(patient)) {
			r.Release(patient)
		}
		follow(r, s, a.Check, result)
		return result
	},
	Mark: func(_ Fix, t rule.Throw) []game.Mark { return markHighest(t) },
})

// treatable reports whether a Fix has an effect on a fallout. SP-20
func treatable(f Fallout) bool { return (f.Kind == "blood" || f.Kind == "mind") && !f.Stabilised }

// treat removes a minor fallout and stabilises any other, unless magic has healed it meanwhile. SP-20,
// SP-21
func treat(r *rule.Run, before, s game.Scene, fallout string) {
	patient, _ := which(fallout)
	at, f, ok := carriedStill(before, s, fallout)
	if !ok {
		return
	}
	gone := removal(s, patient, at, f)
	if f.Severity == "minor" {
		s.Record(r, gone)
	} else {
		s.Record(r, FalloutStabilised(gone))
	}
}

// Heal holds the arguments of magic that removes a fallout instead of stress. Worth is the stress
// that the magic would have cleared. SP-21
type Heal struct {
	Fallout string `json:"fallout" form:"choice,set=carried,required,table"`
	Worth   int    `json:"worth" form:"min=1,max=99,default=3"`
}

// Worth is the GM's answer about how much the magic heals. SP-29
type Worth struct {
	Worth int `json:"worth" form:"min=1,max=99,default=3"`
}

// healOutcomes are those of a fallout that somebody tries to end: it may be removed before the GM has
// answered.
var healOutcomes = []game.OutcomeKind{
	{ID: "healed", Tone: game.Good}, {ID: "refused", Tone: game.Neutral}, {ID: "gone", Tone: game.Neutral},
}

// Leave is the GM's answer whether to allow something that the rules leave to the GM.
type Leave struct {
	Allow bool `json:"allow"`
}

var healMove = game.Define(game.MoveSpec[Heal]{
	ID: "heal", AtTable: true, Kinds: []string{"character"},
	Instant:  func(game.Scene, Heal) bool { return true }, // between two throws of others, too
	Outcomes: healOutcomes,
	Cast: func(_ game.Scene, a Heal) []string {
		patient, _ := which(a.Fallout)
		return []string{patient}
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return offerCarried(s, f, func(Fallout) bool { return true })
	},
	Allow: func(s game.Scene, a Heal) error { // SP-21
		_, f, ok := carriedBy(s, a.Fallout)
		if !ok {
			return game.Refuse("SP-21", "spire.refusal.nothing-to-heal")
		}
		if price := clears(f.Severity); a.Worth < price && (s.Settings.(Settings).Stakes != "gm" || s.Ruled.All) {
			return &game.Refusal{Rule: "SP-21", Word: "spire.refusal.worth", Data: map[string]any{"N": price}}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Heal) rule.Outcome { // SP-21
		patient, f, _ := carriedBy(s, a.Fallout)
		before := s
		s = game.Lend(r, s)
		if s.Settings.(Settings).Stakes == "gm" && !s.Ruled.Set("worth", false) { // SP-29
			a.Worth = rule.Ask(r, rule.Question[Worth]{
				ID: "spire.worth", To: game.GM, Standard: Worth{Worth: a.Worth},
				About: AboutCarried{Who: patient, Fallout: f},
			}).Worth
		}
		if a.Worth < clears(f.Severity) {
			return game.RecordOutcome(r, s, rule.Outcome{ID: "refused"})
		}
		if f.Severity == "severe" {
			leave := rule.Ask(r, rule.Question[Leave]{
				ID: "spire.heal-severe", To: game.GM, About: AboutCarried{Who: patient, Fallout: f},
			})
			if !leave.Allow {
				return game.RecordOutcome(r, s, rule.Outcome{ID: "refused"})
			}
		}
		at, f, ok := carriedStill(before, s, a.Fallout)
		if !ok {
			return game.RecordOutcome(r, s, rule.Outcome{ID: "gone"})
		}
		result := game.RecordOutcome(r, s, rule.Outcome{ID: "healed"})
		r.Record(removal(s, patient, at, f))
		return result
	},
})

// spot is the place of a fallout: among a character's own, or among those of a bond. SP-27: a
// bond's can be healed like others.
type spot struct {
	bond int // index of the bond; −1 for the character's own
	n    int
}

func (at spot) String() string {
	if at.bond < 0 {
		return strconv.Itoa(at.n)
	}
	return strconv.Itoa(at.bond) + "." + strconv.Itoa(at.n)
}

// spotOf parses "0", or "1.0" for a bond's.
func spotOf(text string) spot {
	at := spot{bond: -1}
	if bond, n, of := strings.Cut(text, "."); of {
		at.bond, _ = strconv.Atoi(bond)
		text = n
	}
	at.n, _ = strconv.Atoi(text)
	return at
}

// which parses "c2:0" into a character and the place of one of its fallouts.
func which(fallout string) (who string, at spot) {
	who, text, _ := strings.Cut(fallout, ":")
	return who, spotOf(text)
}

// spots returns the places of all fallouts that a character and its bonds carry.
func (c Character) spots() []spot {
	var spots []spot
	for n := range c.Fallouts {
		spots = append(spots, spot{-1, n})
	}
	for i, b := range c.Bonds {
		for n := range b.Fallouts {
			spots = append(spots, spot{i, n})
		}
	}
	return spots
}

// at returns the fallout at a place.
func (c Character) at(at spot) (Fallout, bool) {
	carried := c.Fallouts
	if at.bond >= 0 {
		if at.bond >= len(c.Bonds) {
			return Fallout{}, false
		}
		carried = c.Bonds[at.bond].Fallouts
	}
	if at.n < 0 || at.n >= len(carried) {
		return Fallout{}, false
	}
	return carried[at.n], true
}

// removal returns the event that removes a fallout from a character or a bond. SP-20, SP-21, SP-27,
// SP-30
func removal(s game.Scene, who string, at spot, f Fallout) FalloutRemoved {
	removed := FalloutRemoved{Who: who, At: at.n, Fallout: f}
	if c, _ := game.Sheet[Character](s, who); at.bond >= 0 && at.bond < len(c.Bonds) {
		removed.Bond, removed.Of = c.Bonds[at.bond].Name, at.bond
	}
	return removed
}

// carriedBy returns a fallout that somebody in the cast carries.
func carriedBy(s game.Scene, fallout string) (who string, f Fallout, ok bool) {
	who, at := which(fallout)
	c, ok := game.Sheet[Character](s, who)
	if !ok {
		return who, Fallout{}, false
	}
	f, ok = c.at(at)
	return who, f, ok
}

// carriedStill returns where a fallout is by now that somebody carried before, if it still exists: others
// may have healed it, or one above it. Equal ones are as good. SP-21
func carriedStill(before, s game.Scene, fallout string) (at spot, f Fallout, ok bool) {
	who, was := which(fallout)
	then, _ := game.Sheet[Character](before, who)
	now, _ := game.Sheet[Character](s, who)
	named, ok := then.at(was)
	if !ok {
		return was, named, false
	}
	named.Stabilised = false
	equal := func(c Character) []spot {
		return slices.DeleteFunc(c.spots(), func(at spot) bool {
			f, _ := c.at(at)
			f.Stabilised = false
			return at.bond != was.bond || f != named
		})
	}
	left := equal(now)
	if len(left) == 0 {
		return was, named, false
	}
	at = left[min(slices.Index(equal(then), was), len(left)-1)]
	f, _ = now.at(at)
	return at, f, true
}

// offerCarried offers the suitable fallouts at the table; a single one becomes the default.
func offerCarried(s game.Scene, f *form.Form, fits func(Fallout) bool) *form.Form {
	options := carriedOptions(s, fits)
	f = f.With("fallout", options...)
	if len(options) == 1 {
		return f.Default("fallout", options[0].Value)
	}
	return f
}

// carriedOptions returns the options for the suitable fallouts at the table.
func carriedOptions(s game.Scene, fits func(Fallout) bool) []form.Option {
	options := []form.Option{}
	for _, id := range s.IDs() {
		c, _ := game.Sheet[Character](s, id)
		for _, at := range c.spots() {
			if f, _ := c.at(at); fits(f) {
				options = append(options, f.option(id+":"+at.String(), c.carrier(s.Cast[id].Name, at)))
			}
		}
	}
	return options
}

// carrier returns the name of a character, or of one of its bonds.
func (c Character) carrier(name string, at spot) string {
	if at.bond < 0 {
		return name
	}
	return name + " · " + c.Bonds[at.bond].Name
}

// option returns the option for a fallout, by its name, or by its text if the GM wrote it.
func (f Fallout) option(value, whose string) form.Option {
	if f.Suggestion != "" {
		return form.Option{Value: value, Text: whose, Word: "spire.fallout." + f.Suggestion + ".name"}
	}
	if whose != "" {
		whose += ": "
	}
	return form.Option{Value: value, Text: whose + f.Text}
}
