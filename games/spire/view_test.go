package spire

import (
	"encoding/json"
	"strings"
	"testing"

	"norn/game"
	"norn/rule"
)

// SP-28: each setting shows players something different of stress.
func TestPlayersSeeStressAsTheSettingSays(t *testing.T) {
	hero := Character{
		Stress: Marks{Blood: 61, Mind: 62}, Slots: Marks{Blood: 1}, Skills: []Skill{{Name: "sneak"}},
		Bonds: []Bond{{Name: "Old Verris", NPC: true, Stress: 63}},
	}
	gm, player := game.Viewer{Role: game.Master}, game.Viewer{Role: game.Player, Owns: map[string]bool{"lira": true}}
	events := []rule.Event{
		StressMarked{Who: "lira", Resistance: Blood, Amount: 61, Now: 62},
		StressCleared{Who: "lira", Cleared: Marks{Blood: 61}},
		BondMarked{Who: "lira", Bond: "Old Verris", Amount: 61, Now: 63},
		BondCleared{Who: "lira", Bond: "Old Verris", Amount: 61},
		FalloutAvoided{Who: "lira", Total: 61},
		FalloutStruck{Who: "lira", Resistance: Blood, Severity: "severe", Total: 61},
		game.Resolved{Who: "lira", Outcome: rule.Outcome{ID: "stress", N: 61}},
		game.Resolved{Who: "lira", Outcome: rule.Outcome{ID: "cleared", N: 61}},
		NPCHarmed{Who: "guard", Amount: 2, Now: 61, Size: 62},
	}
	bytesFor := func(v game.Viewer, shown string) string {
		settings := Settings{StressShown: shown}
		var all []any
		all = append(
			all,
			showSheet(v, settings, "lira", hero),
			tracksOf(showSheet(v, settings, "lira", hero)),
			showSheet(v, settings, "guard", NPC{Stress: 61, Resistance: 62, Notes: "a spy, 63"}),
		)
		for _, e := range events {
			if seen, ok := showEvent(v, settings, e); ok {
				all = append(all, seen)
			}
		}
		data, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, shown := range []string{"numbers", "words", "hidden"} {
		if got := bytesFor(gm, shown); strings.Count(got, "61") < 8 || !strings.Contains(got, "spy") {
			t.Errorf("%s: the GM doesn't see everything: %s", shown, got)
		}
	}
	if got := bytesFor(player, "numbers"); !strings.Contains(got, `"blood":61`) ||
		!strings.Contains(got, `"total":122`) ||
		strings.Contains(got, "spy") {
		t.Errorf("numbers: %s", got)
	}
	words := bytesFor(player, "words")
	if !strings.Contains(words, `"band":"breaking"`) || strings.Contains(words, "6") {
		t.Errorf("words: bands without numbers are wanted: %s", words)
	}
	hidden := bytesFor(player, "hidden")
	if strings.Contains(hidden, "6") || strings.Contains(hidden, "breaking") || strings.Contains(hidden, "felt") {
		t.Errorf("hidden: nothing of stress may be seen: %s", hidden)
	}
	if !strings.Contains(hidden, "sneak") || !strings.Contains(hidden, "severe") {
		t.Errorf("hidden: the rest of the sheet and the fallout are no secret: %s", hidden)
	}
	for label, seen := range map[string]bool{
		"pool": true, "harm": true, "stress": false, "fallout": false,
		"clear": false,
	} {
		if got := showThrow(player, Settings{StressShown: "words"}, rule.Throw{For: label}); got != seen {
			t.Errorf("a player sees dice for %s: %v", label, got)
		}
	}
	for label := range map[string]bool{"pool": true, "stress": true, "unheard-of": true} {
		if !showThrow(gm, Settings{StressShown: "hidden"}, rule.Throw{For: label}) {
			t.Errorf("the GM doesn't see dice for %s", label)
		}
	}
}

// SP-28: players who see no numbers can't change them.
func TestPlayersCannotChangeHiddenStress(t *testing.T) {
	k, _ := New().Kind("character")
	player := game.Viewer{Role: game.Player}
	locked := lockedMembers(player, Settings{StressShown: "words"}, "character")
	if _, err := k.Patch(Character{}, []byte(`{"stress": {"blood": 0}}`), locked...); err == nil {
		t.Error("a player wrote hidden stress")
	}
	changed, err := k.Patch(Character{Stress: Marks{Blood: 4}, Class: "Idol"}, []byte(`{"class": "Lajhan"}`), locked...)
	if err != nil {
		t.Fatal(err)
	}
	if c := changed.(Character); c.Stress.Blood != 4 || c.Class != "Lajhan" {
		t.Errorf("changed to %+v", c)
	}
	if lockedMembers(player, Settings{StressShown: "numbers"}, "character") != nil {
		t.Error("a player who sees numbers may write them")
	}
}
