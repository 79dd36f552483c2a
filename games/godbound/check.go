package godbound

import (
	"strconv"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Check holds the arguments of a throw on an attribute. GB-06
type Check struct {
	Attribute int        `json:"attribute" form:"min=1,max=30,default=10,bare"`
	Tested    string     `json:"tested" form:"choice=strength|dexterity|constitution|intelligence|wisdom|charisma,set=attribute,table,said,at=attributes"`
	Fact      form.Trait `json:"fact" form:"at=facts.name"`
	Penalty   int        `json:"penalty" form:"max=20"`
}

var (
	passes = []game.OutcomeKind{
		{ID: "success", Tone: game.Good},
		{ID: "failure", Tone: game.Bad},
	}
	passesHeadlines = []game.Headline{{ID: "succeed", Outcomes: []string{"success"}}}
)

var checkMove = game.Define(game.MoveSpec[Check]{
	ID: "check", Bare: true, AtTable: true, Kinds: heroes,
	Outcomes: passes, Headlines: passesHeadlines,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		rated := f.RatedOptions("tested", func(name string) string { return strconv.Itoa(hero.Attributes.Of(name)) })
		return f.Offering(form.Choices{"fact": namedOptions(hero.Facts), "tested": rated})
	},
	Allow: func(s game.Scene, _ Check) error { return awake(s) },
	Price: func(r *rule.Run, s game.Scene, a Check) rule.Outcome {
		return checkOutcome(r.Count(d20("check"), dice.AtLeast(a.need(s))) == 1)
	},
	Mark:    func(_ Check, t rule.Throw) []game.Mark { return deciding(t) },
	Sources: func(s game.Scene, a Check) []game.Source { return a.sources(s) },
	Strip: func(s game.Scene, a Check) Check {
		a.Attribute = a.score(s)
		return a
	},
	Variants: func(s game.Scene, a Check) []game.VariantOf[Check] {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		if a.Fact.Has() || len(hero.Facts) == 0 {
			return nil
		}
		a.Fact = form.Yes
		return []game.VariantOf[Check]{{Word: "godbound.variant.fact", Args: a}}
	},
})

// sources returns the sources of a check. GB-06
func (a Check) sources(s game.Scene) []game.Source {
	hero, ok := game.Sheet[Hero](s, s.Actor)
	if !ok {
		return nil
	}
	all := []game.Source{
		{
			Word: "godbound.source.score",
			Data: data{"Attribute": attributeWord(a.Tested), "Score": hero.Attributes.Of(a.Tested)},
		},
	}
	switch {
	case a.Fact.Name() != "":
		all = append(all, game.Source{Text: a.Fact.Name(), N: factBonus})
	case a.Fact.Has():
		all = append(all, game.Source{Word: "godbound.field.fact", N: factBonus})
	}
	return append(append(all, game.Adds("godbound.field.penalty", -a.Penalty)...), needs(a.need(s)))
}

// score returns the attribute's score, by the sheet if there is one.
func (a Check) score(s game.Scene) int {
	if hero, ok := game.Sheet[Hero](s, s.Actor); ok {
		return hero.Attributes.Of(a.Tested)
	}
	return a.Attribute
}

// need returns the number that the die must reach. GB-06
func (a Check) need(s game.Scene) int {
	need := 21 - a.score(s) + a.Penalty
	if a.Fact.Has() {
		need -= factBonus
	}
	return need
}

const factBonus = 4

// Save holds the arguments of a throw to escape harm. GB-07
type Save struct {
	Target  int    `json:"target" form:"min=1,max=30,default=15,bare"`
	Save    string `json:"save" form:"choice=hardiness|evasion|spirit,table,said,at=saves"`
	Penalty int    `json:"penalty" form:"max=20"`
}

