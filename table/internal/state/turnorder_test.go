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
	seen := func() (all []game.OrderThrow) {
		return drawn.Now(func(d OrderThrow) bool { return d.Who != "unseen" }, func(string) bool { return false })
	}
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

// Nobody waits for a character who is out, neither in the round in which they fell nor later; once
// they're up again, they act in the round that's on.
func TestNoRoundWaitsForSomebodyWhoIsOut(t *testing.T) {
	throw := func(who string) OrderThrow { return OrderThrow{Who: who} }
	acts := func(who string, out ...string) OrderThrow { return OrderThrow{Who: who, Acted: true, Out: out} }
	drawn := OrderThrows{throw("a"), throw("b"), throw("c"), acts("a"), acts("c")}
	want := func(what, out string, want ...game.OrderThrow) {
		t.Helper()
		got := drawn.Now(func(OrderThrow) bool { return true }, func(who string) bool { return who == out })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	at := func(round int, who string, acted, out bool) game.OrderThrow {
		return game.OrderThrow{Who: who, Round: round, Acted: acted, Out: out}
	}
	want("b may act", "", at(1, "a", true, false), at(1, "b", false, false), at(1, "c", true, false))
	want("b is out, so all have acted", "b", at(2, "a", false, false), at(2, "b", false, true), at(2, "c", false, false))
	drawn = append(drawn, acts("a", "b"))
	want("the next round", "b", at(2, "a", true, false), at(2, "b", false, true), at(2, "c", false, false))
	drawn = append(drawn, acts("c", "b"))
	want("and the third", "b", at(3, "a", false, false), at(3, "b", false, true), at(3, "c", false, false))
	want("b is up again", "", at(3, "a", false, false), at(3, "b", false, false), at(3, "c", false, false))
}
