package godbound

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// The demo's story can be played: each move is allowed and uses all its dice, and the last two
// leave a question each.
func TestTheDemosStoryCanBePlayed(t *testing.T) {
	for _, v := range voices(t) {
		d := New().Demo(v.Speaker)
		s := game.Scene{Settings: standard, Cast: map[string]game.Member{}}
		for i, c := range d.Cast {
			id := fmt.Sprintf("c%d", i+1)
			kind, _ := New().Kind(c.Kind)
			sheet, err := kind.Decode(kind.Form.JSON(c.Sheet))
			if err != nil {
				t.Fatalf("%s: %s: %v", v.Lang(), c.Name, err)
			}
			s.Cast[id] = game.Member{ID: id, Kind: c.Kind, Name: c.Name, Sheet: sheet}
		}
		var open []string
		for i, beat := range d.Story {
			s.Actor = beat.By
			m, ok := New().Move(beat.Move)
			if !ok {
				t.Fatalf("there's no move %s", beat.Move)
			}
			f := m.Form.For(form.AtTable)
			args, err := m.Decode(m.Fit(s, f), f.JSON(beat.Args))
			if err == nil {
				err = m.Allow(s, args)
			}
			if err != nil {
				t.Fatalf("%s: move %d: %v", v.Lang(), i+1, err)
			}
			hand := dice.NewHand(beat.Dice)
			result, err := rule.Play(m.Play(s, args), rule.Options{Source: rule.HandSource(hand, true)})
			for _, answer := range beat.Answers {
				if err != nil || len(result.Open) == 0 {
					break
				}
				given, _ := json.Marshal(answer)
				var step rule.Step
				if step, err = result.Open[0].Step(given, ""); err == nil {
					result, err = rule.Play(
						m.Play(s, args),
						rule.Options{
							Trail:  append(slices.Clone(result.Trail), step),
							Source: rule.HandSource(hand, true),
						},
					)
				}
			}
			if err == nil {
				err = hand.CheckEmpty()
			}
			if err != nil {
				t.Errorf("%s: move %d: %v", v.Lang(), i+1, err)
			}
			if !result.Done {
				open = append(open, beat.By)
			}
			for _, e := range result.Events {
				if c, ok := game.AsChange(e.Event); ok {
					m := s.Cast[c.Whose()]
					m.Sheet = c.Apply(m.Sheet)
					s.Cast[m.ID] = m
				}
			}
		}
		if !slices.Equal(open, []string{"c4", "c3"}) {
			t.Errorf("%s: moves by %v wait, want those by c4 and c3", v.Lang(), open)
		}
		if arren := s.Cast["c1"].Sheet.(Hero); arren.RemainingHP() != 0 || arren.State != "" {
			t.Errorf("%s: the hero of the last question has %d HP and is %q", v.Lang(), arren.RemainingHP(),
				arren.State)
		}
	}
}

// The sources of a throw must add up to the number it needs.
func TestSourcesOfAThrowAddUp(t *testing.T) {
	hero := form.Blank[Hero]()
	hero.Attributes.Strength, hero.Bonus = 16, 3
	hero.Armour, hero.Hampered, hero.Saves.Evasion = "medium", Hampered{Evasion: true}, 12
	s := game.Scene{
		Actor:    "arren",
		Settings: standard,
		Cast:     map[string]game.Member{"arren": {ID: "arren", Kind: "hero", Name: "Arren", Sheet: hero}},
	}
	sum := func(sources []game.Source) (n, needs int) {
		for _, source := range sources {
			n += source.N
			if source.Word == "godbound.source.needs" {
				needs = source.Data["Needs"].(int)
			}
		}
		return n, needs
	}
	if n, needs := sum(checkMove.Sources(s, Check{Tested: "strength", Fact: "Blacksmith", Penalty: 2})); n != 2 ||
		needs != 21-16-n {
		t.Errorf("a check sums to %d and needs %d", n, needs)
	}
	if n, needs := sum(saveMove.Sources(s, Save{Save: "evasion", Penalty: 1})); n != -5 || needs != 12-n {
		t.Errorf("a save sums to %d and needs %d", n, needs)
	}
	if n, _ := sum(attackMove.Sources(s, Attack{Bonus: 1})); n != 6 {
		t.Errorf("an attack sums to %d", n)
	}
	s.Actor = ""
	for _, m := range []struct {
		move *game.Move
		args any
	}{{&checkMove, Check{}}, {&saveMove, Save{}}, {&attackMove, Attack{}}} {
		if got := m.move.Sources(s, m.args); got != nil {
			t.Errorf("%s without a hero: %v", m.move.ID, got)
		}
	}
}

// Characters who are out of the fight aren't offered, but the rule explains why if they are named.
func TestFallenCharactersAreNotOffered(t *testing.T) {
	m, _ := New().Move("attack")
	scene := game.Scene{Actor: "hero", Settings: New().Settings.Default, Cast: map[string]game.Member{
		"hero": {ID: "hero", Kind: "hero", Name: "Vera", Sheet: Hero{Level: 1}},
		"foe":  {ID: "foe", Kind: "foe", Name: "Wolf", Sheet: Foe{HD: 2, Count: 1}},
		"dead": {ID: "dead", Kind: "foe", Name: "Bear", Sheet: Foe{HD: 4, Fate: "slain"}},
	}}
	field, _ := m.Fit(scene, m.Form.For(form.AtTable)).Field("target")
	if offered := field.CurrentOptions(); len(offered) != 1 || offered[0].Value != "foe" || len(field.Options) != 2 {
		t.Errorf("offered %+v of %+v", offered, field.Options)
	}
}
