package view

import (
	"encoding/json"
	"slices"
	"time"

	"norn/game"
	"norn/rule"
)

// Entry is one entry of the log as one seat sees it.
type Entry struct {
	Seq       uint64         `json:"seq"`
	Time      time.Time      `json:"time"`
	Kind      string         `json:"kind"` // one of the Kind constants
	Seat      Author         `json:"seat"`
	Move      string         `json:"move,omitempty"`      // the move that it belongs to, such as "m12"
	Name      string         `json:"name,omitempty"`      // that move's name in the rules, such as "check"
	Character string         `json:"character,omitempty"` // the actor
	Args      map[string]any `json:"args,omitempty"`      // in the entry that opens a move
	// id of the offer that the move took; it begins with the move that made the offer: "m12:#3"
	Takes     string   `json:"takes,omitempty"`
	Throws    []Throw  `json:"throws"`
	Outcome   *Outcome `json:"outcome,omitempty"` // of the move, in the entry that decided it
	Luck      *Luck    `json:"luck,omitempty"`    // of that outcome, if the seat may know the odds
	Lines     []Line   `json:"lines"`
	Questions []Asked  `json:"questions"`          // that this entry opened
	Question  string   `json:"question,omitempty"` // that this entry answers
	// to that question, for GMs and the seat that gave it
	Answer any `json:"answer,omitempty"`
	// it leaves nothing open: the end of a move, or no move
	Done   bool    `json:"done"`
	Secret bool    `json:"secret"`
	To     *Author `json:"to,omitempty"`    // the seat that got a whispered message
	Check  *Check  `json:"check,omitempty"` // if norn rolled dice in it
	// seq of the entry that it undoes or cancels: the first one of that move
	Undoes uint64 `json:"undoes,omitempty"`
	// ids of moves that it cancelled: secret ones that blocked a player, for GMs, and those that a
	// newer edition can't finish
	Yields  []string `json:"yields,omitempty"`
	Undone  *Undone  `json:"undone,omitempty"`  // set if it or its move was undone
	MayUndo bool     `json:"mayUndo,omitempty"` // the seat may undo it now
	// the seat could undo it if the earlier state were still known
	TooOld    bool   `json:"tooOld,omitempty"`
	MayCancel bool   `json:"mayCancel,omitempty"` // its move is open and the seat may cancel it now
	Rules     string `json:"rules"`               // version of norn that wrote it
	Edition   string `json:"edition"`             // of the game's rules that made it
}

// Character is the entry that added a character, with the character's id.
type Character struct {
	ID string `json:"id"`
	Entry
}

// Kinds of entries.
const (
	KindOpened    = "opened"
	KindSeat      = "seat"
	KindCharacter = "character"
	KindSettings  = "settings"
	KindMove      = "move"
	KindAnswer    = "answer"
	KindShown     = "shown"        // a secret move was revealed to everybody
	KindShare     = "share"        // a seat added its share to the dice
	KindSession   = "session"      // a session of dice was opened and the next one sealed
	KindPlanned   = "planned"      // a GM set the time of the next session
	KindCall      = "call"         // a GM asked for a move, or withdrew that
	KindNote      = "note"         // a GM's private note
	KindClock     = "clock"        // a clock was set, ticked or removed
	KindScene     = "scene"        // a scene was prepared, removed or set for all
	KindList      = "list"         // a list of the table's own was added, changed or removed
	KindStar      = "star"         // a favourite move
	KindImported  = "imported"     // all entries before it come from a file
	KindRecovery  = "recovery"     // a seat made or removed its recovery code, or came back with it
	KindRestored  = "restored"     // an operator made a new link for a game master
	KindUndone    = "undone"       // a move or a change was undone
	KindCancelled = "cancelled"    // an open move was cancelled
	KindTalk      = "talk"         // somebody sent a message
	KindEdition   = "edition"      // a GM switched to a newer edition of the rules
	KindAttached  = "attached"     // bytes that other entries refer to; no seat sees the entry
	KindPortrait  = "portrait"     // a character got a portrait
	KindPicture   = "picture"      // a GM showed a picture
	KindHandout   = "handout"      // a GM shared a note, or withdrew it
	KindX         = "x-card"       // somebody raised the X-card: the scene should stop or change
	KindXSeconded = "x-seconded"   // it was raised once more; no seat sees the entry
	KindXBack     = "x-taken-back" // who raised it lowered it within ten seconds
	KindDeletion  = "deletion"     // a GM deleted the table, or called it back
	KindBlanked   = "blanked"      // a GM blanked a person's name and words
	KindXAway     = "x-away"       // it was put away after people talked about it
)

