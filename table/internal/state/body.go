package state

import (
	"encoding/json"
	"fmt"

	"norn/game"
	"norn/rule"
	"norn/table/view"
)

// BodyVersion is the newest that is written. An entry of a later one is not
// read, so each says the least that it takes: 2 where moves gave way to it, 3 where
// its move lets go of somebody, 4 where it was made by another edition of the rules than the first,
// 5 where it's about somebody hidden, 6 where open moves go on with the dice that it seals or it
// says that a text is trusted, 7 where its move takes an offer, 8 where it leaves a throw of a move
// made by hand to norn.
const BodyVersion = 8

// EntryBody is what an entry of the journal holds. Everything that a table is
// follows from these, in order.
type EntryBody struct {
	V       int           `json:"v"`
	Kind    string        `json:"kind"`
	Rules   string        `json:"rules"`             // version of norn that wrote it
	Edition string        `json:"edition,omitempty"` // of the game's rules, by which it was made; "" for the first
	Request string        `json:"request,omitempty"` // what stands under the entry's key, as a hash
	Secret  bool          `json:"secret,omitempty"`
	Opening *Opening      `json:"opening,omitempty"`
	Answers string        `json:"answers,omitempty"` // place of the question that it answers
	Steps   rule.Trail    `json:"steps,omitempty"`   // what was added to the move's trail
	Events  []Event       `json:"events,omitempty"`
	Asks    []Ask         `json:"asks,omitempty"` // what it left open, to be read in the log
	Outcome *rule.Outcome `json:"outcome,omitempty"`
	Done    bool          `json:"done,omitempty"`
	LetGo   []string      `json:"letGo,omitempty"`   // of its cast whom the move won't change again while it's open, see openmove.go
	Yields  []string      `json:"yields,omitempty"`  // secret open moves that give way to it, see package act
	Agent   bool          `json:"agent,omitempty"`   // a program did it in its author's place
	Trusted bool          `json:"trusted,omitempty"` // of an import: who runs norn trusts the table's own text
	Reseals bool          `json:"reseals,omitempty"` // of an import: its open moves go on with the dice that it seals
	Luck    string        `json:"luck,omitempty"`    // where the move stands whose outcome came with it, see odds.Standing
}

// Version is the least that who reads the body must know.
func (b *EntryBody) Version() int {
	switch {
	case b.LeavesThrow():
		return 8
	case b.Opening != nil && b.Opening.Offer != "":
		return 7
	case b.Reseals || b.Trusted:
		return 6
	case b.Kind == view.KindCharacter && b.Secret:
		return 5
	case b.Edition != "":
		return 4
	case len(b.LetGo) > 0:
		return 3
	case len(b.Yields) > 0:
		return 2
	}
	return 1
}

// LeavesThrow tells whether the body answers a question for faces by having norn throw.
func (b *EntryBody) LeavesThrow() bool {
	return b.Answers != "" && len(b.Steps) > 0 && b.Steps[0].Dice != nil && !b.Steps[0].Dice.Hand
}

// Event is something that happened, as the journal holds it.
type Event struct {
	Part string          `json:"part,omitempty"`
	N    int             `json:"n"` // from 0, within the part
	Type string          `json:"type"`
	V    int             `json:"v"`
	Data json.RawMessage `json:"data"`
}

// Ask is a question that an entry left open.
type Ask struct {
	Place    string `json:"place"`
	Question string `json:"question"`
	To       string `json:"to"`
}

// EncodeEvents turns told events into what is stored. version tells which version of
// a type is written now; a type it doesn't know must not get into the journal,
// where nobody could read it.
func EncodeEvents(told []rule.PlacedEvent, version func(eventType string) int) ([]Event, error) {
	stored := make([]Event, len(told))
	for i, t := range told {
		kind := game.TypeOf(t.Event)
		v := version(kind)
		if v == 0 {
			return nil, fmt.Errorf("event %s is not among the game's events", kind)
		}
		data, err := json.Marshal(t.Event)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", kind, err)
		}
		stored[i] = Event{Part: t.Part, N: t.N, Type: kind, V: v, Data: data}
	}
	return stored, nil
}

// A norn has the rules of one edition of a game, the newest that it knows. A table is played by the
// edition by which it was opened until a GM takes the newer one: till then nothing is done by rules
// that nobody there has agreed to. What was done by an older edition is folded from what it told.

// FirstEdition is that of entries that name none, and is never named.
const FirstEdition = "1"

// edition is that by which an entry was made.
func (b *EntryBody) edition() string {
	if b.Edition == "" {
		return FirstEdition
	}
	return b.Edition
}

// setEdition says in a body by which edition it's made.
func (b *EntryBody) setEdition(edition string) {
	b.Edition = edition
	if edition == FirstEdition {
		b.Edition = ""
	}
}

// Opening is what a move begins with. Sheets and settings are those that stand
// when it's folded in.
type Opening struct {
	Move   string          `json:"move"`
	Actor  string          `json:"actor,omitempty"`
	Cast   []string        `json:"cast,omitempty"` // with the actor
	Args   json.RawMessage `json:"args"`
	Nonce  string          `json:"nonce,omitempty"`
	ByHand bool            `json:"byHand,omitempty"`
	Offer  string          `json:"offer,omitempty"` // id of the offer that it takes
}

// Sign says by which edition and which norn a body is made.
func (b *EntryBody) Sign(edition, norn string) {
	b.setEdition(edition)
	b.V, b.Rules = b.Version(), norn
}
