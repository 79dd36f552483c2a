// Package view is what one seat sees of a table, as plain values: the table as it stands, entries
// of its log, forms, odds, luck. They hold nothing that the seat may not know, are worded in its
// reader's language, and are drawn by nobody here.
//
// It imports nothing of the table's: whoever draws pages or writes JSON needs no more than this.
// What makes them is package projection.
package view

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/odds"
)

// Advice is what one answer to an open question would come to: the chance of
// the move's first headline from here on, all other questions answered by
// their standard. One without an answer is of things as they stand.
type Advice struct {
	Answer      json.RawMessage `json:"answer,omitempty"`
	Label       string          `json:"label"` // the answer in a few words
	Headline    string          `json:"headline"`
	P           string          `json:"p"` // an exact fraction
	Probability float64         `json:"probability"`
	Chance      string          `json:"chance"` // "41%"
	Text        string          `json:"text"`   // "no special effort: 41% to succeed"
}

// CallShown is a call as a seat sees it: GMs all that are open, a player those
// to the characters that they play.
type CallShown struct {
	ID        string         `json:"id"`
	Move      string         `json:"move"` // its id in the rules, "check"
	Name      string         `json:"name"` // in the reader's language
	Character string         `json:"character"`
	Text      string         `json:"text"`  // what it's about
	Args      map[string]any `json:"args"`  // what is fixed
	Fixed     []string       `json:"fixed"` // the same by name
	Said      []string       `json:"said"`  // the same in words
	Values    url.Values     `json:"-"`     // the same as a page holds it
}

// OfferShown is an offer that the seat may take: with one press it's made as an ordinary move.
type OfferShown struct {
	ID        string         `json:"id"`   // "m12:#3"
	From      string         `json:"from"` // id of the move that made it, "m12", on whose card it's shown
	Move      string         `json:"move"` // the offered move's id in the rules, "harm"
	Name      string         `json:"name"` // in the reader's language
	To        string         `json:"to"`   // "gm" or a character's id
	Character string         `json:"character,omitempty"`
	Args      map[string]any `json:"args"`
	Text      string         `json:"text"` // what it does, in the reader's language: "Bonus stress: Guard · 2"
}

// Among is a mark of what stands around a value in its list: it changes when
// items are added or dropped, or when what names the value's own item changes.
// Outside of lists it's "".
func (f SheetForm) Among(path string) string { return Among(f.Form.Fields, f.Sheet, path) }

// Among is the mark of what stands around a value at a path, by the form's fields and what fills them.
func Among(fields []form.Field, values map[string]any, path string) string {
	hash := fnv.New64a()
	lists := 0
	for name, rest, more := Step(path); name != ""; name, rest, more = Step(rest) {
		at := slices.IndexFunc(fields, func(f form.Field) bool { return f.Name == name })
		if at < 0 || !more {
			break
		}
		value := values[name]
		fields = fields[at].Fields
		if items, ok := value.([]map[string]any); ok {
			var index string
			index, rest, _ = Step(rest)
			n, err := strconv.Atoi(index)
			if err != nil || n < 0 || n >= len(items) {
				return "gone"
			}
			lists++
			fmt.Fprint(hash, len(items), "\x00")
			for _, f := range fields {
				if f.Name == rest {
					continue
				}
				switch text := items[n][f.Name].(type) {
				case string, form.Trait:
					fmt.Fprint(hash, text, "\x00")
				}
			}
			value = items[n]
		}
		values, _ = value.(map[string]any)
	}
	if lists == 0 {
		return ""
	}
	return strconv.FormatUint(hash.Sum64(), 36)
}

// Step takes the first name off a path.
func Step(path string) (name, rest string, more bool) { return strings.Cut(path, ".") }

// Stranded is an open move that these rules can't go on with: they have changed since it began.
type Stranded struct {
	Move string `json:"move"`
	Seq  uint64 `json:"seq"`  // of the entry that opened it
	Text string `json:"text"` // what it is, in the reader's language
}

// Found is what a search has found.
type Found struct {
	Entries []Entry // by what happened, the oldest first; of a move all that the seat sees
	N       int     // how many things that happened these are: moves, and entries of the table's own
	More    bool    // there may be older ones: search on from Looked
	Looked  uint64  // all that began with this seq or later was looked at
}

// Data is what a line of a table's own event shows. What isn't put into one
// here is never shown.
type Data = map[string]any

// NoteShown is a note as a GM sees it.
type NoteShown struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"` // of its last change
	Time time.Time `json:"time"`
}

// ClockShown is a clock as a seat sees it.
type ClockShown struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	At     int      `json:"at"`
	Max    int      `json:"max"`
	Number bool     `json:"number,omitempty"` // a number, else segments
	Hidden bool     `json:"hidden,omitempty"` // only game masters see it
	To     []string `json:"to,omitempty"`     // only these seats see it, for GMs
}

// Uses of attachments.
const (
	UsePicture = "picture"
	UseText    = "text" // of a game that is one, as the table has been played by it
)

