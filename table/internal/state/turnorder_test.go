package state

import (
	"slices"
	"testing"

	"norn/game"
)

// Who has acted has, until all have: then another round begins. Who throws again begins anew, and who isn't seen counts for nobody.
func TestDrawing(t *testing.T) {
	throw := func(who string) Drawn { return Drawn{Who: who} }
	acts := func(who string) Drawn { return Drawn{Who: who, Acted: true} }
	drawn := Draws{throw("a"), throw("b"), throw("unseen"), acts("b"), acts("nobody")}
	seen := func() (all []game.Drawn) { return drawn.Now(func(d Drawn) bool { return d.Who != "unseen" }) }
	want := func(what string, want ...game.Drawn) {
		t.Helper()
		if got := seen(); !slices.Equal(got, want) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	want("one has acted", game.Drawn{Who: "a", Round: 1}, game.Drawn{Who: "b", Round: 1, Acted: true})
	drawn = append(drawn, acts("a"))
	want("both have", game.Drawn{Who: "a", Round: 2}, game.Drawn{Who: "b", Round: 2})
	drawn = append(drawn, throw("c"), acts("c"))
	want("one comes later", game.Drawn{Who: "a", Round: 2}, game.Drawn{Who: "b", Round: 2}, game.Drawn{Who: "c", Round: 2, Acted: true})
	drawn = append(drawn, throw("a"))
	want("thrown again", game.Drawn{Who: "a", Round: 1})
	drawn = append(drawn, Drawn{Over: true})
	want("over")
}
