package edda

import (
	"testing"

	"norn/form"
)

func TestSpellingVariantsAreTheSameCondition(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		alike bool
	}{
		{"Ёжится", "ежится", true},
		{"Broken  leg", "broken leg ", true},
		{"Wolf’s bite", "wolf's bite", true},
		{"Усталость", "fatigue", true},
		{"Утома\u200b", "УСТАЛОСТЬ", true},
		{"Broken leg", "Broken arm", false},
	} {
		a, b := newCondition(form.Trait(c.a), "", 1), newCondition(form.Trait(c.b), "", 1)
		if a.alike(b) != c.alike {
			t.Errorf("%q and %q: %v", c.a, c.b, !c.alike)
		}
	}
}
