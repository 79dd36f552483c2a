package table

import (
	"encoding/json"
	"net/url"
	"slices"
	"time"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

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
	Edition    string           `json:"edition"`            // of the game's rules, by which the table is played
	Newer      string           `json:"newer,omitempty"`    // that this norn plays by: until a GM takes it, nobody makes a move or answers
	Stranded   []Stranded       `json:"stranded,omitempty"` // a GM's: open moves with which those rules can't go on
	Notes      []NoteShown      `json:"notes,omitempty"`    // a GM's
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
	State    string       `json:"state,omitempty"`   // what everybody should see at once, in the reader's language
	Out      bool         `json:"out,omitempty"`     // by that it takes no part any more
	Editable bool         `json:"editable"`          // the seat may change it, though not while it's busy
	Busy     string       `json:"busy,omitempty"`    // id of the open move that it is in, if the seat may know
	Starred  []string     `json:"starred,omitempty"` // ids of favourite moves, for who plays it
	Waits    bool         `json:"waits"`             // a question waits for who plays it
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
	Question  string         `json:"question"` // "spire.fallout"; "dice" asks for faces thrown by hand
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
	Mine      bool           `json:"mine"`               // it waits for this seat, which isn't all that may answer
	Secret    bool           `json:"secret"`             // the move is secret
}

// Waiting is an open question of which the seat only knows whom it waits for.
type Waiting struct {
	Move string `json:"move"`
	To   string `json:"to"`
}

// Entry is one entry of the log as one seat sees it.
type Entry struct {
	Seq       uint64         `json:"seq"`
	Time      time.Time      `json:"time"`
	Kind      string         `json:"kind"` // one of the Kind constants
	Seat      Author         `json:"seat"`
	Move      string         `json:"move,omitempty"`      // the move that it belongs to, "m12"
	Name      string         `json:"name,omitempty"`      // that move's name in the rules, "check"
	Character string         `json:"character,omitempty"` // who acts
	Args      map[string]any `json:"args,omitempty"`      // of the entry that opens a move
	Throws    []Throw        `json:"throws"`
	Outcome   *Outcome       `json:"outcome,omitempty"` // of the move, in the entry in which it came out
	Luck      *Luck          `json:"luck,omitempty"`    // of that outcome, for who may know the odds
	Lines     []Line         `json:"lines"`
	Questions []Asked        `json:"questions"`          // that this entry opened
	Question  string         `json:"question,omitempty"` // that this entry answers
	Answer    any            `json:"answer,omitempty"`   // to that, for the GM and who gave it
	Done      bool           `json:"done"`               // nothing is left open by it: a move that ended, or no move
	Secret    bool           `json:"secret"`
	Check     *Check         `json:"check,omitempty"`     // where dice fell that norn threw
	Undoes    uint64         `json:"undoes,omitempty"`    // seq of the first entry of what it undoes or cancels
	Yields    []string       `json:"yields,omitempty"`    // ids of moves that it cancelled: secret ones that gave way, for GMs; those with which a newer edition can't go on
	Undone    *Undone        `json:"undone,omitempty"`    // that it was taken back, it or its move
	MayUndo   bool           `json:"mayUndo,omitempty"`   // the seat may take it back now
	TooOld    bool           `json:"tooOld,omitempty"`    // the seat might take it back, were what was before still known
	MayCancel bool           `json:"mayCancel,omitempty"` // its move is open and the seat may cancel it now
	Rules     string         `json:"rules"`               // version of norn that wrote it
	Edition   string         `json:"edition"`             // of the game's rules, by which it was made
}

// Kinds of entries.
const (
	KindOpened    = "opened"
	KindSeat      = "seat"
	KindCharacter = "character"
	KindSettings  = "settings"
	KindMove      = "move"
	KindAnswer    = "answer"
	KindShown     = "shown"     // a secret move was opened to everybody
	KindShare     = "share"     // a seat added its share to the dice
	KindSession   = "session"   // a session of dice was opened and the next one sealed
	KindCall      = "call"      // a GM asked for a move, or took that back
	KindNote      = "note"      // of a GM's own
	KindStar      = "star"      // a favourite move
	KindImported  = "imported"  // all before it is from a file
	KindRestored  = "restored"  // whoever runs norn made a new link for a game master
	KindUndone    = "undone"    // a move or a change was taken back
	KindCancelled = "cancelled" // an open move was
	KindTalk      = "talk"      // somebody said something
	KindEdition   = "edition"   // a GM took a newer edition of the rules
)

// Author is the seat that caused an entry, by the name it has now.
type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Throw is one throw of dice.
type Throw struct {
	Part  string      `json:"part"`
	N     int         `json:"n"`               // which throw of its part, from 0
	Place string      `json:"place,omitempty"` // "0.1#2": part and number, as they stand in the key; "" for dice typed in
	For   string      `json:"for"`             // "pool", "stress"
	Sides int         `json:"sides"`
	Faces []int       `json:"faces"`
	Marks []game.Mark `json:"marks"`           // as many as faces
	Hand  bool        `json:"hand"`            // thrown on a real table and typed in
	Whose string      `json:"whose,omitempty"` // name of who threw; "" for who acts
}

