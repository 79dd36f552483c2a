package game

import (
	"slices"

	"norn/rule"
)

// Encounter is a scene, with a turn order or without, such as a fight. The page shows it above the
// log. A game computes it from the sheets as a viewer sees them, so it leaves out the characters
// that they don't see.
type Encounter interface {
	Scene(v Voice) string  // name and round: "The gate · round 2"
	Turn(v Voice) string   // the side whose turn it is; "" if there is nothing to say
	Order(v Voice) []Place // the participants in the order in which they act
	// the move that ends the turn, with actor "" for none; "" if there is no such move
	Pass() (move, actor string, args any)
}

// Place is a character's place in an order.
type Place struct {
	Who   string
	Side  string // the side, in words; "" for none
	Note  string // the reason for the place, such as the roll; may be ""
	Acted bool
	Now   bool // they may act
	Out   bool // they can't act any more: their turn is skipped
}

// Ordering is a move's effect on the order of turns, for games without a sheet for it.
type Ordering string

// Values of Ordering.
const (
	OrderThrown Ordering = "thrown" // its outcome puts its actor into the order
	OrderActed  Ordering = "acted"  // its actor has acted in this round
	OrderOver   Ordering = "over"   // the scene is over
)

// OrderThrow is the outcome of a roll for the order.
type OrderThrow struct {
	Who     string
	Outcome rule.Outcome
	Acted   bool // in this round
	Round   int  // from 1; a round ends when all have acted who can
	Out     bool // they can't act any more
}

// InTurn lists those who rolled for their place, first to last. Each acts once in a round.
type InTurn struct {
	All   []OrderThrow // at least one
	Round string       // the word for the number of the round
	Ends  string       // the move that ends a turn
	With  any          // its arguments
}

// VisibleThrows returns the rolls of the characters that a viewer sees.
func VisibleThrows(s Scene, thrown []OrderThrow) []OrderThrow {
	return slices.DeleteFunc(slices.Clone(thrown), func(d OrderThrow) bool { return s.Cast[d.Who].ID == "" })
}

// Scene implements Encounter.
func (t InTurn) Scene(v Voice) string { return v.Say(t.Round, "N", t.All[0].Round) }

// Turn returns the first character who hasn't acted and still can.
func (t InTurn) Turn(v Voice) string {
	if who := t.now(); who != "" {
		return v.Name(who)
	}
	return ""
}

// now returns who acts, "" if nobody can.
func (t InTurn) now() string {
	for _, acted := range []bool{false, true} { // a viewer may not see those who are still to act
		for _, d := range t.All {
			if !d.Out && d.Acted == acted {
				return d.Who
			}
		}
	}
	return ""
}

// Order implements Encounter.
func (t InTurn) Order(v Voice) []Place {
	return Each(t.All, func(d OrderThrow) Place {
		return Place{
			Who: d.Who, Note: v.Number(d.Outcome.N), Acted: d.Acted, Now: d.Who == t.now(), Out: d.Out,
		}
	})
}

// Pass returns the move that ends the turn of the current character, "" if nobody can act.
func (t InTurn) Pass() (move, actor string, args any) {
	if t.now() == "" {
		return "", "", nil
	}
	return t.Ends, t.now(), t.With
}
