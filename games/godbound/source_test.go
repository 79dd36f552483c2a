package godbound

import (
	"testing"

	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// A check with a Fact is compared with the plain check, if there is a Fact.
func TestAFactIsComparedWithThePlainCheck(t *testing.T) {
	hero := form.Blank[Hero]()
	hero.Facts = []Named{{Name: "Blacksmith"}}
	s := game.Scene{
		Actor:    "arren",
		Settings: standard,
		Cast:     map[string]game.Member{"arren": {ID: "arren", Kind: "hero", Name: "Arren", Sheet: hero}},
	}
	plain := Check{Tested: "strength"}
	got := checkMove.Variants(s, plain)
	if len(got) != 1 {
		t.Fatalf("%d variants of a check", len(got))
	}
	if with := got[0].Args.(Check); with.need(s) != plain.need(s)-4 {
		t.Errorf("with a Fact a check needs %d, without %d", with.need(s), plain.need(s))
	}
	plain.Fact = form.Yes
	if got := checkMove.Variants(s, plain); got != nil {
		t.Errorf("a check with a Fact is compared with %v", got)
	}
}

// The steps of a fight's course are the laws of the chain after each round.
func TestFightCourseHasTheOddsOfEachRound(t *testing.T) {
	a := Forecast{
		Heroes: 1, HeroHP: 8, HeroAC: 5, HeroLevel: 1, HeroBonus: 2, HeroModifier: 1, HeroDice: "1d10", Fray: "1d8",
		Foes: 3, FoeHD: 1, FoeAC: 7, FoeBonus: 1, FoeDice: "1d6", Rounds: 4,
	}
	battle := a.battle(game.Scene{})
	chain, err := odds.Chain(t.Context(), battle.Start(), battle.Round, battle.Over, a.Rounds, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	steps := forecastMove.Variants(game.Scene{}, a)
	if len(steps) != a.Rounds-1 {
		t.Fatalf("%d steps before the last of %d rounds", len(steps), a.Rounds)
	}
	kinds := []odds.Kind{{ID: "win", Counts: true}, {ID: "unfinished"}, {ID: "lose"}}
	for i, step := range steps {
		priced, err := odds.Price(t.Context(), forecastMove.Price(game.Scene{}, step.Args), kinds, nil, rule.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		won := chain.Any(i+1, func(s State) bool { return s.HD == 0 })
		if got := priced.Any("win"); !step.Step || got.Cmp(won) != 0 {
			t.Errorf("step %d wins with %v, the chain with %v", i+1, got, won)
		}
	}
	a.Rounds = 1
	if got := forecastMove.Variants(game.Scene{}, a); got != nil {
		t.Errorf("one round has the steps %v", got)
	}
}
