package table_test

import (
	"testing"

	"norn/game"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
)

func TestPlayersCannotTakeALookAlikeName(t *testing.T) {
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
		_, err := table.Do(t.Context(), d.boris, act.RenameSeat, act.RenameRequest{Seat: d.boris.ID(), Name: c.name},
			"")
		if taken := code(err) == refusal.CodeRefused; taken != c.taken || !taken && err != nil {
			t.Errorf("%s: %q: %v", name, c.name, err)
		}
		if err == nil {
			if _, err := table.Do(t.Context(), d.boris, act.RenameSeat,
				act.RenameRequest{Seat: d.boris.ID(), Name: "Boris"}, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := table.Do(t.Context(), d.boris, act.RenameSeat, act.RenameRequest{Seat: d.boris.ID(), Name: "\u3164"},
		""); code(err) != refusal.CodeRefused {
		t.Errorf("a name of which nothing is seen: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.RenameSeat, act.RenameRequest{Seat: ivan.ID(), Name: "Anna"},
		""); err != nil {
		t.Errorf("a game master names whom they like: %v", err)
	}
}

func TestPlayersCharactersCannotTakeALookAlikeName(t *testing.T) {
	d := newDesk(t)
	for name, taken := range map[string]bool{
		"Lirа": true, "АNNA": true, "Orm": false, "Boris": false,
		"Nobody": false,
	} {
		_, added := table.Do(t.Context(), d.boris, act.AddCharacter, act.CharacterRequest{Name: name, Kind: "hero"}, "")
		_, changed := table.Do(t.Context(), d.boris, act.ChangeCharacter, act.ChangeRequest{ID: d.other, Name: &name},
			"")
		for what, err := range map[string]error{"added": added, "renamed": changed} {
			if (code(err) == refusal.CodeRefused) != taken || !taken && err != nil {
				t.Errorf("%s as %q: %v", what, name, err)
			}
		}
	}
	name := "Lira"
	if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Name: &name, Sheet: raw(`{}`)}, ""); err != nil {
		t.Errorf("a name that stays: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.AddCharacter, act.CharacterRequest{Name: "Lira", Kind: "shade"},
		""); err != nil {
		t.Errorf("a game master's: %v", err)
	}
}
