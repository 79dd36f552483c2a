// Package request has what a client may ask of a table: things to do, and things to look for. The
// values are as the client sent them; the table checks them. Limits of requests are here, too.
//
// It imports no other package of the table.
package request

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"norn/lang"
)

// Choices says which answers the odds of a move assume for its questions. Questions that it doesn't
// name get their default answer.
type Choices struct {
	Aim     string                     // best answers for one of the move's aims, "" for none; see game.Aim
	Answers map[string]json.RawMessage // by the question's id
}

// Put sets one value of a sheet. Meanwhile others may change the rest of the sheet, even the list
// that holds the value.
type Put struct {
	Path string `json:"path"` // in the kind's form: "stress.blood", "skills.0.value"; "skills.+.name" adds an item
	Text string `json:"text"` // as a form posts it
	// what SheetForm.Among returned when the value was shown; "" skips the check
	Among string `json:"among,omitempty"`
}

// Part selects entries of the log by their subject.
type Part string

// The parts of the log.
const (
	All    Part = ""
	Mine   Part = "mine"   // what the seat and its characters did and said
	Throws Part = "throws" // moves with rolls
	Talks  Part = "talk"   // messages
)

// Search says which entries of the log to return.
type Search struct {
	Part   Part
	Text   string // words that must all be there, whatever their case; "" for any
	Most   int    // how many moves and other entries at most, newest first; 0 or too many means MostEntries
	Before uint64 // only what began before this seq; 0 for no limit
}

// NewTable is a request to open a table.
type NewTable struct {
	Game string
	Name string
	Lang lang.Lang
}

// Move is a request to make a move, or for its odds.
type Move struct {
	Move      string
	Character string
	Args      json.RawMessage
	Values    url.Values // a plain form instead of Args
	Dice      []int      // faces rolled at a real table, in the order in which the rule asks for them
	ByHand    bool       // people type faces in; norn asks for those that Dice lacks
	Nonce     string     // the client's own share of the dice
	Secret    bool       // only game masters see it; only they may
	// id of an offer to take, which determines Move, Character and Args
	Offer string `json:",omitempty"`
	Key   string

	// for a form that norn filled in and showed: the names of those fields of Values that a person has
	// set since, TouchedAll for all; nil for what isn't such a form
	Touched []string `json:",omitempty"`
	Call    string   `json:",omitempty"` // the call that the form answered
}

// TouchedAll means all fields of a form: a page without script can't say which were set.
const TouchedAll = "*"

// Sets reports whether a person has set a field of the form.
func (m Move) Sets(field string) bool {
	return m.Touched == nil || slices.Contains(m.Touched, field) || slices.Contains(m.Touched, TouchedAll)
}

// SetIn puts what a person has set into the values of a form, and returns them.
func (m Move) SetIn(values url.Values) url.Values {
	set := func(path string, _ []string) bool {
		name, _, _ := strings.Cut(path, ".")
		return m.Sets(name)
	}
	maps.DeleteFunc(values, set)
	for path, texts := range m.Values {
		if set(path, texts) {
			values[path] = texts
		}
	}
	return values
}

// Answer is a request to answer a question.
type Answer struct {
	Question string
	Answer   json.RawMessage
	Values   url.Values // a plain form instead of Answer
	Key      string
}

// Telling is a request for the story of a table.
type Telling struct {
	Session int            // 0 for all of them
	Zone    *time.Location // of the times in it; nil is UTC
	// Pictures is the address that a picture's hash follows; without one the story has no pictures.
	Pictures string
}
