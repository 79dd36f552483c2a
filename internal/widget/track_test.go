package widget

import "testing"

// Names of levels are shortened as people would shorten them.
func TestNamesOfLevelsAreCutAtWords(t *testing.T) {
	for name, want := range map[string]string{
		"HP": "HP", "Shadow": "Shadow", "Reputation": "Rep.", "Willpower": "Will.", "Репутация": "Реп.",
		"Квинтэссенция": "Квин.", "Сила воли": "СВ", "Hit points": "HP", "Guard level": "Guard",
		"Непритомність": "Непр.",
	} {
		if got := short(name); got != want {
			t.Errorf("%s is cut to %s, not %s", name, got, want)
		}
	}
}
