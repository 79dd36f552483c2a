package edda

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// A pool is shown line by line, and the lines must add up to it. ED-02
func TestSourcesOfAPoolAddUp(t *testing.T) {
	hero := Hero{
		Strengths:    []Strength{{Name: "Kindness", Steps: 3}, {Name: "Stubborn", Steps: 1}},
		Weakness:     Weakness{Text: "Vain", Marks: 2},
		Conditions:   []Condition{{Name: fatigue, Kind: "body", Size: 2}, {Name: "Fear", Kind: "mind", Size: 1}},
		Difficulties: []Circumstance{{Name: "Black ice", Size: 2}},
		Advantages:   []Circumstance{{Name: "Bram holds the rope", Size: 2}},
		Gear:         []Gear{{Name: "Coat", Dice: 1, Strengths: []GearStrength{{Name: "Warm", Steps: 2}}}},
	}
	s := game.Scene{
		Actor:    "anna",
		Cast:     map[string]game.Member{"anna": {ID: "anna", Kind: "hero", Name: "Anna", Sheet: hero}},
		Settings: Settings{},
	}
	a := Act{Complexity: 1, Action: Action{
		Strengths: refsOf(
			"0",
			"g0-0",
		), Weakness: true, Conditions: refsOf("0", "1"), Difficulties: refsOf("0"), Advantages: refsOf("0"),
		Gear: refsOf("0"), Bonus: -1, Fade: "1", Miracle: "dice",
	}}
	want := []game.Source{
		{Text: "Kindness", N: 3},
		{Text: "Warm", N: 2},
		{Word: "edda.from.weakness", N: -2},
		{Word: "edda.condition.fatigue", N: -2},
		{Text: "Fear", N: -1},
		{Text: "Black ice", N: -2},
		{Text: "Bram holds the rope", N: 2},
		{Text: "Coat", N: 1},
		{Word: "edda.from.fate", N: -1},
		{Word: "edda.from.miracle", N: 6},
	}
	got := actMove.Sources(s, a)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	sum := 0
	for _, source := range got {
		sum += source.N
	}
	if pool := a.party(s).toss(s).pool; sum != pool {
		t.Errorf("the lines come to %d dice, the pool has %d", sum, pool)
	}
	got = actMove.Sources(s, Act{Complexity: 1})
	if diff := cmp.Diff([]game.Source{{Word: "edda.from.nothing"}}, got); diff != "" {
		t.Error("nothing is chosen:", diff)
	}
	if bare := actMove.Sources(game.Scene{Settings: Settings{}}, Act{Pool: 5}); bare != nil {
		t.Errorf("a bare pool comes from %v", bare)
	}
}

