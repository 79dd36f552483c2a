package script

import (
	"strings"
	"testing"
)

// A table plays on by its stored text, with slips that earlier versions accepted; in a new text each
// is an error.
func TestATextThatATableHasKeptPlaysOn(t *testing.T) {
	const whole = `game("Camp")
hero = sheet("Hero", strength = number("Strength", 0, 5, start = 2))
seen = good("seen")
def watch(me):
    throw(1, 6)
    return seen
move(watch, "Watch", by = hero, odds = False)
`
	for _, c := range []struct{ name, right, slip, mistake string }{
		{"a flag that isn't one", "odds = False", "odds = 0", "odds"},
		{"an argument of another field", "start = 2)", "start = 2, hides = False)", "hides"},
	} {
		text := Text{Game: strings.Replace(whole, c.right, c.slip, 1)}
		if text.Game == whole {
			t.Fatalf("%s: nothing was replaced", c.name)
		}
		if _, err := CompileKept(text); err != nil {
			t.Errorf("%s: the table's game doesn't open: %v", c.name, err)
		}
		if _, err := Compile(text); err == nil || !strings.Contains(err.Error(), c.mistake) {
			t.Errorf("%s: a new text is told %v", c.name, err)
		}
	}
	if _, err := CompileKept(Text{Game: whole}); err != nil {
		t.Error(err)
	}

	for name, slip := range map[string]string{
		"both ways to keep":      "keep(2, 6, highest = 1, lowest = 1)",
		"a surplus of a release": "let_go(me, foe = 1)",
	} {
		text := attemptBy("def attempt(me):\n    " + slip + "\n    return done")
		g, err := CompileKept(Text{Game: text})
		if err != nil {
			t.Fatal(err)
		}
		if err := attempted(t, g); err != nil {
			t.Errorf("%s: the table's rule breaks off: %v", name, err)
		}
		if g, err = Compile(Text{Game: text}); err == nil {
			err = attempted(t, g)
		}
		if err == nil {
			t.Errorf("%s: a new text isn't told", name)
		}
	}
}