// Attachment is what stands at a table as bytes.
type Attachment struct {
	Use   string `json:"use"`
	Media string `json:"media"` // its type, "image/jpeg"
	Hash  string `json:"hash"`  // SHA-256 of the bytes, 64 hexadecimal digits
	Size  int    `json:"size"`  // bytes

	Lasting bool `json:"-"` // it's somebody's portrait: a browser may keep it without asking again
}

// PictureShown is a picture as a seat that may have it sees it.
type PictureShown struct {
	Hash       string   `json:"hash"`
	Media      string   `json:"media"`
	Width      int      `json:"width"`
	Height     int      `json:"height"`
	Size       int      `json:"size"`       // bytes
	Alt        string   `json:"alt"`        // what is to be seen, as it was said when it was shown; "" for one that wasn't
	Shown      bool     `json:"shown"`      // to anybody but who brought it
	All        bool     `json:"all"`        // to all
	To         []string `json:"to"`         // else to these seats, for GMs
	PortraitOf []string `json:"portraitOf"` // ids of characters
	Own        bool     `json:"own"`        // the seat brought it
}

// Handout is a note that was shared.
type Handout struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"`
	Time time.Time `json:"time"`
	All  bool      `json:"all"`
	To   []string  `json:"to"` // else to these seats, for GMs
}

// Compared are the odds of another way to make a move.
type Compared struct {
	Word string         // id of its short name
	Data map[string]any // the name's data
	Step bool           // the same move broken off sooner
	Odds *odds.Odds
}

// Preview is what is known of a move before it's made.
type Preview struct {
	Odds     *odds.Odds // nil for a move without chance
	Variants []Compared // other ways to make it
	Sources  []game.Source
	Assumed  []string    // characters whose sheets the seat doesn't see, where the odds assume what stands there
	Pools    []dice.Pool // what who acts throws before it's known how it came out
	Stripped any         // its arguments without a table, as near as the seat can tell
}

// View is the table as one seat sees it, worded in the reader's language.
type View struct {
	ID         string           `json:"id"`
	Game       string           `json:"game"`
	Name       string           `json:"name"`
	Lang       lang.Lang        `json:"lang"` // the table's own, not the reader's
	Seq        uint64           `json:"seq"`  // of the last entry that the seat may see
	Told       uint64           `json:"-"`    // seq of the last entry that the seat was told of, if only by a change of its view
	Role       game.Role        `json:"role"`
	Seat       string           `json:"seat"`
	Session    Session          `json:"session"`  // of dice, now
	Sessions   []Session        `json:"sessions"` // those that are over, oldest first, with their secrets
	Settings   any              `json:"settings"` // the game's own type
	Seats      []SeatShown      `json:"seats"`
	Characters []CharacterShown `json:"characters"`
	Moves      []MoveShown      `json:"moves"`
	Begun      bool             `json:"-"`                  // a move was made that the seat may see
	Questions  []Question       `json:"questions"`          // that the seat may answer, oldest move first
	Waiting    []Waiting        `json:"waiting"`            // for others: what stands open and whom it waits for
	Calls      []CallShown      `json:"calls"`              // moves that a GM has asked for, oldest first
	Offers     []OfferShown     `json:"offers"`             // moves that a rule offers to the seat and nobody waits for, oldest first
	Edition    string           `json:"edition"`            // of the game's rules, by which the table is played
	Newer      string           `json:"newer,omitempty"`    // that this norn plays by: until a GM takes it, nobody makes a move or answers
	Stranded   []Stranded       `json:"stranded,omitempty"` // a GM's: open moves with which those rules can't go on
	Notes      []NoteShown      `json:"notes,omitempty"`    // a GM's
	X          uint64           `json:"x,omitempty"`        // seq of the entry that raised it, 0 while it isn't raised
	Values
	Turns  []Turns      `json:"turns,omitempty"`  // what goes on, and whose turn it is
	Clocks []ClockShown `json:"clocks,omitempty"` // those that the seat sees, oldest first
}

// Turns is something that goes on, in which people take turns, or no more than a scene.
type Turns struct {
	Scene string   `json:"scene"`           // what it is, in the reader's language: "The gate · round 2"
	Turn  string   `json:"turn,omitempty"`  // whose turn it is, where that's a side's
	Order []TurnOf `json:"order,omitempty"` // who is in it
	Pass  *Pass    `json:"pass,omitempty"`  // the move by which the turn passes, for who may make it
}

// TurnOf is somebody's place in an order.
type TurnOf struct {
	Character string `json:"character"`
	Side      string `json:"side,omitempty"` // in words
	Note      string `json:"note,omitempty"`
	Acted     bool   `json:"acted"`
	Now       bool   `json:"now"` // they may act
}

// Pass is a move by which a turn passes.
type Pass struct {
	Move      string          `json:"move"`
	Character string          `json:"character,omitempty"`
	Args      json.RawMessage `json:"args"`
}

