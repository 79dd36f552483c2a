package mage

import (
	"testing"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// The strip shows the scene and, if turns are counted, who has acted in this one: made their one
// action, or all that they declared. MG-30, MG-10
func TestStripShowsWhoHasActed(t *testing.T) {
	who := func(counted, acted bool, due ...Due) Character {
		c := form.Blank[Character]()
		c.Clock.Turn, c.Clock.Counted, c.Clock.Acted, c.Actions = 3, counted, acted, due
		return c
	}
	words, err := lang.Load(wordFiles)
	if err != nil {
		t.Fatal(err)
	}
	v := game.Voice{Speaker: words.In(lang.En)}
	for want, s := range map[string]game.Scene{
		"Chapter 1, scene 1.  ": {Cast: map[string]game.Member{"a": {ID: "a", Sheet: who(false, true)}}},
		"Chapter 1, scene 1, turn 3. a✓bc✓ clock": {Cast: map[string]game.Member{
			"a": {ID: "a", Sheet: who(true, true)}, "b": {ID: "b", Sheet: who(true, false, Due{Done: true}, Due{})},
			"c": {ID: "c", Sheet: who(true, false, Due{Done: true})},
		}},
	} {
		on := timeOf(s, nil)[0]
		got := on.Scene(v) + " "
		for _, p := range on.Order(v) {
			got += p.Who
			if p.Acted {
				got += "✓"
			}
		}
		move, _, args := on.Pass()
		if clock := form.Of[Advance](); move != "" {
			if err := clock.Decode([]byte(clock.JSON(args)), &Advance{}); err != nil {
				t.Errorf("the next turn, by the strip: %v", err)
			}
		}
		if got += " " + move; got != want {
			t.Errorf("the strip says %q, not %q", got, want)
		}
	}
	if timeOf(game.Scene{}, nil) != nil {
		t.Error("nobody is here, and time passes")
	}
}
