// Package chat reads the line in which people talk and command: plain talk, and commands such as
// "/check skill, difficulty 1", in the words of the game and of all three languages. It is free of
// any platform: the page has such a line, and so has whatever else can send one.
//
// Promised: Read and Complete are pure, and whatever a move's form takes can be said in a line.
// Words of the reader's own language come first, then the names of the rules, then the other
// languages. A line that can't be understood gives an *Error that says where, and the nearest word
// that there is. What the arguments themselves must be, the move's form judges, as everywhere: Read
// only finds out what was said. No goroutine is started. It imports form, lang and game, and no
// single game.
package chat

import (
	"embed"
	"encoding/json"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// Words are the names of commands, and what is said about lines.
//
//go:embed words/*.toml
var Words embed.FS

// MaxLine is how many bytes of a line are read.
const MaxLine = 24_000

// Verb is what a line does.
type Verb string

// The verbs. A move's name stands in the place of Make.
const (
	Say     Verb = "say"     // talk, to all
	Tell    Verb = "tell"    // talk, to the GM only
	Whisper Verb = "whisper" // talk, to one seat
	Make    Verb = "make"    // a move, plain dice among them
	Roll    Verb = "roll"    // the name of plain dice, which are read as Make
	Odds    Verb = "odds"    // the odds of a move
	Answer  Verb = "answer"  // to an open question
	Take    Verb = "take"    // an offer
	Undo    Verb = "undo"    // the newest entry that can be undone
	Help    Verb = "help"
)

// builtIn are the verbs that any table has.
var builtIn = []Verb{Roll, Odds, Answer, Take, Tell, Whisper, Undo, Help}

// word returns the id of a verb's word of a kind. Those of acts are with what else the act says.
func (v Verb) word(kind string) string {
	if slices.Contains(builtIn, v) {
		return "chat." + kind + "." + string(v)
	}
	return "table.act." + string(v) + "." + kind
}

// Names returns the names of a verb, the one that people are told first.
func (v Verb) Names(s lang.Speaker) []string { return strings.Fields(s.Say(v.word("verb"))) }

// About says what a verb does.
func (v Verb) About(s lang.Speaker) string { return s.Say(v.word("about")) }

// listedVerbs are the verbs that have names of their own, as they're listed.
func (b *Book) listedVerbs() []Verb {
	return append(append([]Verb{Roll, Odds, Answer, Take, Tell, Whisper}, b.Acts...), Undo, Help)
}

// Book is what can be said at a table.
type Book struct {
	Words  *lang.Words
	Lang   lang.Lang // the reader's
	Game   *game.Game
	Moves  []string                 // ids of the moves that may be made, in their order
	Actors []Person                 // who may act and speak
	Seats  []Person                 // to whom may be whispered
	Played []Played                 // characters by which they may be named, too
	Asked  []Question               // that the reader may answer, in the order of their numbers
	Acts   []Verb                   // of the table that the reader may do by a name and a text
	Offers []Offer                  // that the reader may take, in the order of their numbers
	Form   func(Spot) *form.Form    // of a move; nil where that can't be made
	Actor  func(move string) string // who makes a move unless the line says; nil for nobody
}

// Spot is a move and who makes it.
type Spot struct {
	Move  string
	Actor string // "" for nobody in particular
}

// Question is an open question.
type Question struct {
	ID   string
	Move string // that asks it
	Text string
	Form *form.Form
}

// Offer is a move that may be made with one word.
type Offer struct{ ID, Text string }

// Person is a character, or a seat, with its name.
type Person struct{ ID, Name string }

// Played is a character and the id of the seat that plays it.
type Played struct {
	Person
	Seat string
}

// Command is a line as it was understood.
type Command struct {
	Verb  Verb
	Spot                  // of Make and Odds; the actor of Say
	Args  json.RawMessage // of Make, Odds and Answer: what was given, for the form to judge
	Given []string        // the same in the reader's words: "Skill: Fight", "Difficulty: 1"
	Form  *form.Form      // by which Args are to be judged
	Text  string          // of Say, Tell, Whisper and acts
	To    string          // the id of the seat, of Whisper
	Asked string          // the id of the question, of Answer
	Offer string          // the id of the offer, of Take
}

// The codes of errors.
const (
	UnknownVerb = "verb"     // no such command
	UnknownMove = "move"     // no such move
	UnknownWord = "word"     // means nothing here
	UnknownName = "name"     // nobody of that name
	UnknownSeat = "seat"     // nobody of that name sits here
	Several     = "several"  // more than one of that name
	ToWhom      = "whom"     // to game masters, by a text that begins with another's name
	Slip        = "slip"     // talk that begins like a command after a sign that isn't the slash
	NoChoice    = "choice"   // not one of a field's choices
	NoNumber    = "number"   // a number is wanted
	NoValue     = "value"    // something must follow the field's name
	Unclear     = "unclear"  // may mean several things
	Twice       = "twice"    // a field given twice
	Unclosed    = "unclosed" // a quote that doesn't end
	NoQuestion  = "question" // nothing is asked
	NoNumbered  = "numbered" // nothing of that number
	NoOffer     = "offer"    // nothing is offered, or nothing of that number
	Nothing     = "nothing"  // something must follow the command
	TooLong     = "too-long" // more than MaxLine bytes
)

// Error is a line that can't be understood.
type Error struct {
	Code  string
	At    int      // the byte at which it begins
	End   int      // and where it ends
	Given string   // as it was written
	Field string   // label of the field that it's about
	Near  string   // the nearest that there is; "" for nothing near
	Among []string // what it could be
	Most  int      // how many questions there are, of NoNumbered
}

func (e *Error) Error() string { return "chat: " + e.Code + ": " + e.Given }

// Say words it for a reader.
func (e *Error) Say(s lang.Speaker) string {
	const shown = 8
	among := e.Among
	if len(among) > shown {
		among = append(among[:shown:shown], "…")
	}
	id := "chat.problem." + e.Code
	if len(among) == 0 && s.Has(id+"-none") {
		id += "-none"
	}
	text := s.Say(id, "Given", short(e.Given), "Field", e.Field, "Among", joinTexts(among), "Max", MaxLine, "N", e.Most)
	if e.Near != "" {
		text += " " + s.Say("chat.near", "Near", e.Near)
	}
	return text
}
