package lang_test

import (
	"testing"

	"norn/lang"
)

func TestSlipsCountTypingMistakes(t *testing.T) {
	for _, c := range []struct {
		from, to string
		slips    int
	}{
		{"", "", 0},
		{"check", "check", 0},
		{"", "abc", 3},
		{"chekc", "check", 1},
		{"chck", "check", 1},
		{"cheeck", "check", 1},
		{"check", "chuck", 1},
		{"проверка", "провека", 1},
		{"стерсс", "стресс", 1},
		{"abc", "xyz", 3},
	} {
		if there, back := lang.EditDistance(c.from, c.to), lang.EditDistance(c.to, c.from); there != c.slips ||
			back != c.slips {
			t.Errorf("%q and %q are %d and %d slips apart, want %d", c.from, c.to, there, back, c.slips)
		}
	}
}
