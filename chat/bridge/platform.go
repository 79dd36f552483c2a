package bridge

import (
	"context"
	"fmt"
	"time"

	"norn/lang"
)

// Platform is a chat platform. All methods may be called concurrently. They return when the
// platform has accepted the call or refused it with Later, Gone, or any other error, after which
// the bridge tries again.
type Platform interface {
	// Name is the prefix of the ids of its places and persons: "discord".
	Name() string
	// Run keeps the platform connected, if necessary, until ctx ends. Of several nodes one runs.
	Run(ctx context.Context)
	// Post shows a new message in a place. Messages with the same key should appear once, if the
	// platform can recognise them.
	Post(ctx context.Context, place string, m Message, key string) (id string, err error)
	// Edit replaces the contents of a message.
	Edit(ctx context.Context, place, id string, m Message) error
	// Private returns a person's private chat.
	Private(ctx context.Context, person string) (place string, err error)
	// Lead returns what precedes each command in a place, or for a person privately: "/norn " where
	// norn reads nothing else, "/" where it reads every line.
	Lead(place string) string
	// Join returns how a person enters a code there, such as a link; "" for the line "/norn sit
	// CODE".
	Join(code string) string
}

// Hearer is called by a platform; a *Bridge is one.
type Hearer interface {
	// Do does what a person did in a chat. A refusal is in the answer; errors are norn's own
	// failures.
	Do(ctx context.Context, u Update) (Answer, error)
	// Complete returns at most 24 ways to continue a line.
	Complete(ctx context.Context, by Person, place, line string) []Suggestion
	// Moved moves ties to another place: a platform may give a place another id.
	Moved(ctx context.Context, from, to string) error
}

// Later is the error of a platform that asks to try later.
type Later struct{ After time.Duration }

func (e *Later) Error() string { return fmt.Sprintf("the chat asks to wait for %v", e.After) }

// Gone is the error of a place or a message that doesn't exist any more, or that norn can't use. A
// message is posted again; for a place the tie ends.
type Gone struct {
	What    string // in a word or two, for the log and the GM: "channel deleted", "bot was blocked"
	Message bool   // only the message is gone, not the place
}

func (e *Gone) Error() string { return "gone from the chat: " + e.What }

// Person is a person in a chat.
type Person struct {
	ID   string    // the platform's id after its name: "discord:80351110224678912"
	Name string    // as others see it there
	Lang lang.Lang // of the platform's settings, "" for unknown
}

// Update is one thing that a person did in a chat.
type Update struct {
	ID      string // the platform's id after its name: a repeated one is done once
	By      Person
	Place   string // "discord:<channel>", "telegram:<chat>", "telegram:<chat>:<topic>"
	Private bool   // a private chat
	// the text without the platform's own name of the command: "check fight", "table K7QM-3XWP",
	// "hello"
	Line   string
	Press  string            // or the ID of the pressed control or submitted form
	Values []string          // chosen options of a select
	Fields map[string]string // values of a form by field name
}

// Suggestion is a way to continue a line.
type Suggestion struct {
	Label string // what is shown
	Line  string // the whole new line
}

// Answer is the response to an update.
type Answer struct {
	Message Message // Empty for none
	Alone   bool    // only for the person
	// gets the way to edit the message once it's written; nil for most messages
	Written func(edit func(context.Context, Message) error)
	// a dialog; its ID comes back as Press, with Fields. A platform without dialogs asks for the
	// fields one by one
	Form *Form
}

// Message is a message without any platform's markup: platforms escape every text, and mention only
// Calls.
type Message struct {
	Head     string // heading, in bold: "Anna · Fight"
	Lines    []Line // paragraphs
	Picture  []byte // PNG; nil for none
	Alt      string // text for the picture
	Link     string // to the table's page
	LinkText string
	Controls [][]Control // rows, at most 5; a row has at most 5 buttons, or one select
	Quiet    bool        // without a notification
	Calls    []Person    // people to mention, and nobody else is

	asks int // number of the first line about waiting, from 1; 0 for none
}

// Empty reports whether there is nothing to show.
func (m Message) Empty() bool {
	return m.Head == "" && len(m.Lines) == 0 && m.Picture == nil && m.Link == "" && len(m.Controls) == 0
}

// Line is a paragraph of a message.
type Line struct {
	Text   string
	Weight Weight
}

// Weight is the style of a line.
type Weight int

// The weights.
const (
	Plain  Weight = iota
	Strong        // an outcome
	Small         // a side note: a rule, a time
	Struck        // undone
	Quoted        // a message
)

// Control is a button or, with options, a select.
type Control struct {
	ID      string   // sent as Press: at most 60 bytes of [A-Za-z0-9._~-]
	Label   string   // of a select, the text while nothing is chosen
	Main    bool     // the default button
	Options []Option // of a select, at most 25
	Most    int      // how many can be chosen; 0 is 1
}

// Option is an option of a select.
type Option struct {
	Value  string // sent in Values: at most 60 bytes
	Label  string
	About  string
	Chosen bool // initially
}

// Form is a dialog. Press with its ID and no Fields opens it again, while it's still valid.
type Form struct {
	ID     string // sent as Press, like a Control's
	Title  string
	Fields []Field // at most 5
}

// Field is one field of a dialog.
type Field struct {
	Name        string // key in Fields: at most 60 bytes
	Label       string
	About       string
	Value       string // initially
	Kind        FieldKind
	Options     []Option // for Choice, at most 25
	Least, Most int      // of a Number, or the length of Text and Long; both 0 for no limits
	Needed      bool
}

// FieldKind is the kind of a field.
type FieldKind int

// The kinds of fields.
const (
	Text   FieldKind = iota
	Long             // text of several lines
	Number           // an integer
	Choice           // one of Options, given by its Value
	Flag             // "true" or "false"
)