var saveMove = game.Define(game.MoveSpec[Save]{
	ID: "save", Bare: true, AtTable: true, Kinds: people,
	Outcomes: passes, Headlines: passesHeadlines,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		if _, ok := game.Sheet[Foe](s, s.Actor); ok {
			return f.Without("save") // a foe has one number for all saves
		}
		if hero, ok := game.Sheet[Hero](s, s.Actor); ok {
			rated := f.RatedOptions("save", func(name string) string { return strconv.Itoa(hero.need(name)) + "+" })
			f = f.With("save", rated...)
		}
		return f
	},
	Allow: func(s game.Scene, _ Save) error { return alive(s, s.Actor) },
	Price: func(r *rule.Run, s game.Scene, a Save) rule.Outcome {
		return checkOutcome(r.Count(d20("save"), natural(a.need(s)+a.Penalty)) == 1)
	},
	Play: func(r *rule.Run, s game.Scene, a Save) rule.Outcome {
		return game.RecordOutcome(r, s, checkOutcome(on(r, s).save(s.Actor, a.Save, a.Penalty, nil)))
	},
	Mark:    func(_ Save, t rule.Throw) []game.Mark { return deciding(t) },
	Sources: func(s game.Scene, a Save) []game.Source { return a.sources(s) },
	Strip: func(s game.Scene, a Save) Save {
		a.Target = a.need(s)
		return a
	},
})

// sources returns the sources of a hero's save. GB-07
func (a Save) sources(s game.Scene) []game.Source {
	hero, ok := game.Sheet[Hero](s, s.Actor)
	if !ok {
		return nil
	}
	all := game.Adds("godbound.field.armour", hero.Saves.Of(a.Save)-hero.need(a.Save))
	all = append(all, game.Adds("godbound.field.penalty", -a.Penalty)...)
	all = append(all, needs(hero.need(a.Save)+a.Penalty))
	return append(all, game.Source{Word: "godbound.source.effort", Data: data{"Free": hero.Effort.Free()}}) // GB-08
}

// need returns the number that the save must reach, by the sheet if there is one. GB-07
func (a Save) need(s game.Scene) int {
	if s.Actor == "" {
		return a.Target
	}
	return saveOf(s.Cast[s.Actor].Sheet, a.Save)
}

// saveOf returns the number that a character's save must reach. GB-07
func saveOf(sheet any, save string) int {
	switch sheet := sheet.(type) {
	case Hero:
		return sheet.need(save)
	case Foe:
		return sheet.Save
	}
	return 0
}

// natural returns the faces of a d20 that reach a number; a 1 never does and a 20 always. GB-07,
// GB-09
func natural(need int) dice.Faces { return dice.AtLeast(min(20, max(2, need))) }

// Pay is the answer whether to spend Effort. GB-08
type Pay struct {
	Pay bool `json:"pay"`
}

// save throws a character's save; a failed one may be bought with Effort until the end of the day.
// GB-07, GB-08
func (c cast) save(who, save string, penalty int, against *AboutWorking) bool {
	pool := d20("save")
	effort, foe := c.effort(who)
	if foe {
		pool.For = "foe-save"
	}
	need := saveOf(c.sheets[who], save) + penalty
	if c.r.Count(pool, natural(need)) == 1 {
		return true
	}
	if effort.Free() == 0 {
		return false
	}
	pays := rule.AskAnew(c.r, func() rule.Question[Pay] {
		effort, _ := c.effort(who)
		about := AboutSave{Who: who, Save: save, Free: effort.Free(), Working: against}
		if foe {
			about.Save = ""
		}
		return rule.Question[Pay]{ID: "godbound.pay", To: who, About: about, Check: c.canPay(who)}
	}).Pay
	if !pays {
		return false
	}
	c.commit(who, Commitment{Purpose: "save", Until: "day"})
	return true
}

// canPay refuses to pay with Effort that was bound since the question was asked. GB-08, GB-18
func (c cast) canPay(who string) func(Pay) error {
	return func(p Pay) error {
		if effort, _ := c.effort(who); p.Pay && effort.Free() == 0 {
			return game.Refuse("GB-18", "godbound.refusal.no-effort", "N", effort.Total)
		}
		return nil
	}
}

