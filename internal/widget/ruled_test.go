package widget_test

import (
	"testing"

	"norn/internal/widget"
)

func TestIDsInBracketsAreTakenOutOfAText(t *testing.T) {
	for text, want := range map[string][2]string{
		"Harder next time (MG-12).":                    {"Harder next time.", "MG-12"},
		"May botch (MG-05, MG-06). Or not (MG-20).":    {"May botch. Or not.", "MG-05, MG-06, MG-20"},
		"MG-12 stays in its sentence, so does (this).": {"MG-12 stays in its sentence, so does (this).", ""},
		"Не больше трёх (SP-08), как решил ведущий.":   {"Не больше трёх, как решил ведущий.", "SP-08"},
		"A range (see MG-02) is part of what is said.": {"A range (see MG-02) is part of what is said.", ""},
	} {
		if rest, ids := widget.AsideIDs(text); rest != want[0] || ids != want[1] {
			t.Errorf("%q: %q and %q", text, rest, ids)
		}
	}
}
