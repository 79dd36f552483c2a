package eclipse

import (
	"encoding/json"
	"strings"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// otho is an NPC with numbers to hide.
var otho = NPC{
	Character: Character{
		Morph: "Ghost", Skills: []Skill{{
			Name: "guns", Aptitude: "ref", Kind: "combat", Value: 62, Field: "railguns",
			Defaultable: true,
		}},
		Pools: Pools{Vigor: Pool{Now: 9, Max: 9, Temporary: 7}}, Effects: []Effect{{Kind: "next", N: -10}}, Wounds: 7,
	},
	Notes: "a spy",
}

// Players see the results of an NPC's throws, and none of its numbers.
func TestPlayersSeeNoNumbersOfNPCs(t *testing.T) {
	s := game.Scene{Actor: "otho", Settings: standard, Cast: map[string]game.Member{
		"otho": {ID: "otho", Kind: "npc", Name: "Otho", Sheet: otho},
		"lira": {ID: "lira", Kind: "character", Name: "Lira", Sheet: Character{Aptitudes: Aptitudes{Ref: 10}}},
	}}
	play := opposedMove.Play(
		s,
		Opposed{
			Rival:         "lira",
			AgainstTarget: 50,
			Roll:          Roll{On: "skill:guns/railguns", Boost: true, Situation: "minor-boon", Health: "overall"},
		},
	)
	done, err := rule.Play(play, rule.Options{
		Source: rule.HandSource(dice.NewHand([]int{44, 29}), false),
		Policy: rule.Policy{"eclipse.defence": Defence{On: "check:ref", Situation: "even"}},
	})
	if err != nil || !done.Done {
		t.Fatal(err, done.Open)
	}
	events := []rule.Event{
		BoonGained{Who: "otho", Boon: Boon{Aptitude: "ref", Points: 2}, Hidden: true},
		Recharged{Who: "otho", Back: Points{Vigor: 9}, Hidden: true},
		EffectEnded{Who: "otho", Hidden: true},
		DayBegun{Who: "otho", Hidden: true},
	}
	for _, told := range done.Events {
		events = append(events, told.Event)
	}
	seen := func(v game.Viewer) string {
		all := []any{showSheet(v, standard, "otho", otho), tracksOf(showSheet(v, standard, "otho", otho))}
		for _, e := range events {
			if shown, ok := view.ShowEvent(v, standard, e); ok {
				all = append(all, shown)
			}
		}
		data, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	gm, player := seen(game.Viewer{Role: game.Master}), seen(game.Viewer{Role: game.Player})
	for _, secret := range []string{"62", "railguns", "a spy", `"left"`, `"hidden":true`} {
		if strings.Contains(player, secret) {
			t.Errorf("a player sees %q: %s", secret, player)
		}
		if !strings.Contains(gm, secret) {
			t.Errorf("the GM doesn't see %q: %s", secret, gm)
		}
	}
	for _, open := range []string{"Ghost", `"roll":44`, "critical-success", `"target":30`, `"outcome":"win"`} {
		if !strings.Contains(player, open) {
			t.Errorf("a player doesn't see %s: %s", open, player)
		}
	}
	for role, all := range map[game.Role]bool{game.Master: true, game.Player: false, game.Spectator: false} {
		for purpose, public := range map[string]bool{
			"d100": true, "damage": true, "initiative": true, "recharge": true,
			"unheard-of": false,
		} {
			if got := showThrow(game.Viewer{Role: role}, standard, rule.Throw{For: purpose}); got != (all || public) {
				t.Errorf("a %s sees dice for %s: %v", role, purpose, got)
			}
		}
	}
}

// Derived numbers follow from the sheet and can't be set.
func TestDerivedNumbersAreComputedAndCannotBeSet(t *testing.T) {
	shown := showSheet(game.Viewer{Role: game.Player}, standard, "lira", lira).(Shown)
	if shown.Checks.Cog != 60 || shown.Checks.Sav != 30 || shown.Speed != 6 {
		t.Errorf("checks %+v, initiative %d", shown.Checks, shown.Speed)
	}
	kind, _ := New().Kind("character")
	for _, typed := range []string{`{"checks": {"cog": 90}}`, `{"initiative": 9}`} {
		if _, err := kind.Patch(lira, []byte(typed)); err == nil {
			t.Errorf("%s was typed", typed)
		}
	}
	task := showSheet(game.Viewer{}, standard, "repair", Task{Needs: 240, Spent: 90}).(ShownTask)
	if task.Left != 150 || tracksOf(task)[0].Now != 1 {
		t.Errorf("%+v", task)
	}
}
