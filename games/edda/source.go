package edda

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// sourcesOf returns the lines of the acting hero's pool, shown before the throw, and the price of
// the last strength. ED-02, ED-23
func sourcesOf(s game.Scene, a Action) []game.Source {
	hero, ok := game.Sheet[Hero](s, s.Actor)
	if !ok {
		return nil
	}
	var all []game.Source
	for _, addend := range hero.addends(a) {
		source := game.Source{N: addend.Dice}
		if source.Word = addend.word(); source.Word == "" {
			source.Text = addend.Name
		}
		all = append(all, source)
	}
	if strengths, _, _ := hero.strengthOptions(); len(a.Strengths) == 0 && len(strengths) > 0 &&
		total(hero.addends(a)) <= 0 {
		all = append(all, game.Source{Word: "edda.from.nothing"}) // so that people notice that they have no dice
	}
	if hero.last(a) {
		all = append(all, game.Source{Word: "edda.from.oblivion"})
	}
	return all
}

// word returns the id of the source's word, "" if people named it.
func (a Addend) word() string {
	switch {
	case a.From == "weakness" || a.From == "fate" || a.From == "miracle":
		return "edda.from." + a.From
	case a.From == "condition" && form.Trait(a.Name) == fatigue:
		return "edda.condition.fatigue"
	}
	return ""
}

// acting completes a move that uses a plan: its form, the marks of its dice, the sources of its
// pool, and other ways to make it. of returns the plan and the effort that odds assume.
func acting[A any](m game.MoveSpec[A], of func(a *A) (*Action, *string)) game.MoveSpec[A] {
	if m.Fit == nil {
		m.Fit = fitAction
	}
	m.Mark = func(_ A, t rule.Throw) []game.Mark { return markSuccesses(t) }
	m.Sources = func(s game.Scene, a A) []game.Source {
		plan, _ := of(&a)
		return sourcesOf(s, *plan)
	}
	m.Variants = func(s game.Scene, a A) []game.VariantOf[A] {
		plan, effort := of(&a)
		return ways(s, *plan, *effort, func(other Action, assumed string) A {
			b := a
			plan, effort := of(&b)
			*plan, *effort = other, assumed
			return b
		})
	}
	return m
}

// ways returns ways to make a move that differ from what its odds assume: without a special effort,
// with one (ED-15) and by a miracle (ED-21). with returns the move with an action and such an
// effort.
func ways[A any](
	s game.Scene,
	plan Action,
	effort string,
	with func(plan Action, effort string) A,
) []game.VariantOf[A] {
	var all []game.VariantOf[A]
	if effort != "never" {
		all = append(all, game.VariantOf[A]{Word: "edda.variant.plain", Args: with(plan, "never")})
	}
	if effort != "always" {
		all = append(all, game.VariantOf[A]{Word: "edda.variant.effort", Args: with(plan, "always")})
	}
	hero, _ := game.Sheet[Hero](s, s.Actor)
	if miraculous, ok := hero.miracle(plan); ok {
		word := "edda.variant.miracle"
		if hero.last(miraculous) {
			word = "edda.variant.miracle-last"
		}
		all = append(all, game.VariantOf[A]{Word: word, Args: with(miraculous, "never")})
	}
	return all
}

// miracle returns the plan with a miracle that adds dice, or false if it has one already or no
// strength can fade. It fades the strength that costs the pool least. ED-21, ED-22
func (h Hero) miracle(plan Action) (Action, bool) {
	if plan.certain() > 0 {
		return plan, false
	}
	if plan.Fade != "" { // a miracle does the impossible already
		plan.Miracle = "both"
		return plan, true
	}
	cheapest, least := -1, 0
	for i, s := range h.Strengths {
		if s.Faded {
			continue
		}
		cost := 0
		if slices.Contains(plan.Strengths, form.Ref(strconv.Itoa(i))) {
			cost = 1 + s.Steps
		}
		if cheapest < 0 || cost < least {
			cheapest, least = i, cost
		}
	}
	if cheapest < 0 {
		return plan, false
	}
	plan.Fade, plan.Miracle = strconv.Itoa(cheapest), "dice"
	plan.Strengths = slices.DeleteFunc(
		slices.Clone(plan.Strengths),
		func(ref form.Ref) bool { return string(ref) == plan.Fade },
	)
	return plan, true
}