// Session is a session of dice as everybody at the table sees it.
type Session struct {
	N          int       `json:"n"`                // from 1
	Commitment string    `json:"commitment"`       // SHA-256 of the secret, 64 hexadecimal digits
	Secret     string    `json:"secret,omitempty"` // once it's over, 64 hexadecimal digits
	Shares     []Share   `json:"shares"`           // in the order in which they were added
	Began      time.Time `json:"began"`
	From       uint64    `json:"from"`         // seq of the entry that sealed it
	To         uint64    `json:"to,omitempty"` // seq of the entry that opened it
}

// Share is what a seat added to a session.
type Share struct {
	Seat  string `json:"seat"`
	Name  string `json:"name"` // that the seat has now
	Share string `json:"share"`
}

// SeatShown is a seat as anybody at the table sees it.
type SeatShown struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Role   game.Role `json:"role"`
	Online bool      `json:"online"`
	You    bool      `json:"you"`
}

// CharacterShown is a character as the seat sees it.
type CharacterShown struct {
	ID       string       `json:"id"`
	Kind     string       `json:"kind"`
	Name     string       `json:"name"`
	Owner    string       `json:"owner"` // id of a seat, "" for none
	Mine     bool         `json:"mine"`
	Sheet    any          `json:"sheet"` // what game.View.Sheet shows
	Tracks   []game.Track `json:"tracks"`
	State    string       `json:"state,omitempty"`    // what everybody should see at once, in the reader's language
	Out      bool         `json:"out,omitempty"`      // by that it takes no part any more
	Editable bool         `json:"editable"`           // the seat may change it, though not while it's busy
	Busy     string       `json:"busy,omitempty"`     // id of the open move that it is in, if the seat may know
	Starred  []string     `json:"starred,omitempty"`  // ids of favourite moves, for who plays it
	Portrait string       `json:"portrait,omitempty"` // hash of a picture
	Waits    bool         `json:"waits"`              // a question waits for who plays it
	Hidden   bool         `json:"hidden,omitempty"`   // only game masters know of it

	Offers [][]form.Field `json:"-"` // of the moves with it, where they may be made of what the seat plays and doesn't see
	As     uint64         `json:"-"` // the seq at which this was made, but Busy and Waits: while that is the same, so is the rest
}

// MoveShown is a move that the seat may make.
type MoveShown struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`       // in the reader's language
	Characters []string `json:"characters"` // who may make it; none for a move that nobody in particular makes
	Odds       bool     `json:"odds"`       // it has odds
}

// Question is an open question that the seat may answer.
type Question struct {
	ID        string         `json:"id"` // "m12:0.1:3": the move and the place in it
	Move      string         `json:"move"`
	Name      string         `json:"name"`     // the move's name in the rules, "check"
	Question  string         `json:"question"` // "spire.fallout"; "dice" asks for faces thrown by hand, or to have norn throw
	To        string         `json:"to"`       // "gm" or a character's id
	Character string         `json:"character"`
	Text      string         `json:"text"`
	AboutText string         `json:"aboutText,omitempty"` // what About says
	Guidance  []string       `json:"guidance,omitempty"`
	Advice    []Advice       `json:"advice,omitempty"` // what the answers would come to
	About     any            `json:"about,omitempty"`
	Schema    map[string]any `json:"schema"`             // JSON Schema of the answer
	Form      *form.Form     `json:"-"`                  // the same for pages; labels are <game>.field.<name>
	Standard  map[string]any `json:"standard,omitempty"` // the answer that odds assume
	Values    url.Values     `json:"-"`                  // the same as a page shows it
	Dice      *dice.Pool     `json:"-"`                  // whose faces are asked for; nil for another question
	ByHand    bool           `json:"-"`                  // of dice: the seat chose so when it made the move
	Mine      bool           `json:"mine"`               // it waits for this seat, which isn't all that may answer
	Secret    bool           `json:"secret"`             // the move is secret
}

// Waiting is an open question of which the seat only knows whom it waits for.
type Waiting struct {
	Move string `json:"move"`
	To   string `json:"to"`
}

// Update is news for a watcher: an entry, or only that the view has changed:
// who is online, or sheets by something that the seat may not see.
type Update struct {
	Seq   uint64 `json:"seq"`   // where to resume: all up to it was told
	Entry *Entry `json:"entry"` // nil where only the view has changed

	UndoabilityChanged []uint64 `json:"-"` // seqs of changes whose MayUndo may be another since
}

// Created is a new table with its first seat, a game master's.
type Created struct {
	ID   string     `json:"id"`
	Seat Invitation `json:"seat"`
}

// Invitation is a seat with the secret that opens it.
type Invitation struct {
	ID     string    `json:"id"`
	Role   game.Role `json:"role"`
	Name   string    `json:"name"`
	Secret string    `json:"secret,omitempty"` // "" for a repeated request after which either link was renewed
}

// Made is what came of a move or an answer.
type Made struct {
	Entry   Entry      `json:"entry"`
	Open    []Question `json:"questions"` // of the move, that the seat may answer
	Waiting []Waiting  `json:"waiting"`   // of the move, that others must
}

// SheetForm is the part of a sheet that a seat may change, as a form whose
// defaults are what stands there.
type SheetForm struct {
	Kind   string
	Form   *form.Form
	Values url.Values // as a page shows it
	Sheet  map[string]any
}
