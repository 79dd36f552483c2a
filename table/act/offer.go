package act

import (
	"slices"

	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
)

// OffersTo are the open offers that the seat may take, oldest first. One that its rule would refuse
// now is too late and isn't shown.
func OffersTo(e visibility.Eye) []*state.Offer {
	return slices.DeleteFunc(e.Table.OffersOpen(), func(o *state.Offer) bool {
		if !mayTake(e, o) {
			return true
		}
		_, err := AllowedAttempt(e, request.Move{Offer: o.ID})
		return err != nil
	})
}

// mayTake tells whether an offer is made to the seat.
func mayTake(e visibility.Eye, o *state.Offer) bool {
	return e.Viewer.IsGM() || !secretOffer(e, o) && e.Plays(o.To)
}

// secretOffer tells whether only game masters know of the move that made an offer.
func secretOffer(e visibility.Eye, o *state.Offer) bool {
	return o.Secret && !e.Table.ShownMoves[state.MoveID(o.Since)]
}

// takeOffer finds the open offer that a request takes, and fills in what it says: the move, and who
// makes it. It's nil for a request that takes none.
func takeOffer(e visibility.Eye, r *request.Move) (*state.Offer, error) {
	if r.Offer == "" {
		return nil, nil
	}
	o := e.Table.Offers.Of(r.Offer)
	if o == nil || !mayTake(e, o) {
		var allowed []string
		for _, open := range e.Table.OffersOpen() {
			if mayTake(e, open) {
				allowed = append(allowed, open.ID)
			}
		}
		return nil, refusal.NoChoice("offer", r.Offer, allowed)
	}
	if !slices.Contains(e.Table.OffersOpen(), o) {
		return nil, refusal.Refuse("offer-over", nil)
	}
	r.Move, r.Character, r.Args, r.Values = o.Def.ID, o.Actor, o.JSON, nil
	r.Secret = r.Secret || secretOffer(e, o)
	return o, nil
}
