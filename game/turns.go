package game

import (
	"slices"

	"norn/rule"
)

// Encounter is a scene, with a turn order or without, such as a fight. The page shows it above the
// log. A game computes it from the sheets as a viewer sees them, so it leaves out the characters
// that they don't see.
type Encounter interface {
	Scene(v Voice) string  // what it is, with its round: "The gate · round 2"
	Turn(v Voice) string   // whose turn it is, where that's a side's; "" for nothing to say
	Order(v Voice) []Place // who is in it, in the order in which they act
	// the move by which the turn passes, its actor "" for nobody in particular; "" for none
	Pass() (move, actor string, args any)
}

// Place is a character's place in an order.
type Place struct {
	Who   string
	Side  string // of those who act together, in words; "" for nobody's
	Note  string // what put them there, such as what they threw; may be ""
	Acted bool
	Now   bool // they may act
}

// Ordering says how a move affects the order of turns, if no sheet has that order.
type Ordering string

// What a move may do with the order.
const (
	OrderThrown Ordering = "thrown" // how it comes out puts its actor into it
	OrderActed  Ordering = "acted"  // its actor has acted in this round
	OrderOver   Ordering = "over"   // whatever was going on is over
)

// OrderThrow is the outcome of a roll for the order.
type OrderThrow struct {
	Who     string
	Outcome rule.Outcome
	Acted   bool // in this round
	Round   int  // from 1: a round is over once all have acted
}

// InTurn lists those who rolled for their place, first to last. Each acts once in a round.
type InTurn struct {
	All   []OrderThrow // at least one
	Round string       // the word that says which round it is
	Ends  string       // the move by which one's turn ends
	With  any          // its arguments
}

// VisibleThrows returns the rolls of the characters that a viewer sees.
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
