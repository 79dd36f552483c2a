package state

import (
	"slices"
	"testing"

	"norn/game"
)

// When all characters have acted, a new round begins. A new roll starts over, and an
// unseen roll doesn't count.
func TestNewRoundBeginsOnceAllHaveActed(t *testing.T) {
	throw := func(who string) OrderThrow { return OrderThrow{Who: who} }
	acts := func(who string) OrderThrow { return OrderThrow{Who: who, Acted: true} }
	drawn := OrderThrows{throw("a"), throw("b"), throw("unseen"), acts("b"), acts("nobody")}
	seen := func() (all []game.OrderThrow) { return drawn.Now(func(d OrderThrow) bool { return d.Who != "unseen" }) }
	want := func(what string, want ...game.OrderThrow) {
		t.Helper()
		if got := seen(); !slices.Equal(got, want) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	want("one has acted", game.OrderThrow{Who: "a", Round: 1}, game.OrderThrow{Who: "b", Round: 1, Acted: true})
	drawn = append(drawn, acts("a"))
	want("both have", game.OrderThrow{Who: "a", Round: 2}, game.OrderThrow{Who: "b", Round: 2})
	drawn = append(drawn, throw("c"), acts("c"))
	want("one comes later", game.OrderThrow{Who: "a", Round: 2}, game.OrderThrow{Who: "b", Round: 2},
		game.OrderThrow{Who: "c", Round: 2, Acted: true})
	drawn = append(drawn, throw("a"))
	want("thrown again", game.OrderThrow{Who: "a", Round: 1})
	drawn = append(drawn, OrderThrow{Over: true})
	want("over")
}