// A move has variants without a special effort, with one and with a miracle, which fades the
// strength that the pool needs least. ED-15, ED-21
func TestMoveHasVariantsForEffortAndMiracle(t *testing.T) {
	strengths := []Strength{
		{Name: "Kindness", Steps: 3},
		{Name: "Skates", Steps: 1},
		{Name: "Song", Steps: 2},
		{Name: "Candle", Faded: true},
	}
	for _, c := range []struct {
		what      string
		strengths []Strength
		plan      Action
		miracle   Action // without a fade: there is none
	}{
		{
			"one isn't ticked", strengths,
			Action{Strengths: refsOf("0", "1")},
			Action{Strengths: refsOf("0", "1"), Fade: "2", Miracle: "dice"},
		},
		{
			"all are ticked", strengths,
			Action{Strengths: refsOf("0", "1", "2")},
			Action{Strengths: refsOf("0", "2"), Fade: "1", Miracle: "dice"},
		},
		{"with one that has faded", strengths[2:], Action{}, Action{Fade: "0", Miracle: "dice"}},
		{
			"the last one", strengths[:1],
			Action{Strengths: refsOf("0")},
			Action{Strengths: refsOf(), Fade: "0", Miracle: "dice"},
		},
		{"a miracle already", strengths, Action{Strengths: refsOf("0"), Fade: "1", Miracle: "both"}, Action{}},
		{
			"the impossible already", strengths,
			Action{Strengths: refsOf("0"), Fade: "1", Miracle: "impossible"},
			Action{Strengths: refsOf("0"), Fade: "1", Miracle: "both"},
		},
		{"nothing left to fade", strengths[3:], Action{}, Action{}},
		{"nobody in particular", nil, Action{}, Action{}},
	} {
		s := game.Scene{Settings: Settings{}, Cast: map[string]game.Member{}}
		if c.strengths != nil {
			s.Actor = "anna"
			s.Cast["anna"] = game.Member{ID: "anna", Kind: "hero", Name: "Anna", Sheet: Hero{Strengths: c.strengths}}
		}
		a := Act{Action: c.plan, Pool: 4, Complexity: 2, Effort: "fiasco"}
		plain, effort, miracle := a, a, a
		plain.Effort, effort.Effort, miracle.Effort, miracle.Action = "never", "always", "never", c.miracle
		want := []game.Variant{{Word: "edda.variant.plain", Args: plain}, {Word: "edda.variant.effort", Args: effort}}
		if c.miracle.Fade != "" {
			word := "edda.variant.miracle"
			if left := slices.DeleteFunc(slices.Clone(c.strengths), func(s Strength) bool { return s.Faded }); len(
				left,
			) == 1 { // ED-23
				word = "edda.variant.miracle-last"
			}
			want = append(want, game.Variant{Word: word, Args: miracle})
		}
		got := actMove.Variants(s, a)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
		if c.what == "nothing left to fade" { // a hero in oblivion can't act
			continue
		}
		for _, v := range got {
			if err := actMove.Allow(s, v.Args); err != nil {
				t.Errorf("%s: %s is refused: %v", c.what, v.Word, err)
			}
		}
		if diff := cmp.Diff(Act{Action: c.plan, Pool: 4, Complexity: 2, Effort: "fiasco"}, a); diff != "" {
			t.Errorf("%s: the move itself has changed: %s", c.what, diff)
		}
	}
}

// A player who is about to fade the last strength sees the consequence, and so does Fate. ED-23
func TestFadingTheLastStrengthShowsTheConsequence(t *testing.T) {
	strengths := []Strength{{Name: "Skates", Faded: true}, {Name: "Kindness", Steps: 3}, {Name: "Song"}}
	sledge := []Gear{{Name: "Sledge", Strengths: []GearStrength{{Name: "Runs"}}}}
	for _, c := range []struct {
		strengths []Strength
		want      bool
	}{{strengths, false}, {strengths[:2], true}, {strengths[1:2], true}} {
		hero := Hero{Strengths: c.strengths, Gear: sledge}
		place := strconv.Itoa(slices.IndexFunc(c.strengths, func(s Strength) bool { return !s.Faded }))
		fade, _ := hero.fit(planForm).Field("fade")
		i := slices.IndexFunc(fade.Options, func(o form.Option) bool { return o.Value == place })
		if said := fade.Options[i].Word == "edda.sheet.last"; said != c.want {
			t.Errorf("%v: it's offered as %+v", c.strengths, fade.Options[i])
		}
		if strengths, _ := hero.fit(planForm).Field("strengths"); slices.ContainsFunc(
			strengths.Options,
			func(o form.Option) bool { return o.Word == "edda.sheet.last" },
		) {
			t.Errorf("%v: it isn't the last to be used: %+v", c.strengths, strengths.Options)
		}
		s := game.Scene{
			Actor:    "anna",
			Settings: Settings{Agree: true},
			Cast:     map[string]game.Member{"anna": {ID: "anna", Kind: "hero", Name: "Anna", Sheet: hero}},
		}
		sources := actMove.Sources(s, Act{Action: Action{Fade: place, Miracle: "impossible"}})
		if warned := slices.ContainsFunc(sources, func(s game.Source) bool {
			return s.Word == "edda.from.oblivion"
		}); warned != c.want {
			t.Errorf("%v: before the throw there stands %+v", c.strengths, sources)
		}
		result, err := rule.Play(
			func(r *rule.Run) bool { return fateAgrees(r, s, "anna", "", &Action{Fade: place}, staked{}, alone) },
			rule.Options{},
		)
		if err != nil || len(result.Open) != 1 {
			t.Fatal(result, err)
		}
		if about := result.Open[0].About.(AboutAction); about.Last != c.want || about.Fades == "" {
			t.Errorf("%v: Fate is asked about %+v", c.strengths, about)
		}
	}
}
