package state

import (
	"encoding/json"
	"slices"

	"norn/game"
)

// Offers are the newest offers of a table, oldest first: open ones, and those that an undo may open
// again.
type Offers []*Offer

// maxOffers bounds the offers of a table. Older ones can't be taken any more.
const maxOffers = 50

// Offer is a move that a rule has offered, see game.OfferMade.
type Offer struct {
	ID     string          `json:"id"`               // its move's id and its event's place in that: "m12:#3"
	Since  uint64          `json:"since"`            // seq of the entry that opened that move
	Secret bool            `json:"secret,omitempty"` // that move was made in secret
	To     string          `json:"to"`               // game.GM or a character's id
	Actor  string          `json:"actor,omitempty"`
	Def    *game.Move      `json:"move"`
	Args   any             `json:"-"`
	JSON   json.RawMessage `json:"args"`            // the arguments as the rule recorded them
	Taken  uint64          `json:"taken,omitempty"` // seq of the move that took it, unless that was undone
	Ended  uint64          `json:"ended,omitempty"` // seq of the later move that ended it, unless that was undone
}

// Of returns the offer with an id, open or not, or nil.
func (all Offers) Of(id string) *Offer { return first(all, func(o *Offer) bool { return o.ID == id }) }

// noteOffer adds the offer of a record's event. It ignores a move that this norn can't make any
// more.
func (st *State) noteOffer(r *Record, at int, made game.OfferMade) {
	def, ok := st.Game.Move(made.Move)
	if !ok {
		return
	}
	data := json.RawMessage(made.Args)
	args, err := def.Restore(data)
	if err != nil {
		return
	}
	stored := r.Events[at]
	st.Offers = append(slices.Clip(st.Offers[max(len(st.Offers)+1-maxOffers, 0):]), &Offer{
		ID: QuestionID(r.Of, Place(stored.Part, stored.N)), Since: r.Of.Seq, Secret: r.Of.Secret,
		To: made.To, Actor: made.Actor, Def: def, Args: args, JSON: data,
	})
}

// meetOffers marks the offer that a new move takes, and those that end with it. A secret move ends only
// secret ones, since players would notice.
func (st *State) meetOffers(r *Record) {
	for i, o := range st.Offers {
		switch {
		case o.ID == r.Of.Offer:
			st.Offers = altered(st.Offers, i, func(o *Offer) { o.Taken = r.Seq })
		case slices.Contains(r.Of.Def.Ends, o.Def.ID) && (o.Secret || !r.Of.Secret) &&
			(r.Of.Actor == "" || slices.Contains(r.Of.Cast, o.Actor)) && st.isOpen(o):
			st.Offers = altered(st.Offers, i, func(o *Offer) { o.Ended = r.Seq })
		}
	}
}

// OffersOpen returns the offers that are open by the log, oldest first.
func (st *State) OffersOpen() []*Offer {
	var open []*Offer
	for _, o := range st.Offers {
		if st.isOpen(o) {
			open = append(open, o)
		}
	}
	return open
}

// OffersTaken returns the moves that a move has offered and that were made, unless they were undone.
func (st *State) OffersTaken(move string) []string {
	var taken []string
	for _, o := range st.Offers {
		if MoveID(o.Since) == move && st.stands(o.Taken) {
			taken = append(taken, o.Def.ID)
		}
	}
	return taken
}

// isOpen reports whether the offer's move wasn't undone, and no valid move has taken or ended it.
func (st *State) isOpen(o *Offer) bool {
	actor := st.Characters.Of(o.Actor)
	return st.Undone.By(o.Since) == 0 && !st.stands(o.Taken) && !st.stands(o.Ended) &&
		(o.Actor == "" || actor != nil && !actor.Removed)
}

// stands reports whether there is a move with a seq that wasn't undone.
func (st *State) stands(seq uint64) bool { return seq > 0 && st.Undone.By(seq) == 0 }
