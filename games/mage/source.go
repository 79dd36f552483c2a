package mage

import (
	"math"
	"math/big"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/odds"
)

// The sources of a throw are shown before it: the traits of the pool with their dots, everything
// that changes the difficulty, and the result. A source without a number is only mentioned.

// sources returns the traits of a pool. An Ability that isn't on the sheet is untrained. MG-01,
// MG-02
func (c Character) sources(t Traits) []game.Source {
	var all []game.Source
	if t.Attribute != "" {
		all = append(all, game.Source{Word: "mage.attribute." + t.Attribute, N: c.Attributes.Of(t.Attribute)})
	}
	switch dots := c.Ability(t.Ability); {
	case t.Ability == "":
	case dots == 0:
		all = append(all, game.Source{Word: "mage.source.untrained", Data: data{"Ability": abilityData(t.Ability)}})
	case knownAbility(string(t.Ability)):
		all = append(all, game.Source{Word: "mage.ability." + string(t.Ability), N: dots})
	default:
		all = append(all, game.Source{Text: t.Ability.Name(), N: dots})
	}
	if t.Alone != "" {
		all = append(all, game.Source{Word: "mage.alone." + t.Alone, N: c.Rating(t.Alone)})
	}
	return all
}

// sources returns the numbers that a task's dice must meet: its difficulty with its name, and the
// threshold. MG-03, MG-20
func (t task) sources() []game.Source {
	against := game.Source{Word: "mage.event.difficulty", Data: data{"Difficulty": t.difficulty}}
	if t.difficulty >= easiestNamed && t.difficulty <= raised {
		against = game.Source{
			Word: "mage.source.difficulty",
			Data: data{"N": t.difficulty, "Name": difficultyWord(t.difficulty)},
		}
	}
	all := []game.Source{against}
	if t.threshold > 0 {
		all = append(all, game.Source{Word: "mage.event.threshold", Data: data{"N": t.threshold}})
	}
	return all
}

// sources returns what a move's place in the turn costs. MG-10
func (t turn) sources() []game.Source {
	if t.less == 0 {
		return nil
	}
	if t.text == "" {
		return []game.Source{{Word: "mage.source.place", Data: data{"At": t.at}, N: -t.less}}
	}
	return []game.Source{{Word: "mage.source.place-named", Data: data{"At": t.at, "Action": t.text}, N: -t.less}}
}

// sources returns the sources of a roll. MG-02, MG-03, MG-07, MG-10, MG-12, MG-20
func (a Roll) sources(s game.Scene) []game.Source {
	hero, ok := sheetOf(s, s.Actor)
	if !ok {
		return a.task(s).sources()
	}
	all := append(hero.sources(a.Traits), a.turn(hero).sources()...)
	all = append(all, game.Adds("mage.source.modifier", a.Modifier)...)
	all = append(all, game.Adds("mage.source.again", a.harder(s, s.Actor))...)
	all = append(all, a.task(s).sources()...)
	if s.Ruled.Asked { // MG-32: who reads this may not see all of it
		all = append(all, game.Source{Word: "mage.source.undecided"})
	}
	unrolled := Automatic{
		Traits:        a.Traits,
		Difficulty:    a.Difficulty,
		Modifier:      a.Modifier,
		Try:           a.Try,
		Taking:        a.Taking,
		Circumstances: "calm",
	}
	if a.Threshold == 0 && allowAutomatic(s, unrolled) == nil { // MG-07
		all = append(all, game.Source{Word: "mage.source.automatic"})
	}
	return all
}

// sources returns the sources of both sides. A side that hasn't been asked yet is assumed to resist
// with the same traits. MG-14
func (a Resisted) sources(s game.Scene) []game.Source {
	hero, ok := sheetOf(s, s.Actor)
	own := a.own(s)
	if !ok {
		return own[0].sources()
	}
	all := append(hero.sources(a.Traits), a.turn(hero, false).sources()...)
	all = append(all, game.Adds("mage.source.modifier", a.Modifier)...)
	all = append(all, game.Adds("mage.source.again", a.harder(s, a.band(s).everybody()...))...)
	all = append(all, own[0].sources()...)
	all = append(all, shares(s, a.With, own)...)
	with, name := a.usual(s), any(game.Word("mage.event.nobody"))
	_, seen := sheetOf(s, string(a.Against))
	foe, there := s.Cast[string(a.Against)]
	if there {
		name = foe.Name
	}
	if with.Pass { // MG-09: there is no action left to resist with
		return append(all, game.Source{Word: "mage.source.unresisted", Data: data{"Name": name}})
	}
	other := a.other(s, with)
	against := game.Source{
		Word: "mage.source.against",
		Data: data{"Name": name, "N": other[0].pool, "Difficulty": other[0].difficulty},
	}
	if other[0].threshold > 0 {
		against.Word, against.Data["Threshold"] = "mage.source.against-threshold", other[0].threshold
	}
	all = append(all, against)
	if there && !seen { // MG-33
		all = append(all, game.Source{Word: "mage.source.assumed", Data: data{"Name": name}})
		if a.Opposing != "" && a.Difficulty.IsZero() {
			all = append(all, game.Source{Word: "mage.source.trait-unseen", Data: data{"Name": name}})
		}
	}
	return append(all, shares(s, a.AgainstWith, other)...)
}

