// Package chat reads the line in which people write messages and commands such as "/check skill,
// difficulty 1", in the words of the game and of all three languages. It doesn't depend on a
// platform: the page has such a line, and chats send one.
//
// Read and Complete are pure, and every value of a move's form can be written in a line. Words of
// the reader's language have priority, then names in the rules, then other languages. A line that
// can't be understood gives an *Error with its place and the nearest known word. The move's form
// validates the arguments, as everywhere: Read only finds out what was written. No goroutine is
// started. The package imports form, lang and game, and no single game.
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

// Words has the names of commands and the messages about lines.
//
//go:embed words/*.toml
var Words embed.FS

// MaxLine limits the bytes of a line.
const MaxLine = 24_000

// Verb says what a line does.
type Verb string

// The verbs. Make is written as the name of a move.
const (
	Say     Verb = "say"     // a message to all
	Tell    Verb = "tell"    // a message to the GM only
	Whisper Verb = "whisper" // a message to one seat
	Make    Verb = "make"    // a move, including plain dice
	Emote   Verb = "me"      // a message about what its author does, which Read turns into Say
	Secret  Verb = "secret"  // a move or plain dice in secret, which Read turns into Make
	Roll    Verb = "roll"    // the name of plain dice, which Read turns into Make
	Odds    Verb = "odds"    // the odds of a move
	Answer  Verb = "answer"  // to an open question
	Take    Verb = "take"    // an offer
	Tick    Verb = "tick"    // of a clock of the table
	Scene   Verb = "scene"   // to show a prepared scene
	Undo    Verb = "undo"    // of the newest entry that can be undone
	Help    Verb = "help"
)

// builtIn lists the verbs that every table has.
var builtIn = []Verb{Roll, Secret, Odds, Answer, Take, Emote, Tell, Whisper, Tick, Scene, Undo, Help}

// word returns the id of one of a verb's words. Those of acts are among the act's other words.
func (v Verb) word(kind string) string {
	if slices.Contains(builtIn, v) {
		return "chat." + kind + "." + string(v)
	}
	return "table.act." + string(v) + "." + kind
}

// Names returns the names of a verb, the main one first.
func (v Verb) Names(s lang.Speaker) []string { return strings.Fields(s.Say(v.word("verb"))) }

// about returns the description of a verb.
func (b *Book) about(v Verb) string { return b.own().Say(v.word("about"), "Lead", b.lead(v)) }

// lead returns what precedes a verb: "me too" is a message without the slash.
func (b *Book) lead(v Verb) string {
	if v == Emote && !strings.HasSuffix(b.Lead, "/") {
		return b.Lead + "/"
	}
	return b.Lead
}

// listedVerbs returns the verbs that have names of their own, in the order of the help.
func (b *Book) listedVerbs() []Verb {
	all := []Verb{Roll}
	if b.Master {
		all = append(all, Secret)
	}
	all = append(append(all, Odds, Answer, Take, Emote, Tell, Whisper), b.Acts...)
	if len(b.Clocks) > 0 {
		all = append(all, Tick)
	}
	if len(b.Scenes) > 0 {
		all = append(all, Scene)
	}
	return append(all, Undo, Help)
}

// Book has what a reader can write at a table.
type Book struct {
	Words  *lang.Words
	Lang   lang.Lang // the reader's
	Game   *game.Game
	Moves  []string                 // ids of the possible moves, in their order
	Barred map[string]string        // ids of moves that the reader may never make, and who may
	Actors []Person                 // characters that may act and speak
	Seats  []Person                 // that can be whispered to
	Played []Played                 // characters, which also name their players for a whisper
	Asked  []Question               // that the reader may answer, in the order of their numbers
	Acts   []Verb                   // acts of the table that the reader may do with a name and a text
	Clocks []Person                 // that the reader may advance
	Scenes []Person                 // that the reader may show
	Offers []Offer                  // that the reader may take, in the order of their numbers
	Master bool                     // the reader may make moves in secret
	As     string                   // the reading of dice notation, one of dice.Dialects or ""
	Lead   string                   // what precedes a command where the reader writes: "/" or "/norn "
	Form   func(Spot) *form.Form    // of a move; nil if that can't be made
	Actor  func(move string) string // the actor of a move unless the line names one; nil for none
}

// Spot is a move and its actor.
type Spot struct {
	Move  string
	Actor string // "" for none
}

// Question is an open question.
type Question struct {
	ID   string
	Move string // that asks it
	Text string
	Form *form.Form
}

// Offer is a move that can be made with one word.
type Offer struct{ ID, Text string }

// Person is a character, a seat, a clock or a scene, with its name.
type Person struct{ ID, Name string }

// Played is a character and the id of its player's seat.
type Played struct {
	Person
	Seat string
}

// Command is a line as it was understood.
type Command struct {
	Verb  Verb
	Spot                  // for Make and Odds; the actor also for Say
	Args  json.RawMessage // for Make, Odds and Answer: the given values, not yet validated
	Given []string        // the same in the reader's words: "Skill: Fight", "Difficulty: 1"
	Form  *form.Form      // validates Args
	// whether only game masters see it, for Make
	Secret bool
	Text   string // for Say, Tell, Whisper and acts
	To     string // id of the seat, for Whisper
	Asked  string // id of the question, for Answer
	Offer  string // id of the offer, for Take
	Clock  string // id of the clock, for Tick
	Scene  string // id of the scene, for Scene
	By     int    // how far, for Tick; negative to turn it back
}

// Codes of errors.
const (
	UnknownVerb  = "verb"     // no such command
	UnknownMove  = "move"     // no such move
	Barred       = "barred"   // a move that others make
	UnknownWord  = "word"     // means nothing here
	UnknownName  = "name"     // unknown character
	UnknownSeat  = "seat"     // unknown seat
	Several      = "several"  // several with that name
	ToWhom       = "whom"     // a message to game masters whose text begins with another's name
	Slip         = "slip"     // a message that begins like a command, after a character that isn't the slash
	NoChoice     = "choice"   // not an option of the field
	NoNumber     = "number"   // a number is required
	NoValue      = "value"    // a value must follow the field's name
	Unclear      = "unclear"  // ambiguous
	Twice        = "twice"    // a field with two values
	NotSecret    = "secret"   // only game masters roll in secret
	Unclosed     = "unclosed" // a quote without an end
	NoQuestion   = "question" // there's no open question
	NoNumbered   = "numbered" // there's no question with that number
	UnknownClock = "clock"    // unknown clock
	UnknownScene = "scene"    // unknown scene
	NoOffer      = "offer"    // there's no offer, or none with that number
	Nothing      = "nothing"  // something must follow the command
	TooLong      = "too-long" // longer than MaxLine bytes
)

// Error says why a line can't be understood.
type Error struct {
	Code  string
	At    int      // first byte of its place
	End   int      // end of its place
	Given string   // as it was written
	Field string   // label of the field
	Near  string   // the nearest known word; "" for none
	Among []string // what it could be
	Most  int      // number of questions, for NoNumbered
	Lead  string   // what precedes a command, for NotSecret
	Why   string   // who may make the move, for Barred
}

func (e *Error) Error() string { return "chat: " + e.Code + ": " + e.Given }

// Say puts the error into words.
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
	text := s.Say(id, "Given", short(e.Given), "Field", e.Field, "Among", joinTexts(among), "Max", MaxLine, "N", e.Most,
		"Lead", e.Lead, "Why", e.Why)
	if e.Near != "" {
		text += " " + s.Say("chat.near", "Near", e.Near)
	}
	return text
}
