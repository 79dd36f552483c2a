package edda

import (
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Prepare holds the arguments of an action that creates an advantage or a difficulty for somebody.
// ED-06
type Prepare struct {
	For  form.Ref `json:"for" form:"required,table"`
	Sort string   `json:"sort" form:"choice=advantage|difficulty"`
	Name string   `json:"name" form:"text,required"`
	Last string   `json:"lasts" form:"choice=once|lasting"`
	Action
	Complexity int    `json:"complexity" form:"max=30,default=1,fixed"`
	Effort     string `json:"effort" form:"choice=never|fiasco|always,rare"`
}

var prepareMove = game.Define(acting(game.MoveSpec[Prepare]{
	ID: "prepare", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{
		{ID: "made", Counts: true, Tone: game.Good},
		{ID: "fiasco", Counts: true, Tone: game.Bad},
		{ID: "declined", Tone: game.Neutral},
	},
	Headlines: []game.Headline{{ID: "make", Outcomes: []string{"made"}}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		own := form.Option{Value: s.Actor, Text: s.Cast[s.Actor].Name}
		return fitAction(s, f).With("for", append([]form.Option{own}, s.Others("hero", "fated")...)...)
	},
	Allow: func(s game.Scene, a Prepare) error {
		if err := allowAction(s, s.Actor, a.Action); err != nil {
			return err
		}
		return allowThere(s, string(a.For))
	},
	Price: func(r *rule.Run, s game.Scene, a Prepare) rule.Outcome {
		return preparationOutcome(a.party(s).toss(s).throw(r).hits, a.Complexity)
	},
	Play: playPrepare,
}, func(a *Prepare) (*Action, *string) { return &a.Action, &a.Effort }))

func (a Prepare) party(s game.Scene) party {
	return party{who: s.Actor, plan: a.Action, label: "pool", assume: a.Effort, need: max(1, a.Complexity)}
}

// preparationOutcome returns the outcome, whose n is the size of what is created. ED-06
func preparationOutcome(hits, complexity int) rule.Outcome {
	if verdictOf(hits, max(1, complexity)) == bad {
		return rule.Outcome{ID: "fiasco", N: hits}
	}
	return rule.Outcome{ID: "made", N: hits}
}

func playPrepare(r *rule.Run, s game.Scene, a Prepare) rule.Outcome {
	s = game.Lend(r, s)
	set := staked{complexity: &a.Complexity}
	if !fateAgrees(r, s, s.Actor, a.Name, &a.Action, set, alone) {
		return decline(r, s)
	}
	p := a.party(s)
	got := p.join(r, s)
	result := preparationOutcome(got.hits, a.Complexity)
	set.tell(r, s.Actor)
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	if result.ID == "made" {
		r.Record(
			CircumstanceMade{
				Who:          string(a.For),
				Sort:         a.Sort,
				Circumstance: Circumstance{Name: a.Name, Size: min(got.hits, largest), Lasts: a.Last},
			},
		)
	}
	if string(a.For) != s.Actor {
		r.Release(string(a.For))
	}
	settle(r, s, s.Actor, got, verdictOf(got.hits, p.need), lost{})
	return result
}

// Set holds the arguments of Fate's move that sets a difficulty or an advantage. ED-06
type Set struct {
	Sort string `json:"sort" form:"choice=difficulty|advantage"`
	Circumstance
}

var setMove = game.Define(game.MoveSpec[Set]{
	ID: "set", GMOnly: true, AtTable: true, Kinds: []string{"hero", "fated"},
	Outcomes: []game.OutcomeKind{{ID: "set", Tone: game.Neutral}},
	Play: func(r *rule.Run, s game.Scene, a Set) rule.Outcome { // ED-06
		result := rule.Outcome{ID: "set"}
		r.Record(
			CircumstanceMade{Who: s.Actor, Sort: a.Sort, Circumstance: a.Circumstance},
			game.Resolved{Who: s.Actor, Outcome: result},
		)
		return result
	},
})

// End holds the arguments of Fate's move that ends a difficulty or an advantage. ED-06
type End struct {
	Over string `json:"over" form:"choice,required"` // "advantage:0": sort and index
}

var endMove = game.Define(game.MoveSpec[End]{
	ID: "end", GMOnly: true, AtTable: true, Kinds: []string{"hero", "fated"},
	Outcomes: []game.OutcomeKind{{ID: "ended", Tone: game.Neutral}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := []form.Option{}
		difficulties, advantages := circumstancesOf(s.Cast[s.Actor].Sheet)
		for i, c := range difficulties {
			options = append(options, signedOption("difficulty:"+strconv.Itoa(i), c.Name, -c.Size))
		}
		for i, c := range advantages {
			options = append(options, signedOption("advantage:"+strconv.Itoa(i), c.Name, c.Size))
		}
		return only(f, "over", options)
	},
	Play: func(r *rule.Run, s game.Scene, a End) rule.Outcome { // ED-06
		sort, at := which(a.Over)
		all, advantages := circumstancesOf(s.Cast[s.Actor].Sheet)
		if sort == "advantage" {
			all = advantages
		}
		for _, c := range pick(all, []form.Ref{form.Ref(at)}) {
			r.Record(CircumstanceEnded{Who: s.Actor, Sort: sort, Circumstance: c})
		}
		return game.RecordOutcome(r, s, rule.Outcome{ID: "ended"})
	},
})

// circumstancesOf returns the circumstances on a sheet of either kind.
func circumstancesOf(sheet any) (difficulties, advantages []Circumstance) {
	return game.FieldValue[[]Circumstance](sheet, "difficulties"), game.FieldValue[[]Circumstance](sheet, "advantages")
}

// usedUp ends the circumstances that last for one action. ED-06
func usedUp(r *rule.Run, who, sort string, all []Circumstance) {
	for _, c := range all {
		if c.Lasts != "lasting" {
			r.Record(CircumstanceEnded{Who: who, Sort: sort, Circumstance: c})
		}
	}
}
