package edda

import (
	"encoding/json"
	"strings"
	"testing"

	"norn/game"
	"norn/rule"
)

// Players see only some parts of Fate's characters.
func TestPlayersSeeOnlyPartsOfFatesCharacters(t *testing.T) {
	frost := Fated{
		Dice:       61,
		Conditions: []Condition{{Name: "Cracked", Kind: "body", Size: 2}},
		Advantages: []Circumstance{{Name: "Hidden door", Size: 3}},
		Notes:      "a spy",
	}
	for role, secret := range map[game.Role]bool{game.Master: false, game.Player: true, game.Spectator: true} {
		v := game.Viewer{Role: role}
		data, err := json.Marshal(
			map[string]any{
				"sheet":  showSheet(v, Settings{}, "frost", frost),
				"tracks": tracksOf(showSheet(v, Settings{}, "frost", frost)),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		seen := string(data)
		if !strings.Contains(seen, "Cracked") {
			t.Errorf("a %s doesn't see the conditions: %s", role, seen)
		}
		for _, hidden := range []string{"61", "Hidden door", "spy"} {
			if strings.Contains(seen, hidden) == secret {
				t.Errorf("a %s and %q: %s", role, hidden, seen)
			}
		}
	}
}

// Heroes' sheets are open, and all events about them are visible to everybody.
func TestHeroesSheetsAreOpenToAll(t *testing.T) {
	v := game.Viewer{Role: game.Player}
	hero := Hero{
		Experience: 7,
		Conditions: []Condition{
			{Name: fatigue, Kind: "body", Size: 2},
			{Name: "Fear", Kind: "mind", Size: 3},
			{Name: "Grief", Kind: "mind", Size: 1},
		},
	}
	tracks := tracksOf(showSheet(v, Settings{}, "anna", hero))
	if len(tracks) != 3 || tracks[0].Now != 2 || tracks[1].Now != 3 || tracks[2].Now != 7 {
		t.Errorf("tracks %+v", tracks)
	}
	for _, e := range New().Events {
		event, err := New().Decode(e.Type, e.Version, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if _, shown := view.ShowEvent(v, Settings{}, event); !shown {
			t.Errorf("a player doesn't see %s", e.Type)
		}
	}
	for _, label := range []string{"pool", "pool-again", "against", "against-again"} {
		if !view.SeesThrow(v, Settings{}, rule.Throw{For: label}) {
			t.Errorf("a player doesn't see dice for %s", label)
		}
	}
}