// shares returns the pools of helpers, unless they choose other traits. MG-16
func shares(s game.Scene, with []form.Ref, tasks []task) []game.Source {
	var all []game.Source
	for i, who := range form.IDs(with...) {
		if _, seen := sheetOf(s, who); !seen || i+1 >= len(tasks) { // MG-33
			all = append(all, game.Source{Word: "mage.source.helper-unseen", Data: data{"Name": s.Cast[who].Name}})
			continue
		}
		all = append(
			all,
			game.Source{Word: "mage.source.helper", Data: data{"Name": s.Cast[who].Name, "N": tasks[i+1].pool}},
		)
	}
	return all
}

// sources returns the sources of the leader, and the pools of the others. MG-16
func (a Team) sources(s game.Scene) []game.Source {
	hero, ok := sheetOf(s, s.Actor)
	tasks := a.tasks(s)
	var all []game.Source
	if ok {
		all = append(hero.sources(a.Traits), a.turn(hero, false).sources()...)
		all = append(all, game.Adds("mage.source.modifier", a.Modifier)...)
		all = append(all, game.Adds("mage.source.again", a.harder(s, a.band(s).everybody()...))...)
	}
	all = append(all, tasks[0].sources()...)
	all = append(all, shares(s, a.With, tasks)...)
	if a.Needs > 1 {
		all = append(all, game.Source{Word: "mage.source.needs", Data: data{"N": a.Needs}})
	}
	return all
}

// sources returns the sources of one roll for an extended action. MG-13, MG-16, MG-20
func (a Work) sources(s game.Scene) []game.Source {
	e, ok := game.Sheet[Extended](s, string(a.On))
	if !ok {
		return a.bare(s).sources()
	}
	hero, _ := sheetOf(s, s.Actor)
	tasks := a.tasks(s, e)
	all := append(hero.sources(a.Traits), a.turn(hero, false).sources()...)
	all = append(all, game.Adds("mage.source.modifier", a.Modifier)...)
	all = append(all, game.Adds("mage.source.raised", e.Raised)...)
	all = append(all, game.Adds("mage.source.again", a.harder(s, a.band(s).everybody()...))...)
	all = append(all, tasks[0].sources()...)
	all = append(all, shares(s, a.With, tasks)...)
	all = append(
		all,
		game.Source{Word: "mage.source.missing", Data: data{"N": max(0, e.Target-e.Gathered), "Target": e.Target}},
	)
	e.Pool, e.Raised = tasks[0].pool, e.Raised+a.Modifier
	switch p, large := forecast(e, houseRules(s)); {
	case len(a.With) > 0:
	case p != nil:
		all = append(
			all,
			game.Source{Word: "mage.source.forecast", Data: data{"Percent": percent(p), "Left": e.RemainingRolls()}},
		)
	case large:
		all = append(all, game.Source{Word: "mage.source.forecast-large"})
	}
	return all
}

// percent returns a chance in whole percent. An almost certain or almost impossible one is never
// shown as 100 or 0.
func percent(p *big.Rat) string {
	switch n := odds.Float(p) * 100; {
	case p.Sign() > 0 && n < 1:
		return "<1"
	case !p.IsInt() && n > 99:
		return ">99"
	default:
		return strconv.Itoa(int(math.Round(n)))
	}
}

// sources returns the actions of a turn, each with its full pool, the pool left, and its
// difficulty. MG-10
func (a Multi) sources(s game.Scene) []game.Source {
	all := make([]game.Source, len(a.Pools))
	for i, t := range a.tasks(s) {
		all[i] = game.Source{
			Word: "mage.source.action-bare",
			Data: data{"At": i + 1, "Whole": a.Pools[i], "Dice": t.pool, "Difficulty": t.difficulty},
		}
	}
	return all
}

// abilityData returns an Ability as data of a text: the word of a known one, or else the name that
// people gave.
func abilityData(ability form.Trait) any {
	if knownAbility(string(ability)) {
		return game.Word("mage.ability." + string(ability))
	}
	return ability.Name()
}

// willing offers the same move with a point of Willpower, if one may be spent and isn't yet. of
// returns the field for it. MG-08
func willing[A any](of func(a *A) *bool) func(s game.Scene, a A) []game.VariantOf[A] {
	return func(s game.Scene, a A) []game.VariantOf[A] {
		hero, ok := sheetOf(s, s.Actor)
		if !ok || *of(&a) || allowWillpower(hero, true) != nil {
			return nil
		}
		*of(&a) = true
		return []game.VariantOf[A]{{Word: "mage.variant.willpower", Args: a}}
	}
}
