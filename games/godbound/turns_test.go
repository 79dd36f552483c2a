package godbound

import (
	"testing"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// The strip has the fights that are on: the side first whose turn it is, and who has acted; a foe with several actions still may. GB-01, GB-02, GB-04
func TestTurns(t *testing.T) {
	foe := form.Blank[Foe]()
	foe.Actions = 2
	on := Fight{Round: 2, First: "heroes", Turn: "foes", Fighters: []Fighter{
		{Who: "a", Side: "heroes", Acted: 1}, {Who: "b", Side: "foes", Acted: 1}, {Who: "c", Side: "foes", Acted: 1},
	}}
	s := game.Scene{Cast: map[string]game.Member{
		"f": {ID: "f", Name: "The gate", Sheet: on}, "g": {ID: "g", Sheet: Fight{}}, "a": {ID: "a", Sheet: form.Blank[Hero]()},
		"b": {ID: "b", Sheet: foe}, "c": {ID: "c", Sheet: ShownFoe{Count: 1}},
	}}
	all := fightsOn(s, nil)
	if len(all) != 1 {
		t.Fatalf("%d fights", len(all))
	}
	words, err := lang.Load(wordFiles)
	if err != nil {
		t.Fatal(err)
	}
	v := game.Voice{Speaker: words.In(lang.En)}
	var got string
	for _, p := range all[0].Order(v) {
		got += p.Who
		if p.Acted {
			got += "✓"
		}
		if p.Now {
			got += "!"
		}
	}
	if got != "b!c✓a✓" {
		t.Errorf("the order is %s", got)
	}
	if scene := all[0].Scene(v); scene != "The gate · round 2" || all[0].Turn(v) != "Their foes act" {
		t.Errorf("%q, %q", scene, all[0].Turn(v))
	}
	if move, actor, _ := all[0].Pass(); move != "next" || actor != "f" {
		t.Errorf("passed by %s of %s", move, actor)
	}
}

// A natural 20 is marked where it counts by itself: on attacks and saves, not on checks. GB-06, GB-07, GB-09
func TestANaturalTwentyIsMarked(t *testing.T) {
	for purpose, want := range map[string]game.Mark{"attack": game.Natural, "save": game.Natural, "check": game.Deciding} {
		if marks := deciding(rule.Thrown{For: purpose, Sides: 20, Faces: []int{20, 19}}); marks[0] != want || marks[1] != game.Deciding || !marks[0].Decides() {
			t.Errorf("%s: %q", purpose, marks)
		}
	}
}
