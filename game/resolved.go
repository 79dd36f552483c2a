package game

import "norn/rule"

// Resolved is told by a rule as soon as it's settled how somebody's throw
// came out, so that people see it while questions about the consequences are
// still open. Every game has it.
type Resolved struct {
	Who     string       `json:"who,omitempty"` // id of the character; "" for nobody in particular
	Outcome rule.Outcome `json:"outcome"`
}

// common are the event types that every game has.
var common = []EventType{EventOf[Resolved](), EventOf[Changed](), EventOf[Sentence]()}

// AboutWho is what a question about one character says: their name.
type AboutWho struct {
	Who string `json:"who"`
}

// Came tells how a move came out for who acts, and gives that.
func Came(r *rule.Run, s Scene, outcome rule.Outcome) rule.Outcome {
	r.Tell(Resolved{Who: s.Actor, Outcome: outcome})
	return outcome
}
