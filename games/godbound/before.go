package godbound

import "norn/game"

// What a throw is made of, as it's shown before it. A foe's numbers aren't
// among it: they are the GM's.

// needs is the number that the die must reach.
func needs(n int) game.Source {
	return game.Source{Word: "godbound.source.needs", Data: data{"Needs": n}}
}

// sources are those of a check. GB-06
func (a Check) sources(s game.Scene) []game.Source {
	hero, ok := game.Sheet[Hero](s, s.Actor)
	if !ok {
		return nil
	}
	all := []game.Source{{Word: "godbound.source.score", Data: data{"Attribute": attributeWord(a.Tested), "Score": hero.Attributes.Of(a.Tested)}}}
	switch {
	case a.Fact.Name() != "":
		all = append(all, game.Source{Text: a.Fact.Name(), N: factBonus})
	case a.Fact.Has():
		all = append(all, game.Source{Word: "godbound.field.fact", N: factBonus})
	}
	return append(append(all, game.Adds("godbound.field.penalty", -a.Penalty)...), needs(a.need(s)))
}

// sources are those of a hero's save. GB-07
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

// sources are those of a hero's attack. GB-09
func (a Attack) sources(s game.Scene) []game.Source {
	hero, ok := game.Sheet[Hero](s, s.Actor)
	if !ok {
		return nil
	}
	attribute := a.weapon(s).Attribute
	all := game.Adds("godbound.field.bonus", hero.Bonus)
	all = append(all, game.Adds(string(attributeWord(attribute)), modifier(hero.Attributes.Of(attribute)))...)
	return append(all, game.Adds("godbound.source.here", a.Bonus)...)
}
