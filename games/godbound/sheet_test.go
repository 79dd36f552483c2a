package godbound

import (
	"encoding/json"
	"strings"
	"testing"

	"norn/game"
	"norn/rule"
)

func TestModifiersFollowFromScores(t *testing.T) {
	for score, want := range map[int]int{
		3: -3, 4: -2, 5: -2, 6: -1, 8: -1, 9: 0, 12: 0, 13: 1, 15: 1, 16: 2, 17: 2,
		18: 3, 19: 4, 25: 4,
	} {
		if got := modifier(score); got != want {
			t.Errorf("a score of %d modifies by %d, want %d", score, got, want)
		}
	}
}

// GB-26: scale times degree.
func TestAPriceIsScaleTimesDegree(t *testing.T) {
	for degree, times := range map[string]int{"plausible": 1, "improbable": 2, "impossible": 4} {
		for scale, price := range map[string]int{"village": 1, "city": 2, "region": 4, "nation": 8, "world": 16} {
			if got := (Project{Scale: scale, Degree: degree}).price(); got != price*times {
				t.Errorf("%s, %s costs %d, want %d", scale, degree, got, price*times)
			}
		}
	}
}

// GB-25: one more for every full three levels after the second.
func TestFreeDivinityGrowsEveryThreeLevels(t *testing.T) {
	for level, want := range map[int]int{1: 1, 2: 1, 4: 1, 5: 2, 7: 2, 8: 3, 11: 4, 20: 7} {
		if got := (Hero{Level: level, Divinity: "free"}).income(); got != want {
			t.Errorf("level %d brings %d, want %d", level, got, want)
		}
	}
}

// Sheets that the rules forbid are refused.
func TestSheetsThatTheRulesForbidAreRefused(t *testing.T) {
	hero, _ := New().Kind("hero")
	foe, _ := New().Kind("foe")
	for _, c := range []struct {
		kind game.Kind
		text string
		want string // the rule or the field; "" if the sheet is valid
	}{
		{hero, `{}`, ""},
		{hero, `{"attributes": {"strength": 19}, "words": [{"name": "Might"}]}`, ""},
		{hero, `{"attributes": {"strength": 19}}`, "GB-06"},
		{hero, `{"hp": 9, "lost": 10}`, "lost: must be 0 to 9"},
		{hero, `{"armour": "medium"}`, "GB-07"},
		{hero, `{"hampered": {"spirit": true}}`, "GB-07"},
		{hero, `{"armour": "heavy", "hampered": {"spirit": true, "evasion": true}}`, ""},
		{hero, `{"weapons": [{"name": "Spear", "dice": "long"}]}`, "GB-10"},
		{hero, `{"fray": "lots"}`, "GB-10"},
		{hero, `{"influence": {"total": 1, "committed": 2}}`, "GB-26"},
		{hero, `{"effort": {"total": 1, "committed": [{}, {}]}}`, "GB-18"},
		{hero, `{"effort": {"total": 2, "committed": [{"for": "a", "purpose": "gift"}, {"for": "a", "purpose": "gift"}]}}`, "GB-18"},
		{hero, `{"effort": {"total": 2, "committed": [{"purpose": "save"}, {"purpose": "save"}]}}`, ""},
		{foe, `{"hd": 3, "lost": 3}`, "lost: must be 0 to 2"},
		{foe, `{"attacks": [{"name": "Claw", "dice": "3d8kh1"}]}`, "GB-10"},
		{foe, `{"effort": {"committed": [{}]}}`, "GB-18"},
	} {
		_, err := c.kind.Decode([]byte(c.text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// Only the game master sees foes' numbers.
func TestPlayersSeeNoNumbersOfFoes(t *testing.T) {
	gm, player := game.Viewer{Role: game.Master}, game.Viewer{Role: game.Player}
	secret := Foe{
		HD: 61, Lost: 62, Count: 3, AC: -7, Save: 12, Morale: 11, Bonus: 63,
		Attacks: []Blows{{Name: "Sixty-four", Dice: "6d4"}},
		Actions: 2, Effort: Effort{Total: 5}, Notes: "a spy",
	}
	events := []rule.Event{
		FoeHurt{Who: "kirou", Points: 2, Count: 3, Lost: 62, HD: 61},
		EffortCommitted{Who: "kirou", Commitment: Commitment{For: "sixty", Purpose: "gift"}, Foe: true},
		EffortReturned{Who: "kirou", Back: []Commitment{{For: "sixty"}}, Foe: true},
		Mended{Who: "kirou", Points: 61, Foe: true},
		TimePassed{Who: "kirou", Why: "sixty", Foe: true},
	}
	seen := func(v game.Viewer) string {
		shown := showSheet(v, standard, "kirou", secret)
		all := []any{shown, tracksOf(shown)}
		for _, e := range events {
			if e, ok := showEvent(v, standard, e); ok {
				all = append(all, e)
			}
		}
		data, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got := seen(gm); strings.Count(got, "6") < 8 || !strings.Contains(got, "spy") {
		t.Errorf("the GM doesn't see everything: %s", got)
	}
	if got := seen(player); strings.Contains(got, "6") || strings.Contains(got, "sixty") ||
		strings.Contains(got, "spy") ||
		strings.Contains(got, "Sixty") {
		t.Errorf("a player sees a foe's numbers: %s", got)
	}
	if _, ok := showEvent(player, standard,
		EffortCommitted{Who: "kirou", Commitment: Commitment{Purpose: "save"}, Foe: true}); !ok {
		t.Error("a player doesn't see a foe's Effort turn a save")
	}
	for label, open := range map[string]bool{
		"check": true, "save": true, "attack": true, "damage": true, "fray": true, "foe-attack": true,
		"foe-save": false, "morale": false, "unheard-of": false,
	} {
		if got := showThrow(player, standard, rule.Throw{For: label}); got != open {
			t.Errorf("a player sees dice for %s: %v", label, got)
		}
		if !showThrow(gm, standard, rule.Throw{For: label}) {
			t.Errorf("the GM doesn't see dice for %s", label)
		}
	}
}
