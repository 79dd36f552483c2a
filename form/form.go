// Package form turns one Go struct into one form model that page, API, command line and chat read
// alike.
//
// A struct's fields are read once, at start-up, by Of; what comes in later (JSON, a posted HTML
// form, texts from a command line or a chat) is checked against the same model, and every problem
// is found, not only the first. Nothing is written to the caller's struct unless everything is
// right.
//
// Names come from the json tag, kinds from the Go type, limits from the form tag:
//
//	type Check struct {
//		Skill      form.Trait `json:"skill"`
//		Difficulty int        `json:"difficulty" form:"max=2"`
//		Die        string     `json:"die" form:"choice=d3|d6|d8,default=d6,bare"`
//		Helpers    []form.Ref `json:"helpers" form:"max=5,table"`
//		Note       string     `json:"note" form:"prose"`
//	}
//
// The words of a form tag, separated by commas:
//
//	min=N, max=N    the range of an int (max must be given, min is 0 unless given), the length of a text, how many items
//	choice=A=a|B|C  A may also be written as a; without aliases:
//	choice=A|B|C    the allowed values of a string or the known names of a trait, in order; an empty one is an open choice
//	set=NAME        the word set the choices belong to; by default the field's name
//	default=V       for an int, a bool, a choice, a text or a trait; a choice that isn't required has its first value
//	usual=N         what an empty Number usually means, which has no default
//	required        must be given; a text or a list must not be empty
//	open            a trait may have other names than the known ones
//	text, prose     one line of at most 200 characters (what a string is without a tag), or up to 10,000 with line breaks
//	dice            a text that is dice: typed with any language's letter, kept with d
//	bare, table     only where there is no character, or only at a table with one
//	said            what was done tells it even where it is the default
//	fixed           what is asked for on a page fixes it even where it is the default
//	assumed         what odds assume where a sheet isn't seen; no part of what is done
//	of=A|B          whom a ref, or refs, may name: others of these kinds at the table
//	track, track=FIELD  a number that stands beside a name as boxes, of its own maximum or of another field of the same struct
//	look=dots       a number that a sheet draws as dots, a bar or a clock; look=url, a text that is a link
//	head=NAME       a sheet has the field under a head, with those beside it that say the same
//	at=A|B          which places of the sheet of who acts it's chosen from: see Field.At
//	gm              the game master's alone: nobody else is asked for it, or sees what it is
//	sealed          kept from others while somebody beside still plans
//	for=FIELD       means something only where that field of the same struct is given or ticked: what is typed is refused elsewhere
//	for=FIELD:A|B   only where that field is A or B
//	beside=FIELD    a page asks for it only where that field of the same struct is given or ticked; elsewhere it's taken, too
//	beside=FIELD:A|B  only where that field is A or B
//	inline          the fields of a struct stand in the form as if it were embedded
//	-               not part of the form
//
// Two more tags, whose values stand one a line, hold what a form tag can't: also:"…" are other
// names by which the field is taken, labels:"…" other names of its choices, in their order.
//
// A text or a list that isn't required may be empty whatever its minimum is. Lists, Refs and Faces
// hold at most 100 items unless max says otherwise. Texts are trimmed and their line breaks made
// LF, wherever they come from. An empty list is nil. Embedded structs are flattened; unexported
// fields are no part of a form.
//
// A Form never changes: With, From and the others give changed copies that share what stays the
// same, so a Form is safe for concurrent use. Fields that a copy leaves out keep what the caller's
// struct holds, but for those of list items, which are made anew. Package form imports only the
// standard library.
package form

