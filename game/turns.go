package game

import (
	"slices"

	"norn/rule"
)

// Encounter is something that goes on, in which people take turns or which is no more than a scene: what stands in the strip above the log.
// A game tells it from its sheets as somebody sees them, so whom they don't see isn't in it.
type Encounter interface {
	Scene(v Voice) string                 // what it is, with its round: "The gate · round 2"
	Turn(v Voice) string                  // whose turn it is, where that's a side's; "" for nothing to say
	Order(v Voice) []Place                // who is in it, in the order in which they act
	Pass() (move, actor string, args any) // the move by which the turn passes, its actor "" for nobody in particular; "" for none
}

// Place is somebody's in an order.
type Place struct {
	Who   string
	Side  string // of those who act together, in words; "" for nobody's
	Note  string // what put them there, such as what they threw; may be ""
	Acted bool
	Now   bool // they may act
}

// Ordering is what a move has to do with the order in which people act, where that stands on no sheet.
type Ordering string

// What a move may do with the order.
const (
	OrderThrown Ordering = "thrown" // how it comes out puts its actor into it
	OrderActed  Ordering = "acted"  // its actor has acted in this round
	OrderOver   Ordering = "over"   // whatever was going on is over
)

// OrderThrow is how somebody's throw for the order came out.
type OrderThrow struct {
	Who     string
	Outcome rule.Outcome
	Acted   bool // in this round
	Round   int  // from 1: a round is over once all have acted
}

// InTurn are those who threw for their place, the first at first, each acting once in a round.
type InTurn struct {
	All   []OrderThrow // at least one
	Round string       // the word that says which round it is
	Ends  string       // the move by which one's turn ends
	With  any          // its arguments
}

// VisibleThrows are those whom somebody sees, of who threw.
func VisibleThrows(s Scene, thrown []OrderThrow) []OrderThrow {
	return slices.DeleteFunc(slices.Clone(thrown), func(d OrderThrow) bool { return s.Cast[d.Who].ID == "" })
}

// Scene implements Going.
func (t InTurn) Scene(v Voice) string { return v.Say(t.Round, "N", t.All[0].Round) }

// Turn names the first who hasn't acted.
func (t InTurn) Turn(v Voice) string { return v.Name(t.now()) }

func (t InTurn) now() string {
	i := slices.IndexFunc(t.All, func(d OrderThrow) bool { return !d.Acted })
	return t.All[max(0, i)].Who
}

// Order implements Going.
func (t InTurn) Order(v Voice) []Place {
	return Each(t.All, func(d OrderThrow) Place {
		return Place{Who: d.Who, Note: v.Number(d.Outcome.N), Acted: d.Acted, Now: d.Who == t.now()}
	})
}

// Pass is whose turn it is, who has acted then.
func (t InTurn) Pass() (move, actor string, args any) { return t.Ends, t.now(), t.With }
