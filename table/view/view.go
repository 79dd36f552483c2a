// Package view has what one seat sees of a table, as plain values: the table at a revision, entries
// of its log, forms, odds, luck. They hold nothing that the seat may not know and are in the
// reader's language.
//
// It imports no other package of the table, so front ends need only this package to draw pages or
// write JSON. Package projection makes the values.
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

// Advice is the chance of the move's first headline after one answer to an open question, if all
// other questions get their default answers. Advice without an answer is the chance if nobody
// answers yet.
type Advice struct {
	Answer      json.RawMessage `json:"answer,omitempty"`
	Label       string          `json:"label"` // the answer in a few words
	Headline    string          `json:"headline"`
	P           string          `json:"p"` // an exact fraction
	Probability float64         `json:"probability"`
	Chance      string          `json:"chance"` // "41%"
	Text        string          `json:"text"`   // "no special effort: 41% to succeed"
}

// CallShown is a call as a seat sees it. GMs see all open calls, players those to their own
// characters.
type CallShown struct {
	ID        string         `json:"id"`
	Move      string         `json:"move"` // its id in the rules, "check"
	Name      string         `json:"name"` // in the reader's language
	Character string         `json:"character"`
	Text      string         `json:"text"`  // the GM's words
	Args      map[string]any `json:"args"`  // arguments that the GM has fixed
	Fixed     []string       `json:"fixed"` // the same by name
	Said      []string       `json:"said"`  // the same in words
	Values    url.Values     `json:"-"`     // the same for a page's form
}

// OfferShown is an offer that the seat may take: one press makes an ordinary move.
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

// Among returns a mark of the list around a value. It changes when items are added or removed, and
// when the name of the value's own item changes. Outside of lists it's "".
func (f SheetForm) Among(path string) string { return Among(f.Form.Fields, f.Sheet, path) }

// Among returns the mark of the list around the value at a path, by the form's fields and their
// values.
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

// Step splits the first name off a path.
func Step(path string) (name, rest string, more bool) { return strings.Cut(path, ".") }

// Stranded is an open move that the current rules can't finish, because they have changed since it
// began.
type Stranded struct {
	Move string `json:"move"`
	Seq  uint64 `json:"seq"`  // of the entry that opened it
	Text string `json:"text"` // the move in the reader's language
}

// Found is the result of a search.
type Found struct {
	Entries []Entry // oldest first, entries of a move together; of a move all that the seat sees
	N       int     // number of results: moves, and entries that aren't of a move
	More    bool    // there may be older ones: search again before Looked
	Looked  uint64  // the search has covered everything that began with this seq or later
}

// Data holds what a line shows of an event that isn't the game's. Only what is in it can be shown.
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
	Number bool     `json:"number,omitempty"` // shown as a number, otherwise as segments
	Hidden bool     `json:"hidden,omitempty"` // only game masters see it
	To     []string `json:"to,omitempty"`     // ids of the only seats that see it, for GMs
}

// SceneShown is a scene as a seat sees it.
type SceneShown struct {
	ID      string `json:"id,omitempty"` // for GMs
	Title   string `json:"title"`
	Note    string `json:"note,omitempty"`    // for players
	Picture string `json:"picture,omitempty"` // hash of a picture
}

// Uses of attachments.
const (
	UsePicture = "picture"
	UseText    = "text" // text of an own game, as the table has been played by it
	UseList    = "list" // rows of a list of the table's own
)

// Attachment describes bytes that a table stores.
type Attachment struct {
	Use   string `json:"use"`
	Media string `json:"media"` // its type, "image/jpeg"
	Hash  string `json:"hash"`  // SHA-256 of the bytes, 64 hexadecimal digits
	Size  int    `json:"size"`  // bytes

	Lasting bool `json:"-"` // it's a character's portrait: a browser may cache it without asking again
}

