package table_test

import (
	"testing"

	"norn/game"
	"norn/table/refusal"
	"norn/table/request"
)

func TestAPlayerCantTakeANameThatLooksLikeAnothers(t *testing.T) {
	d := newDesk(t)
	ivan := d.invite("Иван Рог", game.Player)
	for name, c := range map[string]struct {
		name  string
		taken bool
	}{
		"the same":                    {"Anna", true},
		"another case":                {"aNNA", true},
		"Cyrillic letters":            {"Аnnа", true},
		"a sign that isn't seen":      {"An\u200dna", true},
		"a mark that is hardly seen":  {"Ann\u0323a", true},
		"full width":                  {"\uff21nna", true},
		"a space":                     {"An na", true},
		"a sign of direction":         {"\u2066Anna\u2069", true},
		"Latin letters for Cyrillic":  {"Ивaн Pог", true},
		"other letters for Ivan":      {"иВАН РОГ", true},
		"a digit for a letter":        {"Иван Р0г", true},
		"the game master's":           {"GM", true},
		"a character of another":      {"Lirа", true},
		"a character that isn't seen": {"SECRET shade", false},
		"their own, otherwise":        {"BORIS", false},
		"their own character's":       {"Orm", false},
		"like nobody's":               {"Hanna", false},
	} {
		_, err := d.boris.RenameSeat(t.Context(), d.boris.ID(), c.name, "")
		if taken := code(err) == refusal.CodeRefused; taken != c.taken || !taken && err != nil {
			t.Errorf("%s: %q: %v", name, c.name, err)
		}
		if err == nil {
			if _, err := d.boris.RenameSeat(t.Context(), d.boris.ID(), "Boris", ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := d.boris.RenameSeat(t.Context(), d.boris.ID(), "\u3164", ""); code(err) != refusal.CodeRefused {
		t.Errorf("a name of which nothing is seen: %v", err)
	}
	if _, err := d.gm.RenameSeat(t.Context(), ivan.ID(), "Anna", ""); err != nil {
		t.Errorf("a game master names whom they like: %v", err)
	}
}

func TestAPlayersCharacterCantLookLikeSomebodyElse(t *testing.T) {
	d := newDesk(t)
	for name, taken := range map[string]bool{"Lirа": true, "АNNA": true, "Orm": false, "Boris": false, "Nobody": false} {
		_, added := d.boris.AddCharacter(t.Context(), request.NewCharacter{Name: name, Kind: "hero"})
		_, changed := d.boris.ChangeCharacter(t.Context(), request.Change{ID: d.other, Name: &name})
		for what, err := range map[string]error{"added": added, "renamed": changed} {
			if (code(err) == refusal.CodeRefused) != taken || !taken && err != nil {
				t.Errorf("%s as %q: %v", what, name, err)
			}
		}
	}
	name := "Lira"
	if _, err := d.anna.ChangeCharacter(t.Context(), request.Change{ID: d.hero, Name: &name, Sheet: raw(`{}`)}); err != nil {
		t.Errorf("a name that stays: %v", err)
	}
	if _, err := d.gm.AddCharacter(t.Context(), request.NewCharacter{Name: "Lira", Kind: "shade"}); err != nil {
		t.Errorf("a game master's: %v", err)
	}
}
