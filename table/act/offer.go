package act

import (
	"slices"

	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
)

// OffersTo returns the open offers that the seat may take, oldest first. An offer that its rule
// would refuse now is left out.
func OffersTo(e *visibility.Eye) []*state.Offer {
	return slices.DeleteFunc(e.Table.OffersOpen(), func(o *state.Offer) bool {
		if !mayTake(e, o) {
			return true
		}
		_, err := AllowedAttempt(e, request.Move{Offer: o.ID})
		return err != nil
	})
}

// mayTake reports whether the seat may take an offer.
func mayTake(e *visibility.Eye, o *state.Offer) bool {
	return e.Viewer.IsGM() || !secretOffer(e, o) && e.Plays(o.To)
}

// secretOffer reports whether only game masters know of the move that made an offer.
func secretOffer(e *visibility.Eye, o *state.Offer) bool {
	return o.Secret && !e.Table.ShownMoves[state.MoveID(o.Since)]
}

// takeOffer returns the open offer that a request takes, and fills in its move and its actor. It
// returns nil for a request without an offer.
func takeOffer(e *visibility.Eye, r *request.Move) (*state.Offer, error) {
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
