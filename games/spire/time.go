package spire

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Day holds the arguments of a day that passes, for some or for all: the GM says which fallouts
// end. SP-30
type Day struct {
	Who  []form.Ref `json:"who" form:"of=character,max=20,table"` // none: everybody who carries any
	Text string     `json:"text" form:"prose"`
}

// Ended is the GM's answer: the fallouts that end. SP-30
type Ended struct {
	Ended []form.Ref `json:"ended" form:"max=999"` // "c2:0": character and place
}

var dayMove = game.Define(game.MoveSpec[Day]{
	ID: "day", GMOnly: true, AtTable: true,
	Outcomes: []game.OutcomeKind{{ID: "passed", Tone: game.Neutral}},
	Cast: func(s game.Scene, a Day) []string {
		if len(a.Who) > 0 {
			return form.IDs(a.Who...)
		}
		return slices.DeleteFunc(s.IDs(), func(id string) bool {
			c, _ := game.Sheet[Character](s, id)
			return len(c.spots()) == 0
		})
	},
	Play: func(r *rule.Run, s game.Scene, a Day) rule.Outcome { // SP-30
		if a.Text != "" {
			r.Record(Happened{Text: a.Text})
		}
		outlive(r, game.Lend(r, s))
		return rule.Outcome{ID: "passed"}
	},
})

// outlive asks once which fallouts of all end; minor ones by default. SP-30
func outlive(r *rule.Run, s game.Scene) {
	if len(carriedOptions(s, func(Fallout) bool { return true })) == 0 {
		return
	}
	var who []string
	ended := rule.AskAnew(r, func() rule.Question[Ended] {
		who = nil
		minor := []form.Ref(nil)
		for _, id := range s.IDs() {
			hero, _ := game.Sheet[Character](s, id)
			spots := hero.spots()
			if len(spots) > 0 {
				who = append(who, id)
			}
			for _, at := range spots {
				if f, _ := hero.at(at); f.Severity == "minor" {
					minor = append(minor, form.Ref(id+":"+at.String()))
				}
			}
		}
		options := carriedOptions(s, func(Fallout) bool { return true })
		return rule.Question[Ended]{
			ID: "spire.day", To: game.GM, Form: form.Of[Ended]().With("ended", options...), Standard: Ended{Ended: minor},
			About: AboutDay{Who: who},
		}
	}).Ended
	over := map[string][]spot{}
	for _, place := range form.IDs(ended...) {
		id, at := which(place)
		over[id] = append(over[id], at)
	}
	for _, id := range who {
		hero, _ := game.Sheet[Character](s, id)
		end(r, s, id, hero, over[id])
	}
}

// end removes fallouts from a sheet, the last first, so that the indexes of the others stay valid.
func end(r *rule.Run, s game.Scene, who string, hero Character, spots []spot) Character {
	slices.SortFunc(spots, func(a, b spot) int {
		if a.bond != b.bond {
			return b.bond - a.bond
		}
		return b.n - a.n
	})
	for _, at := range spots {
		if f, ok := hero.at(at); ok {
			hero = game.RecordOn(r, hero, removal(s, who, at, f))
		}
	}
	return hero
}

// Care holds the arguments of help over weeks, which may end a stabilised fallout. SP-30
type Care struct {
	Fallout string `json:"fallout" form:"choice,set=carried,required,table"`
	Text    string `json:"text" form:"prose"`
}

var careMove = game.Define(game.MoveSpec[Care]{
	ID: "care", AtTable: true, Kinds: []string{"character"},
	Outcomes: healOutcomes,
	Cast: func(_ game.Scene, a Care) []string {
		patient, _ := which(a.Fallout)
		return []string{patient}
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return offerCarried(s, f, func(f Fallout) bool { return f.Stabilised })
	},
	Allow: func(s game.Scene, a Care) error { // SP-30
		if _, f, ok := carriedBy(s, a.Fallout); !ok || !f.Stabilised {
			return game.Refuse("SP-30", "spire.refusal.not-stabilised")
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Care) rule.Outcome { // SP-30
		patient, f, _ := carriedBy(s, a.Fallout)
		before := s
		s = game.Lend(r, s)
		if a.Text != "" {
			r.Record(Happened{Who: s.Actor, Text: a.Text})
		}
		result := rule.Outcome{ID: "healed"}
		if !rule.Ask(
			r,
			rule.Question[Leave]{ID: "spire.care", To: game.GM, About: AboutCarried{Who: patient, Fallout: f}},
		).Allow {
			result.ID = "refused"
		}
		at, f, ok := carriedStill(before, s, a.Fallout)
		if result.ID == "healed" && !ok { // by magic meanwhile
			result.ID = "gone"
		}
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		if result.ID == "healed" {
			r.Record(removal(s, patient, at, f))
		}
		return result
	},
})