import (
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

// Kind says what a field contains, and so how it is asked, checked and shown.
type Kind string

// The kinds of fields.
const (
	KindInt    Kind = "int"    // any Go integer type, or Number, which may be left empty
	KindBool   Kind = "bool"   // a bool type
	KindChoice Kind = "choice" // a string type with choice=
	KindText   Kind = "text"   // a string type: one line
	KindProse  Kind = "prose"  // a string type: lines
	KindTrait  Kind = "trait"  // Trait
	KindRef    Kind = "ref"    // Ref
	KindRefs   Kind = "refs"   // []Ref, no id twice
	KindFaces  Kind = "faces"  // Faces
	KindGroup  Kind = "group"  // a struct
	KindList   Kind = "list"   // a slice of a struct
)

// The limits that hold whatever a tag says.
const (
	MaxText  = 200     // characters in a text, a trait's name or an id
	MaxProse = 10_000  // characters in a prose
	MaxItems = 100     // items of a list unless its tag says otherwise
	MaxFace  = 1000000 // the highest face of a die
	maxDepth = 32      // JSON nested deeper than this is refused
	maxFound = 100     // problems reported at once
)

// Where says in which surroundings a field is asked for.
type Where uint8

// A field is asked for in both unless its tag says otherwise.
const (
	Both    Where = iota
	Bare          // without a character: command line, public odds
	AtTable       // with a character
)

// An Option is one allowed value of a choice, one known name of a trait, or one character a ref may
// name. Text is set for names that people gave; it is empty when the words come from package lang.
type Option struct {
	Value   string
	Text    string
	Word    string // id of the word that names it, where that isn't the set's; after Text and a colon if both are set
	After   string // what follows the name, a size for example, "" for nothing
	Group   string // id of the word for the group it stands under, "" for none
	Starred bool   // stands out: a trait with mastery
	About   string // id of the word that says what choosing it does, "" for none
	For     *For   // what it belongs to: script offers it only there; nil for nothing in particular
	Alias   string // another way to write the value, "" for none
	// the place of the sheet that it stands for, where that doesn't follow from the field's At:
	// "skills.0"
	At string
	// what choosing it comes to in short, for a page to show beside its name: a number, dice, or
	// the id of a word
	Worth string
	Fill  Fill // what a page fills in when somebody chooses it
	NPC   bool // it's somebody whom the game master plays: a page folds many of them away
	Past  bool // may be named but isn't offered: a rule would refuse it, and say why
}

// Fill is a value that an option suggests for another field of the same struct. A page fills it in
// where people can see and change it. It doesn't replace a person's choice.
type Fill struct{ Field, Value string }

// CurrentOptions returns the options that people can choose now.
func (f *Field) CurrentOptions() []Option {
	return slices.DeleteFunc(slices.Clone(f.Options), func(o Option) bool { return o.Past })
}

// A Field is one field of a form. It must not be changed.
type Field struct {
	Name     string // JSON member, flag and control name: lower case, digits and hyphens
	Doc      string // what it is, in the schema of a form that no game has words for
	Kind     Kind
	Min, Max int      // int: range; text, prose: characters; refs, faces, list: how many
	Set      string   // the word set of the options
	Options  []Option // nil for a trait or a ref: any name or id; empty: none is allowed
	Required bool
	Once     bool // meant for one time: a page that keeps what was chosen doesn't keep this
	Open     bool // a trait: other names than the options' are allowed
	Worded   bool // a trait: a page asks for the name of another one, which without it says nothing
	Where    Where
	Dice     bool     // a text that is dice in notation
	Said     bool     // what was done tells it even where it is the default
	Fixed    bool     // what is asked for on a page fixes it even where it is the default
	Usual    any      // what an empty Number usually means, an int; nil where the tag doesn't say
	Assumed  bool     // what odds assume where a sheet isn't seen; no part of what is done
	Of       []string // kinds of whom a ref may name, nil for any
	Track    bool     // stands beside a name as boxes
	TrackOf  string   // the field that says how many there are, "" for its own maximum
	Look     string   // what a sheet draws a number as, "" for boxes
	Head     string   // what a sheet has it under, with the fields beside it that say the same; "" for nothing
	GM       bool     // the game master's alone
	Sealed   bool     // kept from others while somebody beside still plans
	For      *For     // what it belongs to; nil for nothing in particular
	Beside   *For     // where a page asks for it; nil for everywhere
	At       []string // places of the sheet of who acts that it's chosen from, see Stands
	Also     []string // other names by which it's taken, as its label
	Default  any      // in the shape that Fill gives, nil for none
	Fields   []Field  // of a group, and of a list's item

	index []int // the way from the struct that holds the field
	typ   reflect.Type
}

// For names the field of the same struct that gives another its meaning: if it has one of the
// values, or, without values, if it is given or ticked.
type For struct {
	Field  string
	Values []string
}

// Met reports whether a field's value, in the shape that Fill returns, meets the condition. nil is
// a field that isn't asked.
func (f *For) Met(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return value
	case string:
		return value != "" && (f.Values == nil || slices.Contains(f.Values, value))
	}
	return true
}

