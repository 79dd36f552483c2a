package game

import (
	"norn/rule"
)

// OfferMade says that a rule offers a move that nobody waits for: the card of the move that told it
// shows a button until somebody has taken the offer, the move was undone, a later move ended it
// (Of.Ends) or the offered move's Allow refuses it. Taking an offer makes the offered move as an
// ordinary move, with these arguments and nothing else: what is still to be chosen, its rule asks.
// Every game may tell it.
//
// It's for what the rules leave open, such as harm that the game master may mark. What must be
// decided before the move can go on is a question (rule.Ask).
type OfferMade struct {
	To    string `json:"to"`              // who may take it: GM, or the player of this character; game masters always may
	Move  string `json:"move"`            // the offered move
	Actor string `json:"actor,omitempty"` // who makes it; "" for nobody in particular
	Args  Value  `json:"args"`
}

// Offer offers a move to the game master (GM) or to the player of a character.
func Offer(r *rule.Run, to, move, actor string, args any) {
	r.Record(OfferMade{To: to, Move: move, Actor: actor, Args: valueOf(args)})
}

// Spoken implements Spoken: an offer is named by its move.
func (o OfferMade) Spoken(v Voice) string { return v.Say(v.Game + ".move." + o.Move) }
