package state

import (
	"norn/game"
	"norn/table/view"
)

// foldable is an act that changes a state.
type foldable interface{ Fold(st *State, r *Record) }

// Next returns the state after one more record. It can't fail.
func (st *State) Next(r *Record) *State {
	next := *st
	for _, m := range r.Yielded {
		next.TakeBack(m.Seq, r)
	}
	var u *OpenMove
	switch r.Kind {
	case view.KindMove:
		u = next.beginMove(r)
	case view.KindAnswer:
		u = next.continueMove(r)
	}
	for i, event := range r.Decoded {
		if made, ok := event.(game.OfferMade); ok && r.Of != nil {
			next.noteOffer(r, i, made)
		} else if tick, ok := event.(game.ClockTicked); ok {
			next.tickClock(r, tick)
		} else if own, ok := event.(foldable); ok {
			own.Fold(&next, r)
		} else if change, ok := game.AsChange(event); ok {
			if c := next.Touch(r, change.Whose(), OfSheet); c != nil {
				c.Write(change.Apply(c.Sheet))
			}
		}
	}
	next.lend(r)
	switch {
	case u != nil:
		next.carryOn(u, r)
	case r.Of != nil:
		next.carryOn(&OpenMove{Move: r.Of}, r)
	case r.Kind != view.KindTalk: // a message changes no sheet
		next.updateOwns()
	}
	if r.Of != nil {
		next.Tally(r.Of, 1, r)
		next.noteOrder(r)
	}
	next.Seq = r.Seq
	return &next
}