// die is a die in notation, whichever letter it was typed with.
var die = regexp.MustCompile(`(^|[^\pL])[DдДкК](\d|%)`)

// MayBeEmpty reports whether the field is a Number, which can be empty instead of 0.
func (f *Field) MayBeEmpty() bool { return f.typ == numberType }

// NormalizeText returns a text with dice in the letters that the form keeps, whatever alphabet they
// were typed in: 1к8 becomes 1d8. Texts from JSON stay as they are.
func (f *Field) NormalizeText(text string) string {
	if !f.Dice {
		return text
	}
	return die.ReplaceAllString(text, "${1}d$2")
}

// A Form is the model of one struct.
type Form struct {
	Fields []Field

	typ   reflect.Type
	whole *Form // what Of made, so that a copy knows the names it left out

	narrow [AtTable + 1]atomic.Pointer[Form] // what For has made of it, for it's asked at every move
	stated atomic.Pointer[Form]              // what Stated has made of it
	rest   atomic.Pointer[rest]              // what Without made of it last
}

// Field finds a field by its dotted path ("difficulty", "skills.name", "skills.0.name").
func (f *Form) Field(path string) (Field, bool) {
	fields := f.Fields
	var found Field
	for i, name := range strings.Split(path, ".") {
		if i > 0 && found.Kind == KindList && isIndex(name) {
			continue
		}
		at := indexOf(fields, name)
		if at < 0 {
			return Field{}, false
		}
		found, fields = fields[at], fields[at].Fields
	}
	return found, true
}

// All yields every field with its dotted path, a group or list before its own fields, list items
// without a number.
func (f *Form) All() iter.Seq2[string, Field] {
	return func(yield func(string, Field) bool) { walk("", f.Fields, yield) }
}

func walk(prefix string, fields []Field, yield func(string, Field) bool) bool {
	for _, field := range fields {
		path := join(prefix, field.Name)
		if !yield(path, field) || !walk(path, field.Fields, yield) {
			return false
		}
	}
	return true
}

// allows reports whether value is one of the field's options; a field without a list of options
// allows any.
func (f *Field) allows(value string) bool {
	if f.Options == nil {
		return true
	}
	return slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == value })
}

func (f *Field) values() []string {
	values := make([]string, len(f.Options))
	for i, option := range f.Options {
		values[i] = option.Value
	}
	return values
}

func (f *Field) in(holder reflect.Value) reflect.Value { return holder.FieldByIndex(f.index) }

func indexOf(fields []Field, name string) int {
	return slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
}

// NameOf returns the name of the field that has this name or alias. An unknown name stays as it is.
func NameOf(fields []Field, called string) string {
	if indexOf(fields, called) >= 0 {
		return called
	}
	i := slices.IndexFunc(fields, func(f Field) bool {
		return slices.ContainsFunc(f.Also, func(name string) bool { return strings.EqualFold(name, called) })
	})
	if i < 0 {
		return called
	}
	return fields[i].Name
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

func isIndex(name string) bool {
	if name == "" || len(name) > 9 {
		return false
	}
	return strings.Trim(name, "0123456789") == "" && (name == "0" || name[0] != '0')
}
