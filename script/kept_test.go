package script

import (
	"strings"
	"testing"
)

// A table plays on by the text that it has kept, with slips that earlier versions let pass; a new text
// is told of each.
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
}
