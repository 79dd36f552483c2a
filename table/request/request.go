// Package request is what may be asked of a table: what to do there, and what to look for. They're
// as somebody sent them; only the table knows what of them can be. Its limits stand here, too.
//
// It imports nothing of the table's.
package request

import (
	"encoding/json"
	"net/url"
	"time"

	"norn/lang"
)

// Choices say how questions in the middle of a move are answered in its odds;
// those it doesn't name get their standard answer.
type Choices struct {
	Aim     string                     // best answers for one of the move's aims, "" for none; see game.Aim
	Answers map[string]json.RawMessage // by the question's id
}

// Put sets one value of a sheet. Others may change the rest of the sheet
// meanwhile, even the list in which the value stands.
type Put struct {
	Path  string `json:"path"`            // in the kind's form: "stress.blood", "skills.0.value"; "skills.+.name" adds an item
	Text  string `json:"text"`            // as a form sends it
	Among string `json:"among,omitempty"` // what SheetForm.Among gave when the value was shown; "" doesn't ask
}

// Part is a part of the log by what it's about.
type Part string

// The parts of the log.
const (
	All    Part = ""
	Mine   Part = "mine"   // what the seat and its characters did and said
	Throws Part = "throws" // moves in which dice fell
	Talks  Part = "talk"   // what was said
)

// Search says which of the log is wanted.
type Search struct {
	Part   Part
	Text   string // words that must all be there, whatever their case; "" for any
	Most   int    // so many things that happened, the newest; 0 or too many for MostEntries
	Before uint64 // only what began before this seq; 0 for all
}

// NewTable is a table to open.
type NewTable struct {
	Game string
	Name string
	Lang lang.Lang
}

// Move is a move to make, or to ask the odds of.
type Move struct {
	Move      string
	Character string
	Args      json.RawMessage
	Values    url.Values // a plain form instead of Args
	Dice      []int      // faces thrown on a real table, in the order the rule asks for them
	ByHand    bool       // faces are typed in; those that Dice lacks are asked for
	Nonce     string     // the client's own share of the dice
	Secret    bool       // only game masters see it; only they may
	Offer     string     `json:",omitempty"` // id of an offer to take, which says Move, Character and Args
	Key       string
}

// Answer answers a question.
type Answer struct {
	Question string
	Answer   json.RawMessage
	Values   url.Values // a plain form instead of Answer
	Key      string
}

// Telling is how a story is told.
type Telling struct {
	Session int            // 0 for all of them
	Zone    *time.Location // of the times in it; nil is UTC
}
