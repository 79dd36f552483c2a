package state

import (
	"encoding/json"
	"fmt"
	"slices"

	"norn/game"
	"norn/rule"
	"norn/table/view"
)

// BodyVersion is the newest version that is written. An older norn doesn't read an entry of a later
// version, so each entry has the lowest one that it needs: 2 if it cancels moves, 3 if its move
// releases somebody, 4 if another edition of the rules than the first made it, 5 if it's about a
// hidden character, 6 if open moves continue with the dice that it seals or it says that a text is
// trusted, 7 if its move takes an offer, 8 if a move with typed dice lets norn roll one, 9 if only the
// total of dice was typed, 10 if its move lends somebody or it has an aside (rule.Aside).
const BodyVersion = 10

// EntryBody is the content of an entry in the journal. All of a table follows from its entries, in
// order.
type EntryBody struct {
	V       int           `json:"v"`
	Kind    string        `json:"kind"`
	Rules   string        `json:"rules"`             // version of norn that wrote it
	Edition string        `json:"edition,omitempty"` // of the game's rules that made it; "" for the first
	Request string        `json:"request,omitempty"` // hash of the request that the entry's key belongs to
	Secret  bool          `json:"secret,omitempty"`
	Opening *Opening      `json:"opening,omitempty"`
	Answers string        `json:"answers,omitempty"` // place of the question that it answers
	Steps   rule.Trail    `json:"steps,omitempty"`   // what was added to the move's trail
	Events  []Event       `json:"events,omitempty"`
	Asks    []Ask         `json:"asks,omitempty"` // new questions, so that the log can be read without the rules
	Outcome *rule.Outcome `json:"outcome,omitempty"`
	Done    bool          `json:"done,omitempty"`
	// characters of its cast that the move won't change any more, see openmove.go
	LetGo  []string `json:"letGo,omitempty"`
	Yields []string `json:"yields,omitempty"` // secret open moves that it cancels, see package act
	Agent  bool     `json:"agent,omitempty"`  // a program acted in its author's place
	// of an import: the operator trusts the text of the table's own game
	Trusted bool `json:"trusted,omitempty"`
	// of an import: its open moves continue with the dice that it seals
	Reseals bool   `json:"reseals,omitempty"`
	Luck    string `json:"luck,omitempty"` // rank of the move's outcome in this entry, see odds.Standing
}

// Version returns the lowest version that a reader of the body must know.
func (b *EntryBody) Version() int {
	switch {
	case slices.ContainsFunc(b.Asks, func(a Ask) bool { return len(a.Lends) > 0 }),
		slices.ContainsFunc(b.Events, func(e Event) bool { return e.N < 0 }):
		return 10
	case slices.ContainsFunc(b.Steps, func(s rule.Step) bool { return s.Dice != nil && s.Dice.Total }):
		return 9
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

// LeavesThrow reports whether the body answers a request for faces by letting norn roll.
func (b *EntryBody) LeavesThrow() bool {
	return b.Answers != "" && len(b.Steps) > 0 && b.Steps[0].Dice != nil && !b.Steps[0].Dice.Hand
}

// Event is an event as the journal stores it.
type Event struct {
	Part string          `json:"part,omitempty"`
	N    int             `json:"n"` // from 0 within the part, an aside from −1 down
	Type string          `json:"type"`
	V    int             `json:"v"`
	Data json.RawMessage `json:"data"`
}

// Ask is a question that an entry opened.
type Ask struct {
	Place    string `json:"place"`
	Question string `json:"question"`
	To       string `json:"to"`
	// characters of its move that others may act with while it's open, see lending.go
	Lends []string `json:"lends,omitempty"`
}

// Equal reports whether two questions are the same.
func (a Ask) Equal(b Ask) bool {
	return a.Place == b.Place && a.Question == b.Question && a.To == b.To && slices.Equal(a.Lends, b.Lends)
}

// EncodeEvents encodes events for the journal. version returns the current version of a type. It
// refuses an unknown type, which no norn could read.
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

// A norn has the rules of one edition of a game, the newest that it knows. A table plays by the
// edition with which it was opened until a GM takes the newer one, so that nobody plays by rules
// that the table hasn't agreed to. Entries of older editions are folded from their stored events.

// FirstEdition is the edition of entries that name none. It's never stored.
const FirstEdition = "1"

// edition returns the edition that made an entry.
func (b *EntryBody) edition() string {
	if b.Edition == "" {
		return FirstEdition
	}
	return b.Edition
}

// setEdition sets the edition that makes a body.
func (b *EntryBody) setEdition(edition string) {
	b.Edition = edition
	if edition == FirstEdition {
		b.Edition = ""
	}
}

// Opening is the beginning of a move. Its sheets and settings are those of the state when it's
// folded.
type Opening struct {
	Move   string          `json:"move"`
	Actor  string          `json:"actor,omitempty"`
	Cast   []string        `json:"cast,omitempty"` // includes the actor
	Args   json.RawMessage `json:"args"`
	Nonce  string          `json:"nonce,omitempty"`
	ByHand bool            `json:"byHand,omitempty"`
	Offer  string          `json:"offer,omitempty"` // id of the offer that it takes
}

// Sign sets the edition and the norn that make a body.
func (b *EntryBody) Sign(edition, norn string) {
	b.setEdition(edition)
	b.V, b.Rules = b.Version(), norn
}
