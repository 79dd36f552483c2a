package bridge

import (
	"context"
	"fmt"
	"time"

	"norn/lang"
)

// Platform is a chat as the bridge needs it. All methods may be called at once, and return when the
// platform has taken it, or said why not: Later, Gone, or any other error, after which it's tried
// again.
type Platform interface {
	// Name is what IDs of its places and persons begin with: "discord".
	Name() string
	// Run is connected, where that takes something, until ctx ends. Of several nodes one runs.
	Run(ctx context.Context)
	// Post shows a new message in a place. What is posted again with the same key should be one
	// message, where the platform can tell.
	Post(ctx context.Context, place string, m Message, key string) (id string, err error)
	// Edit has a message say something else.
	Edit(ctx context.Context, place, id string, m Message) error
	// Private is where a person reads alone.
	Private(ctx context.Context, person string) (place string, err error)
	// Join is how a person gives a code there, a link for instance; "" for the line "/norn sit CODE".
	Join(code string) string
}

// Hearer is what a platform calls; a *Bridge is one.
type Hearer interface {
	// Do does what somebody did in a chat. What can't be done is said in the answer; errors are norn's own faults.
	Do(ctx context.Context, u Update) (Answer, error)
	// Complete are ways to go on with a line, 24 at most.
	Complete(ctx context.Context, by Person, place, line string) []Suggestion
	// Moved has what is tied to a place follow it to another: a platform may give a place another id.
	Moved(ctx context.Context, from, to string) error
}

// Later is a platform that wants to be asked later.
type Later struct{ After time.Duration }

func (e *Later) Error() string { return fmt.Sprintf("the chat asks to wait for %v", e.After) }

// Gone is a place or a message that isn't there any more, or is shut to norn. Of a message only
// that message is written anew; of a place its tie ends.
type Gone struct {
	What    string // in a word or two, for the log and the GM: "channel deleted", "bot was blocked"
	Message bool   // only the message is gone, not the place
}

func (e *Gone) Error() string { return "gone from the chat: " + e.What }

// Person is somebody in a chat.
type Person struct {
	ID   string    // as the platform knows them, behind its name: "discord:80351110224678912"
	Name string    // as others see it there
	Lang lang.Lang // of the platform's settings, "" for unknown
}

// Update is one thing that somebody did in a chat.
type Update struct {
	ID      string // the platform's own, behind its name: told twice it's done once
	By      Person //
	Place   string // where: "discord:<channel>", "telegram:<chat>", "telegram:<chat>:<topic>"
	Private bool   // nobody else reads there
	// what was written, without the platform's own name of the command: "check fight", "table
	// K7QM-3XWP", "hello"
	Line   string
	Press  string            // or the ID of the control or the form that was pressed
	Values []string          // what was chosen in a select
	Fields map[string]string // what was filled into a form, by the field's name
}

// Suggestion is a way to go on with a line.
type Suggestion struct {
	Label string // what is shown
	Line  string // the whole line as it is then
}

// Answer is what somebody hears of what they did.
type Answer struct {
	Message Message // Empty for nothing to be said
	Alone   bool    // for nobody else to see
	// a dialog to fill in; its ID comes back as Press, with Fields. A platform without dialogs asks
	// for the fields in turn
	Form *Form
}

// Message is what is shown, free of any platform's markup: platforms escape every text, and mention nobody but Calls.
type Message struct {
	Head     string      // stands above, in bold: "Anna · Fight"
	Lines    []Line      // paragraphs
	Picture  []byte      // PNG; nil for none
	Alt      string      // what the picture shows
	Link     string      // to the table's page
	LinkText string      //
	Controls [][]Control // rows, at most 5; a row has at most 5 buttons, or one select
	Quiet    bool        // nobody's telephone rings
	Calls    []Person    // who is waited for: the platform may name them, and calls only these

	asks int // with which line that begins which says what is waited for, counted from 1; 0 for none
}

// Empty tells whether there is nothing to show.
func (m Message) Empty() bool {
	return m.Head == "" && len(m.Lines) == 0 && m.Picture == nil && m.Link == "" && len(m.Controls) == 0
}

// Line is a paragraph of a message.
type Line struct {
	Text   string
	Weight Weight
}

// Weight is how a line is shown.
type Weight int

// The weights.
const (
	Plain  Weight = iota
	Strong        // an outcome
	Small         // an aside: a rule, a time
	Struck        // undone
	Quoted        // somebody's words
)

// Control is a button or, with options, a select.
type Control struct {
	ID      string   // what Press says: at most 60 bytes of [A-Za-z0-9._~-]
	Label   string   // a select's is what stands there as long as nothing is chosen
	Main    bool     // the one to press
	Options []Option // a select's, at most 25
	Most    int      // how many of them may be chosen; 0 is 1
}

// Option is one thing that can be chosen.
type Option struct {
	Value  string // what Values says: at most 60 bytes
	Label  string
	About  string
	Chosen bool // to begin with
}

// Form is a dialog. Its ID pressed without Fields gives it again, as long as it's what is asked.
type Form struct {
	ID     string // what Press says, as a Control's
	Title  string
	Fields []Field // at most 5
}

// Field is one field of a dialog.
type Field struct {
	Name        string // what Fields says: at most 60 bytes
	Label       string
	About       string
	Value       string // to begin with
	Kind        FieldKind
	Options     []Option // of Choice, at most 25
	Least, Most int      // of Number, and of the length of Text and Long; both 0 for no bounds
	Needed      bool
}

// FieldKind is how a field is filled in.
type FieldKind int

// The kinds of fields.
const (
	Text   FieldKind = iota
	Long             // text of several lines
	Number           // a whole number
	Choice           // one of Options, said by its Value
	Flag             // "true" or "false"
)
