package lang_test

import (
	"testing"

	"norn/lang"
)

func TestDiceNotationUsesTheReadersLanguage(t *testing.T) {
	words := load(t)
	for text, want := range map[string]string{
		"1d8":          "1к8",
		"2D10+3, к6":   "2к10+3, к6",
		"4d6kh3 + d%":  "4к6kh3 + к%",
		"armed d by 5": "armed d by 5",
		"mod8":         "mod8",
		"":             "",
	} {
		if got := words.In(lang.Ru).Notation(text); got != want {
			t.Errorf("%q is written %q in Russian, want %q", text, got, want)
		}
	}
	if got := words.In(lang.En).Notation("1к8+2"); got != "1d8+2" {
		t.Errorf("1к8+2 is written %q in English", got)
	}
	if got := words.In(lang.Uk).Die(10); got != "к10" {
		t.Errorf("a d10 is %q in Ukrainian", got)
	}
}
