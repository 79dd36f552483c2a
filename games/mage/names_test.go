package mage

import "testing"

func TestSpellingVariantsAreTheSameAttempt(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Открыть щёлку", "открыть  щелку", true},
		{"open the door’s lock", "Open the doors lock", false},
		{"open the door’s lock", "Open the door's lock ", true},
		{"pick lock", "picklock", true},
		{"pick lock", "pick pocket", false},
	} {
		if sameAttempt(c.a, c.b) != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, !c.same)
		}
	}
}