// PictureShown is a picture as a seat that may have it sees it.
type PictureShown struct {
	Hash       string   `json:"hash"`
	Media      string   `json:"media"`
	Width      int      `json:"width"`
	Height     int      `json:"height"`
	Size       int      `json:"size"`       // bytes
	Alt        string   `json:"alt"`        // description from when it was shown; "" before that
	Shown      bool     `json:"shown"`      // to anybody but the seat that uploaded it
	All        bool     `json:"all"`        // to all
	To         []string `json:"to"`         // otherwise to these seats, for GMs
	PortraitOf []string `json:"portraitOf"` // ids of characters
	Own        bool     `json:"own"`        // the seat uploaded it
}

// Handout is a shared note.
type Handout struct {
	ID   string    `json:"id"`
	Text string    `json:"text"`
	Seq  uint64    `json:"seq"`
	Time time.Time `json:"time"`
	All  bool      `json:"all"`
	To   []string  `json:"to"` // otherwise to these seats, for GMs
}

// Compared has the odds of another way to make a move.
type Compared struct {
	Word string         // id of its short name
	Data map[string]any // the name's data
	Step bool           // the same move, ended earlier
	Odds *odds.Odds
}

// Preview describes a move before it is made.
type Preview struct {
	Odds     *odds.Odds // nil for a move without chance
	Variants []Compared // other ways to make it
	Sources  []game.Source
	Assumed  []string    // characters whose sheets the seat doesn't see: the odds assume their values
	Pools    []dice.Pool // what the actor rolls in any case
	Stripped any         // arguments of the same move without a table, as well as the seat can know them
}

// View is the table as one seat sees it, in the reader's language.
type View struct {
	ID   string    `json:"id"`
	Game string    `json:"game"`
	Name string    `json:"name"`
	Lang lang.Lang `json:"lang"` // the table's own, not the reader's
	Seq  uint64    `json:"seq"`  // of the last entry that the seat may see
	// seq of the last entry that the seat noticed, if only by a change of its view
	Told       uint64           `json:"-"`
	Role       game.Role        `json:"role"`
	Seat       string           `json:"seat"`
	Session    Session          `json:"session"`  // the current session of dice
	Sessions   []Session        `json:"sessions"` // earlier sessions, oldest first, with their secrets
	Settings   any              `json:"settings"` // the game's own type
	Seats      []SeatShown      `json:"seats"`
	Characters []CharacterShown `json:"characters"`
	Moves      []MoveShown      `json:"moves"`
	Begun      bool             `json:"-"` // the seat has seen a move
	// that the seat may answer; those of the oldest move first
	Questions []Question  `json:"questions"`
	Waiting   []Waiting   `json:"waiting"` // open questions to others
	Calls     []CallShown `json:"calls"`   // moves that a GM has asked for, oldest first
	// moves that a rule offers to the seat, without waiting for them, oldest first
	Offers  []OfferShown `json:"offers"`
	Edition string       `json:"edition"` // of the game's rules that the table plays by
	// the edition of this norn; until a GM switches to it, nobody can make a move or answer
	Newer string `json:"newer,omitempty"`
	// for GMs: open moves that the newer rules can't finish
	Stranded []Stranded  `json:"stranded,omitempty"`
	Notes    []NoteShown `json:"notes,omitempty"` // for GMs
	X        uint64      `json:"x,omitempty"`     // seq of the entry that raised it, 0 while it isn't raised
	Values
	Turns  []Turns      `json:"turns,omitempty"`  // scenes, and encounters with whose turn it is
	Clocks []ClockShown `json:"clocks,omitempty"` // those that the seat sees, oldest first
	Scene  *SceneShown  `json:"scene,omitempty"`  // that everybody sees now
	Scenes []SceneShown `json:"scenes,omitempty"` // that are prepared, for GMs
	Lists  []ListShown  `json:"lists,omitempty"`  // of the table's own that the seat sees, oldest first
}

