package game

import (
	"norn/rule"
)

// OfferMade records that a rule offers another move without waiting for it. The log entry shows a
// button until somebody accepts the offer, the move is undone, a later move ends it (Move.Ends) or
// the offered move's Allow refuses it. Accepting makes the offered move as an ordinary move with
// exactly these arguments; its rule asks for everything else. Every game may record it.
//
// It's for things that the rules leave open, such as harm that the game master may mark. For a
// decision that the move needs to continue use a question (rule.Ask).
type OfferMade struct {
	To    string `json:"to"`              // who may accept it: GM, or this character's player; game masters always may
	Move  string `json:"move"`            // the offered move
	Actor string `json:"actor,omitempty"` // the acting character; "" for none
	Args  Value  `json:"args"`
}

// Offer offers a move to the game master (GM) or to the player of a character.
func Offer(r *rule.Run, to, move, actor string, args any) {
	r.Record(OfferMade{To: to, Move: move, Actor: actor, Args: valueOf(args)})
}

// Spoken implements Spoken: the text is the name of the move.
func (o OfferMade) Spoken(v Voice) string { return v.Say(v.Game + ".move." + o.Move) }