// Author is the seat that caused an entry, with its current name.
type Author struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Agent bool   `json:"agent,omitempty"` // a program acted in the seat's place, by its own account
}

// Throw is one throw of dice.
type Throw struct {
	Part string `json:"part"`
	N    int    `json:"n"` // number of the throw in its part, from 0
	// "0.1#2": part and number, as in the key of the dice; "" for dice typed in
	Place string      `json:"place,omitempty"`
	For   string      `json:"for"` // such as "pool" or "stress"
	Sides int         `json:"sides"`
	Faces []int       `json:"faces"`
	Marks []game.Mark `json:"marks"`           // one for each face
	Hand  bool        `json:"hand"`            // rolled at a real table and typed in
	Whose string      `json:"whose,omitempty"` // name of the character who rolled; "" for the actor
	Shown []string    `json:"shown,omitempty"` // what each face shows, for dice with faces of their own
	// the faces only add up to their total, because people typed just that
	Total bool `json:"total,omitempty"`
}

// Several reports whether anybody other than the actor rolled, too.
func Several(throws []Throw) bool {
	return slices.ContainsFunc(throws, func(t Throw) bool { return t.Whose != "" })
}

// ThrownBy reports whether people rolled some of the throws, and whether norn rolled some.
func ThrownBy(throws []Throw) (hand, norn bool) {
	for _, t := range throws {
		hand, norn = hand || t.Hand, norn || !t.Hand
	}
	return hand, norn
}

// Rule returns the throw as the rule has it.
func (t Throw) Rule() rule.Throw {
	return rule.Throw{For: t.For, Sides: t.Sides, Faces: t.Faces, Hand: t.Hand, Total: t.Total}
}

// Outcome is the result of a character's roll.
type Outcome struct {
	ID        string    `json:"id"`
	N         *int      `json:"n,omitempty"` // where the outcome counts something
	Tone      game.Tone `json:"tone"`
	Text      string    `json:"text"`
	Character string    `json:"character,omitempty"`
}

// Line is one event of an entry: a change, or a message.
type Line struct {
	Type string          `json:"type"` // "spire.stress-marked"
	Text string          `json:"text"`
	Data json.RawMessage `json:"data,omitempty"` // the event as the seat sees it
	// of a game.resolved: another character's roll in the same move
	Outcome *Outcome `json:"outcome,omitempty"`
	Turned  *Turned  `json:"turned,omitempty"` // a die that counts as another face than it shows
}

// Turned is a die of the move that counts as another face than it shows.
type Turned struct {
	Part string `json:"part"` // in which it was rolled
	Was  int    `json:"was"`
	Is   int    `json:"is"`
}

// Asked is a question that an entry opened. Only those who may answer it find its text, in
// View.Questions.
type Asked struct {
	ID   string `json:"id,omitempty"` // "" for those who may not answer it
	To   string `json:"to"`
	Open bool   `json:"open"` // it isn't answered yet
}

// Check has what is needed to derive the dice of an entry again, together with the place of each
// throw: dice.Key(secret, shares, table, move, nonce, place).
type Check struct {
	Table      string   `json:"table"`
	Session    int      `json:"session"`
	Commitment string   `json:"commitment"`
	Shares     []string `json:"shares"` // in force when the move was opened
	Move       string   `json:"move"`
	Nonce      string   `json:"nonce"`
	Secret     string   `json:"secret,omitempty"` // once the session is over
}

// Undone says how an entry was undone.
type Undone struct {
	Seq       uint64    `json:"seq"` // of the entry that did it
	Time      time.Time `json:"time"`
	Seat      Author    `json:"seat"`
	Cancelled bool      `json:"cancelled"` // the move was still open
	Yielded   bool      `json:"yielded"`   // the move was secret and was cancelled by what a player did
}

// MostTouches limits how many changes of each part of a character, and of the settings, can be
// undone. Older changes can't.
const MostTouches = 50