// Turns is an encounter, in which characters take turns, or just a scene.
type Turns struct {
	Scene string   `json:"scene"`           // its name in the reader's language: "The gate · round 2"
	Turn  string   `json:"turn,omitempty"`  // the side whose turn it is, if sides take turns
	Order []TurnOf `json:"order,omitempty"` // the characters in it
	Pass  *Pass    `json:"pass,omitempty"`  // the move that passes the turn, if the seat may make it
}

// TurnOf is a character's place in the order of turns.
type TurnOf struct {
	Character string `json:"character"`
	Side      string `json:"side,omitempty"` // in words
	Note      string `json:"note,omitempty"`
	Acted     bool   `json:"acted"`
	Now       bool   `json:"now"` // they may act
}

// Pass is a move that passes the turn.
type Pass struct {
	Move      string          `json:"move"`
	Character string          `json:"character,omitempty"`
	Args      json.RawMessage `json:"args"`
}

// Session is a session of dice as everybody at the table sees it.
type Session struct {
	N          int       `json:"n"`                // from 1
	Commitment string    `json:"commitment"`       // SHA-256 of the secret, 64 hexadecimal digits
	Secret     string    `json:"secret,omitempty"` // 64 hexadecimal digits, once the session is over
	Shares     []Share   `json:"shares"`           // in the order in which they were added
	Began      time.Time `json:"began"`
	From       uint64    `json:"from"`         // seq of the entry that sealed it
	To         uint64    `json:"to,omitempty"` // seq of the entry that opened it
}

