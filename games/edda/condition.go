package edda

import (
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Ruling is Fate's answer whether to write a condition after a fiasco. ED-10
type Ruling struct {
	Write     bool       `json:"write"`
	Condition form.Trait `json:"condition" form:"choice=fatigue,open,required,default=fatigue,for=write"`
	Kind      string     `json:"kind" form:"choice=body|mind,set=nature"`
	Size      int        `json:"size" form:"min=1,max=6,default=1"`
}

// suffer asks Fate for a condition after a fiasco. ED-10
func (p *person) suffer() {
	ruling := rule.Ask(p.r, rule.Question[Ruling]{
		ID: "edda.condition", To: game.GM,
		Standard: Ruling{Condition: fatigue, Kind: "body", Size: 1},
		About:    AboutFiasco{Who: p.who},
	})
	if ruling.Write {
		p.record(take(p.who, p.sheet, newCondition(ruling.Condition, ruling.Kind, ruling.Size), "fate"))
	}
}

// take returns the event by which a sheet gets a condition. If there is an equal one already, it
// gets that one's name, so that they add up. ED-11
func take(who string, sheet any, c Condition, why string) ConditionTaken {
	if i := slices.IndexFunc(conditionsOf(sheet), c.alike); i >= 0 {
		c.Name = conditionsOf(sheet)[i].Name
	}
	taken := ConditionTaken{Who: who, Condition: c, Why: why}
	taken.Now = conditionSize(conditionsOf(taken.Apply(sheet)), c)
	return taken
}

// conditionsOf returns the conditions on a sheet of either kind.
func conditionsOf(sheet any) []Condition { return game.FieldValue[[]Condition](sheet, "conditions") }

// Mend holds the arguments of an action that removes a condition, one's own or another's. ED-12
type Mend struct {
	Condition string `json:"eased" form:"choice,required,table"` // "c2:0": character and index
	Deed
	Action
	Effort string `json:"effort" form:"choice=never|fiasco|always,rare"`
}

var mendMove = game.Define(acting(game.MoveSpec[Mend]{
	ID: "mend", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{
		{ID: "eased", Counts: true, Tone: game.Good},
		{ID: "fiasco", Counts: true, Tone: game.Bad},
		{ID: "declined", Tone: game.Neutral},
	},
	Headlines: []game.Headline{{ID: "ease", Outcomes: []string{"eased"}}},
	Cast: func(_ game.Scene, a Mend) []string {
		patient, _ := which(a.Condition)
		return []string{patient}
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := []form.Option{}
		for _, id := range s.IDs() {
			for i, c := range conditionsOf(s.Cast[id].Sheet) {
				options = append(options, c.option(id+":"+strconv.Itoa(i), s.Cast[id].Name))
			}
		}
		return only(fitAction(s, f), "eased", options)
	},
	Allow: func(s game.Scene, a Mend) error {
		if err := allowAction(s, s.Actor, a.Action); err != nil {
			return err
		}
		if len(a.Strengths) == 0 { // ED-12: a suitable strength is required
			return game.Refuse("ED-12", "edda.refusal.no-strength-to-mend")
		}
		patient, _ := which(a.Condition)
		return allowThere(s, patient)
	},
	Price: func(r *rule.Run, s game.Scene, a Mend) rule.Outcome {
		result, _, _ := a.treatmentOutcome(s, a.party(s).toss(s).throw(r))
		return result
	},
	Play: playMend,
}, func(a *Mend) (*Action, *string) { return &a.Action, &a.Effort }))

func (a Mend) party(s game.Scene) party {
	return party{who: s.Actor, plan: a.Action, label: "pool", assume: a.Effort, need: enough}
}

// which splits "c2:0" into a character and a place on its sheet.
func which(place string) (who, at string) {
	who, at, _ = strings.Cut(place, ":")
	return who, at
}

// condition returns the condition to be eased, and its owner.
func (a Mend) condition(s game.Scene) (patient string, c Condition) {
	patient, at := which(a.Condition)
	for _, c := range pick(conditionsOf(s.Cast[patient].Sheet), []form.Ref{form.Ref(at)}) {
		return patient, c
	}
	return patient, Condition{}
}

// treatmentOutcome returns the outcome: successes as steps of the condition, in its state after the
// special effort is paid for. ED-12
func (a Mend) treatmentOutcome(s game.Scene, got thrown) (result rule.Outcome, patient string, c Condition) {
	patient, c = a.condition(s)
	if paid := got.effort.condition(); patient == s.Actor && got.effort.Pay == "condition" && paid.alike(c) {
		c.Size = min(c.Size+paid.Size, unbearable)
	}
	if verdictOf(got.hits, enough) == bad {
		return rule.Outcome{ID: "fiasco", N: got.hits}, patient, c
	}
	return rule.Outcome{ID: "eased", N: min(got.hits, c.Size)}, patient, c
}

func playMend(r *rule.Run, s game.Scene, a Mend) rule.Outcome {
	s = game.Lend(r, s)
	if !fateAgrees(r, s, s.Actor, a.Deed.Text, &a.Action, staked{}, alone) || !fits(r, s, a.Action) {
		return decline(r, s)
	}
	got := a.party(s).join(r, s)
	result, patient, c := a.treatmentOutcome(s, got.thrown)
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	var done []rule.Event
	if result.ID == "eased" {
		sheet := s.Cast[patient].Sheet
		if patient == s.Actor && got.effort.isMade() {
			sheet = game.After(sheet, got.effort.price(patient, sheet))
		}
		done = append(done, ease(r, patient, sheet, c, result.N))
	}
	if patient != s.Actor {
		r.Release(patient)
	}
	settle(r, s, s.Actor, got, verdictOf(got.hits, enough), lost{}, done...)
	return result
}

// ease reduces a condition on somebody's sheet, and records the return of somebody who can now act
// again. ED-11, ED-12
func ease(r *rule.Run, who string, sheet any, c Condition, steps int) rule.Event {
	e := ConditionEased{Who: who, Condition: c, Steps: steps, Left: max(0, c.Size-steps)}
	r.Record(e)
	if out(sheet) && !out(e.Apply(sheet)) {
		r.Record(Returned{Who: who})
	}
	return e
}

// Afflict holds the arguments of Fate's move that writes a condition for the story. ED-10
type Afflict struct {
	Condition
}

var afflictMove = game.Define(game.MoveSpec[Afflict]{
	ID: "afflict", GMOnly: true, AtTable: true, Kinds: []string{"hero", "fated"},
	Outcomes: []game.OutcomeKind{{ID: "afflicted", Tone: game.Bad}},
	Allow: func(s game.Scene, a Afflict) error {
		if a.Size == 0 { // a sheet may have one without steps, but Fate can't write one
			return form.Problems{{Path: "size", Code: form.Range, Min: 1, Max: unbearable, Given: "0"}}
		}
		return allowThere(s, s.Actor)
	},
	Play: func(r *rule.Run, s game.Scene, a Afflict) rule.Outcome { // ED-10
		result := rule.Outcome{ID: "afflicted"}
		sheet := s.Cast[s.Actor].Sheet
		taken := take(s.Actor, sheet, newCondition(a.Name, a.Kind, a.Size), "fate")
		r.Record(game.Resolved{Who: s.Actor, Outcome: result}, taken)
		if !out(sheet) && out(taken.Apply(sheet)) { // ED-11
			r.Record(LeftScene{Who: s.Actor})
		}
		return result
	},
})

// Lift holds the arguments of Fate's move that removes a condition. ED-12
type Lift struct {
	Condition string `json:"eased" form:"choice,required"` // its index
}

var liftMove = game.Define(game.MoveSpec[Lift]{
	ID: "lift", GMOnly: true, AtTable: true, Kinds: []string{"hero", "fated"},
	Outcomes: []game.OutcomeKind{{ID: "lifted", Tone: game.Good}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := game.EachAt(
			conditionsOf(s.Cast[s.Actor].Sheet),
			func(i int, c Condition) form.Option { return c.option(strconv.Itoa(i), "") },
		)
		return only(f, "eased", options)
	},
	Play: func(r *rule.Run, s game.Scene, a Lift) rule.Outcome { // ED-12
		result := rule.Outcome{ID: "lifted"}
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		for _, c := range pick(conditionsOf(s.Cast[s.Actor].Sheet), []form.Ref{form.Ref(a.Condition)}) {
			ease(r, s.Actor, s.Cast[s.Actor].Sheet, c, c.Size)
		}
		return result
	},
})
