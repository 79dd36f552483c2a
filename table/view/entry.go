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
	Move      string         `json:"move,omitempty"`      // the move that it belongs to, "m12"
	Name      string         `json:"name,omitempty"`      // that move's name in the rules, "check"
	Character string         `json:"character,omitempty"` // who acts
	Args      map[string]any `json:"args,omitempty"`      // of the entry that opens a move
	Takes     string         `json:"takes,omitempty"`     // id of the offer that the move took, which begins with its move: "m12:#3"
	Throws    []Throw        `json:"throws"`
	Outcome   *Outcome       `json:"outcome,omitempty"` // of the move, in the entry in which it came out
	Luck      *Luck          `json:"luck,omitempty"`    // of that outcome, for who may know the odds
	Lines     []Line         `json:"lines"`
	Questions []Asked        `json:"questions"`          // that this entry opened
	Question  string         `json:"question,omitempty"` // that this entry answers
	Answer    any            `json:"answer,omitempty"`   // to that, for the GM and who gave it
	Done      bool           `json:"done"`               // nothing is left open by it: a move that ended, or no move
	Secret    bool           `json:"secret"`
	To        *Author        `json:"to,omitempty"`        // the seat that something was whispered to
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

// Character is the entry of a character that was added, with its id.
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
	KindShown     = "shown"        // a secret move was opened to everybody
	KindShare     = "share"        // a seat added its share to the dice
	KindSession   = "session"      // a session of dice was opened and the next one sealed
	KindPlanned   = "planned"      // a GM said when people meet next
	KindCall      = "call"         // a GM asked for a move, or took that back
	KindNote      = "note"         // of a GM's own
	KindClock     = "clock"        // a clock was set, ticked or removed
	KindStar      = "star"         // a favourite move
	KindImported  = "imported"     // all before it is from a file
	KindRestored  = "restored"     // whoever runs norn made a new link for a game master
	KindUndone    = "undone"       // a move or a change was taken back
	KindCancelled = "cancelled"    // an open move was
	KindTalk      = "talk"         // somebody said something
	KindEdition   = "edition"      // a GM took a newer edition of the rules
	KindAttached  = "attached"     // bytes, which other entries name; nobody is shown it
	KindPortrait  = "portrait"     // a character was given one
	KindPicture   = "picture"      // a GM showed one
	KindHandout   = "handout"      // a GM shared a note, or took it back
	KindX         = "x-card"       // somebody wants it to stop, or to be told otherwise
	KindXSeconded = "x-seconded"   // somebody raised the X-card that lies there; no seat is told
	KindXBack     = "x-taken-back" // who raised the X-card took it back within ten seconds
	KindXAway     = "x-away"       // that was talked about
)

// Author is the seat that caused an entry, by the name it has now.
type Author struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Agent bool   `json:"agent,omitempty"` // a program did it in the seat's place, as it says itself
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
	Shown []string    `json:"shown,omitempty"` // what the faces show, as many, of dice with faces of their own
}

// Several tells whether others than who acts threw, too.
func Several(throws []Throw) bool {
	return slices.ContainsFunc(throws, func(t Throw) bool { return t.Whose != "" })
}

// ThrownBy tells whether people made some of the throws, and whether norn made some.
func ThrownBy(throws []Throw) (hand, norn bool) {
	for _, t := range throws {
		hand, norn = hand || t.Hand, norn || !t.Hand
	}
	return hand, norn
}

// Rule is the throw as the rule has it.
func (t Throw) Rule() rule.Throw {
	return rule.Throw{For: t.For, Sides: t.Sides, Faces: t.Faces, Hand: t.Hand}
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

// MostTouches is how many touches of each facet a character's past goes back, and how many changes the settings': what
// is older can't be undone any more.
const MostTouches = 50