// Morale holds the arguments of the throw whether a foe keeps fighting. GB-05
type Morale struct {
	Morale int `json:"morale" form:"min=2,max=12,default=8,bare"`
}

var moraleMove = game.Define(game.MoveSpec[Morale]{
	ID: "morale", GMOnly: true, Bare: true, AtTable: true, Kinds: []string{"foe"},
	Outcomes:  []game.OutcomeKind{{ID: "holds", Tone: game.Good}, {ID: "breaks", Tone: game.Bad}},
	Headlines: []game.Headline{{ID: "breaks", Outcomes: []string{"breaks"}}},
	Allow:     func(s game.Scene, _ Morale) error { return alive(s, s.Actor) },
	Price:     throwMorale,
	Strip:     func(s game.Scene, a Morale) Morale { return Morale{a.of(s)} },
	Play: func(r *rule.Run, s game.Scene, a Morale) rule.Outcome {
		result := throwMorale(r, s, a)
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		if result.ID == "breaks" {
			c := on(r, s)
			how := rule.Ask(r, rule.Question[Fate]{
				ID: "godbound.rout", To: game.GM, Form: routForm, Standard: Fate{"flees"},
				About: game.AboutWho{Who: s.Actor},
			})
			if foe, seen := c.foe(s.Actor); !seen || foe.Stands() { // nobody has beaten it meanwhile
				c.tell(FoeFell{Who: s.Actor, Fate: how.Fate})
			}
		}
		return result
	},
})

// routForm is the form for what a foe does whose morale broke.
var routForm = fateForm.With("fate", form.Option{Value: "flees"}, form.Option{Value: "yields"})

// of returns the morale on the sheet, or else the argument.
func (a Morale) of(s game.Scene) int {
	if foe, ok := game.Sheet[Foe](s, s.Actor); ok {
		return foe.Morale
	}
	return a.Morale
}

func throwMorale(r *rule.Run, s game.Scene, a Morale) rule.Outcome {
	if r.Sum(dice.Pool{N: 2, Sides: 6, For: "morale"}) > a.of(s) { // GB-05
		return rule.Outcome{ID: "breaks"}
	}
	return rule.Outcome{ID: "holds"}
}

func checkOutcome(ok bool) rule.Outcome {
	if ok {
		return rule.Outcome{ID: "success"}
	}
	return rule.Outcome{ID: "failure"}
}

func d20(purpose string) dice.Pool { return dice.Pool{N: 1, Sides: 20, For: purpose} }

// deciding marks every die of a throw that decides by itself.
func deciding(t rule.Throw) []game.Mark {
	marks := make([]game.Mark, len(t.Faces))
	for i, face := range t.Faces {
		marks[i] = game.Deciding
		if t.Sides == 20 && face == 20 &&
			t.For != "check" { // GB-07, GB-09: a natural 20 succeeds against anything
			marks[i] = game.Natural
		}
	}
	return marks
}

// needs returns the source for the number that the die must reach. A foe's numbers aren't shown:
// only the GM knows them.
func needs(n int) game.Source {
	return game.Source{Word: "godbound.source.needs", Data: data{"Needs": n}}
}

// plus returns a modifier as text after dice, "" for none.
func plus(n int) string {
	if n == 0 {
		return ""
	}
	return signedNumber(n)
}

// namedOptions returns the options for things that people named.
func namedOptions(list []Named) []form.Option {
	return game.Each(list, func(n Named) form.Option { return form.Option{Value: n.Name, Text: n.Name} })
}

// places returns the options for a list, by index.
func places(names ...string) []form.Option {
	options := make([]form.Option, len(names))
	for i, name := range names {
		options[i] = form.OptionAt(i, name)
	}
	return options
}