// Several tells whether others than who acts threw, too.
func Several(throws []Throw) bool {
	return slices.ContainsFunc(throws, func(t Throw) bool { return t.Whose != "" })
}

// Thrown is the throw as the rule has it.
func (t Throw) Thrown() rule.Thrown {
	return rule.Thrown{For: t.For, Sides: t.Sides, Faces: t.Faces, Hand: t.Hand}
}

// Outcome is how somebody's throw came out.
type Outcome struct {
	ID        string    `json:"id"`
	N         *int      `json:"n,omitempty"` // where the outcome counts something
	Tone      game.Tone `json:"tone"`
	Text      string    `json:"text"`
	Character string    `json:"character,omitempty"`
}

// Line is one event: what changed, or what was said.
type Line struct {
	Type    string          `json:"type"` // "spire.stress-marked"
	Text    string          `json:"text"`
	Data    json.RawMessage `json:"data,omitempty"`    // the event as the seat sees it
	Outcome *Outcome        `json:"outcome,omitempty"` // of a game.resolved: somebody else's throw beside the main one
	Turned  *Turned         `json:"turned,omitempty"`  // a die that counts as another face than it shows
}

// Turned says that a die of the move counts as another face than it shows.
type Turned struct {
	Part string `json:"part"` // in which it was thrown
	Was  int    `json:"was"`
	Is   int    `json:"is"`
}

// Asked is a question that an entry opened. Only who may answer it finds its
// text, in View.Questions.
type Asked struct {
	ID   string `json:"id,omitempty"` // "" for who may not answer it
	To   string `json:"to"`
	Open bool   `json:"open"` // it still waits
}

// Check is what it takes to derive the dice of an entry's throws again, with
// the place of each throw: dice.Key(secret, shares, table, move, nonce, place).
type Check struct {
	Table      string   `json:"table"`
	Session    int      `json:"session"`
	Commitment string   `json:"commitment"`
	Shares     []string `json:"shares"` // that stood when the move was opened
	Move       string   `json:"move"`
	Nonce      string   `json:"nonce"`
	Secret     string   `json:"secret,omitempty"` // once the session is over
}

// Undone says how an entry was taken back.
type Undone struct {
	Seq       uint64    `json:"seq"` // of the entry that did it
	Time      time.Time `json:"time"`
	Seat      Author    `json:"seat"`
	Cancelled bool      `json:"cancelled"` // the move was still open
	Yielded   bool      `json:"yielded"`   // it was secret, and gave way to what a player did
}

// Update is news for a watcher: an entry, or only that the view has changed:
// who is online, or sheets by something that the seat may not see.
type Update struct {
	Seq   uint64 `json:"seq"`   // where to resume: all up to it was told
	Entry *Entry `json:"entry"` // nil where only the view has changed

	Beneath []uint64 `json:"-"` // seqs of changes whose MayUndo may be another since
}

// NewTable is a table to open.
type NewTable struct {
	Game string
	Name string
	Lang lang.Lang
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

// NewSeatRequest is a seat to add.
type NewSeatRequest struct {
	Name string
	Role game.Role
	Key  string
}

// NewCharacter is a character to add.
type NewCharacter struct {
	Name   string
	Kind   string
	Sheet  json.RawMessage // what is missing is as on a blank sheet
	Values url.Values      // a plain form instead of Sheet
	Owner  string          // id of a seat; a player always owns what they add
	Stock  string          // id of one in the game's stock, whose kind and sheet it has; only a game master may
	Like   string          // id of a character that it's a copy of; only a game master may
	Key    string
}

// Change is a change to a character. What is nil stays as it is.
type Change struct {
	ID     string
	Name   *string
	Owner  *string         // only a game master may; "" for nobody
	Sheet  json.RawMessage // a JSON merge patch (RFC 7396)
	Values url.Values      // a plain form of SheetForm instead of Sheet
	Put    *Put            // one value instead of Sheet
	Key    string
}

// Request is a move to make, or to ask the odds of.
type Request struct {
	Move      string
	Character string
	Args      json.RawMessage
	Values    url.Values // a plain form instead of Args
	Dice      []int      // faces thrown on a real table, in the order the rule asks for them
	ByHand    bool       // faces are typed in; those that Dice lacks are asked for
	Nonce     string     // the client's own share of the dice
	Secret    bool       // only game masters see it; only they may
	Key       string
}

// Reply answers a question.
type Reply struct {
	Question string
	Answer   json.RawMessage
	Values   url.Values // a plain form instead of Answer
	Key      string
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
	sheet  map[string]any
}