// Share is a seat's contribution to the randomness of a session's dice.
type Share struct {
	Seat  string `json:"seat"`
	Name  string `json:"name"` // the seat's current name
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

// Character returns a character that the seat sees.
func (v *View) Character(id string) (CharacterShown, bool) {
	return first(v.Characters, func(c CharacterShown) bool { return c.ID == id })
}

// Owns reports whether a character is the seat's own.
func (v *View) Owns(id string) bool {
	c, _ := v.Character(id)
	return c.Mine
}

// SeatName returns a seat's name, "" for an unknown one.
func (v *View) SeatName(id string) string {
	seat, _ := first(v.Seats, func(s SeatShown) bool { return s.ID == id })
	return seat.Name
}

// Me returns the seat itself.
func (v *View) Me() SeatShown {
	if me, there := first(v.Seats, func(s SeatShown) bool { return s.You }); there {
		return me
	}
	return SeatShown{ID: v.Seat, Role: v.Role}
}

// CallsToOwn returns the calls to the seat's own characters.
func (v *View) CallsToOwn() []CallShown {
	return slices.DeleteFunc(slices.Clone(v.Calls), func(c CallShown) bool { return !v.Owns(c.Character) })
}

// first returns the first item for which is holds.
func first[T any](all []T, is func(T) bool) (one T, there bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return one, false
}

// AllSessions returns all sessions of dice, oldest first.
func (v *View) AllSessions() []Session { return append(slices.Clip(v.Sessions), v.Session) }

// WhisperTargets returns the seats that the seat may whisper to: not spectators, who can't answer
// and may be a chat in which many read.
func (v *View) WhisperTargets() []SeatShown {
	return slices.DeleteFunc(slices.Clone(v.Seats), func(s SeatShown) bool {
		return s.You || s.Role == game.Spectator
	})
}

// CharacterShown is a character as the seat sees it.
type CharacterShown struct {
	ID     string       `json:"id"`
	Kind   string       `json:"kind"`
	Name   string       `json:"name"`
	Owner  string       `json:"owner"` // id of a seat, "" for none
	Mine   bool         `json:"mine"`
	Sheet  any          `json:"sheet"` // as game.View.Sheet shows it
	Tracks []game.Track `json:"tracks"`
	// what everybody should notice, in the reader's language
	State    string `json:"state,omitempty"`
	Out      bool   `json:"out,omitempty"` // the state means that it takes no part any more
	Editable bool   `json:"editable"`      // the seat may change it, except while it's busy
	// id of the open move that it's in, if the seat may know that
	Busy     string   `json:"busy,omitempty"`
	Starred  []string `json:"starred,omitempty"`  // ids of favourite moves, for the seat that plays it
	Portrait string   `json:"portrait,omitempty"` // hash of a picture
	Waits    bool     `json:"waits"`              // a question waits for the seat that plays it
	Hidden   bool     `json:"hidden,omitempty"`   // only game masters see it

	// fields of the moves with it, where the seat may make them but doesn't see the sheet
	Offers [][]form.Field `json:"-"`
	// seq at which this was made, except Busy and Waits: while it's the same, so is the rest
	As uint64 `json:"-"`
}

// MoveShown is a move that the seat may make.
type MoveShown struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`       // in the reader's language
	Characters []string `json:"characters"` // who may make it; none for a move without an actor
	Odds       bool     `json:"odds"`       // it has odds
}

// Question is an open question that the seat may answer.
type Question struct {
	ID   string `json:"id"` // "m12:0.1:3": the move and the place in it
	Move string `json:"move"`
	Name string `json:"name"` // the move's name in the rules, "check"
	// "spire.fallout"; "dice" asks to type faces in or to let norn roll
	Question  string         `json:"question"`
	To        string         `json:"to"` // "gm" or a character's id
	Character string         `json:"character"`
	Text      string         `json:"text"`
	AboutText string         `json:"aboutText,omitempty"` // About in words
	Guidance  []string       `json:"guidance,omitempty"`
	Advice    []Advice       `json:"advice,omitempty"` // chances after each answer
	About     any            `json:"about,omitempty"`
	Schema    map[string]any `json:"schema"`             // JSON Schema of the answer
	Form      *form.Form     `json:"-"`                  // the same for pages; labels are <game>.field.<name>
	Standard  map[string]any `json:"standard,omitempty"` // the default answer, which odds assume; nil if people must choose
	Values    url.Values     `json:"-"`                  // the same as a page shows it
	// dice whose faces are asked for; nil for another question
	Dice   *dice.Pool `json:"-"`
	ByHand bool       `json:"-"` // for dice: the seat chose to type faces in
	// it waits for this very seat; others may be allowed to answer, too
	Mine   bool `json:"mine"`
	Secret bool `json:"secret"` // the move is secret
}

// Waiting is an open question to others: the seat only knows who must answer.
type Waiting struct {
	Move string `json:"move"`
	To   string `json:"to"`
}

// Update is sent to a subscriber: an entry, or only that the view has changed, such as who is
// online, or sheets after an entry that the seat may not see.
type Update struct {
	Seq   uint64 `json:"seq"`   // where to resume: the subscriber knows everything up to it
	Entry *Entry `json:"entry"` // nil where only the view has changed

	UndoabilityChanged []uint64 `json:"-"` // seqs of changes whose MayUndo may have changed
}

// Created is a new table with its first seat, which is a game master's.
type Created struct {
	ID   string     `json:"id"`
	Seat Invitation `json:"seat"`
}

// Invitation is a seat with the secret that opens it.
type Invitation struct {
	ID     string    `json:"id"`
	Role   game.Role `json:"role"`
	Name   string    `json:"name"`
	Secret string    `json:"secret,omitempty"` // "" if the request is repeated and the link was renewed since
}

// RecoveryCode is a new recovery code of a seat.
type RecoveryCode struct {
	Code string `json:"code"`
}

// Made is the result of a move or an answer.
type Made struct {
	Entry   Entry      `json:"entry"`
	Open    []Question `json:"questions"` // open questions of the move that the seat may answer
	Waiting []Waiting  `json:"waiting"`   // open questions of the move to others
}

// SheetForm is the part of a sheet that a seat may change, as a form whose defaults are the current
// values.
type SheetForm struct {
	Kind   string
	Form   *form.Form
	Values url.Values // for a page's form
	Sheet  map[string]any
}
