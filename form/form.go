// Package form derives a form model from a Go struct. The page, the API, the command line and chats
// all read it in the same way.
//
// Of reads a struct's fields once, at start-up. Input (JSON, a posted HTML form, texts from a
// command line or a chat) is checked against the same model, and all problems are reported, not
// only the first. The caller's struct is changed only if the whole input is valid.
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
//	min=N, max=N    the range of an int (max must be given, min is 0 unless given), the length of a text, the number of items
//	choice=A=a|B|C  A may also be written as a; without aliases:
//	choice=A|B|C    the allowed values of a string or the known names of a trait, in order; an empty one is an open choice
//	set=NAME        the word set of the choices; by default the field's name
//	default=V       for an int, a bool, a choice, a text or a trait; a choice that isn't required has its first value
//	usual=N         the usual meaning of an empty Number, which has no default
//	required        must be given; a text or a list must not be empty
//	open            a trait may have other names than the known ones
//	text, prose     one line of at most 200 characters (the default for a string), or up to 10,000 with line breaks
//	dice            a text in dice notation: typed with any language's letter, stored with d
//	bare, table     only where there is no character, or only at a table with one
//	said            summaries mention it even if it has its default
//	fixed           a call for a move fixes it even if it has its default
//	assumed         assumed by odds if a sheet isn't visible; not part of the move
//	of=A|B          the kinds of characters at the table that a ref, or refs, may name
//	track, track=FIELD  a number drawn as boxes next to a name, up to its own maximum or another field of the same struct
//	look=dots       a number that a sheet draws as dots, a bar or a clock; look=url, a text that is a link
//	head=NAME       a heading of the sheet, shared by neighbouring fields with the same one
//	at=A|B          the places of the actor's sheet from which it's chosen: see Field.At
//	gm              for the game master only: nobody else is asked for it or sees its value
//	sealed          hidden from others while a parallel player is still planning
//	for=FIELD       needed only if that field of the same struct is given or ticked: a value is refused otherwise
//	for=FIELD:A|B   only if that field is A or B
//	beside=FIELD    a page asks for it only if that field of the same struct is given or ticked; a value is always accepted
//	beside=FIELD:A|B  only if that field is A or B
//	inline          the fields of a struct become fields of the form as if it were embedded
//	-               not part of the form
//
// Two more tags have one value a line, which a form tag can't hold: also:"…" lists other accepted
// names of the field, labels:"…" other names of its choices, in their order.
//
// A text or a list that isn't required may be empty whatever its minimum is. Lists, Refs and Faces
// hold at most 100 items unless max says otherwise. Texts are trimmed and their line breaks become
// LF, from any source. An empty list is nil. Embedded structs are flattened; unexported fields are
// ignored.
//
// A Form is immutable: With, From and the others return changed copies that share what stays the
// same. So a Form is safe for concurrent use. Fields that a copy leaves out keep the value of the
// caller's struct, except those of list items, which are created again. Package form imports only
// the standard library.
package form

import (
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

// Limits that apply regardless of the tag.
const (
	MaxText  = 200     // characters in a text, a trait's name or an id
	MaxProse = 10_000  // characters in a prose
	MaxItems = 100     // items of a list unless its tag says otherwise
	MaxFace  = 1000000 // the highest face of a die
	maxDepth = 32      // JSON nested deeper than this is refused
	maxFound = 100     // problems reported for one input
)

// Where is a situation in which fields are asked for.
type Where uint8

// Fields are asked for in Both unless the tag says otherwise.
const (
	Both    Where = iota
	Bare          // without a character: command line, public odds
	AtTable       // with a character
)

// An Option is one allowed value of a choice, one known name of a trait, or one character a ref may
// name. Text is set for names that people gave; it is empty if package lang has the words.
type Option struct {
	Value   string
	Text    string
	Word    string // id of the word that names it, if it isn't in the set; follows Text and a colon if both are set
	After   string // text after the name, such as a size; "" for none
	Group   string // id of the heading of its group, "" for none
	Starred bool   // highlighted: a trait with mastery
	About   string // id of the word that describes its effect, "" for none
	For     *For   // the condition under which a script offers it; nil: always
	Alias   string // another way to write the value, "" for none
	// the place of the sheet that it represents, if that doesn't follow from the field's At:
	// "skills.0"
	At string
	// the effect in short, which a page shows next to its name: a number, dice, or the id of a word
	Worth string
	Fill  Fill // a value that a page fills in if it's chosen
	NPC   bool // a character that the game master plays: a page collapses long lists of these
	Past  bool // accepted as input but not offered: the rule would refuse it with a reason
}

// Fill is a value that an option suggests for another field of the same struct. A page fills it in
// where people can see and change it. It doesn't replace a person's choice.
type Fill struct{ Field, Value string }

// CurrentOptions returns the options that people can choose now.
func (f *Field) CurrentOptions() []Option {
	return slices.DeleteFunc(slices.Clone(f.Options), func(o Option) bool { return o.Past })
}

// HasNoChoice reports whether there is nothing to choose, so that the field can be left out.
func (f *Field) HasNoChoice() bool {
	if f.Kind == KindChoice && len(f.Options) == 1 && f.Options[0].Value == "" {
		return true
	}
	return f.Options != nil && !f.Required && !f.Open &&
		!slices.ContainsFunc(f.Options, func(o Option) bool { return !o.Past })
}

// A Field is one field of a form. It must not be changed.
type Field struct {
	Name     string // JSON member, flag and control name: lower case, digits and hyphens
	Doc      string // a description, for the schema of a form without words of a game
	Kind     Kind
	Min, Max int      // int: range; text, prose: characters; refs, faces, list: number of items
	Set      string   // the word set of the options
	Options  []Option // nil for a trait or a ref: any name or id; empty: none is allowed
	Required bool
	Once     bool // meant for a single time: a page that remembers choices doesn't remember this one
	Open     bool // a trait: other names than the options' are allowed
	Worded   bool // a trait: an unlisted one means nothing without a name, so a page always asks for it
	Where    Where
	Dice     bool     // a text in dice notation
	Said     bool     // summaries mention it even if it has its default
	Fixed    bool     // a call for a move fixes it even if it has its default
	Rare     bool     // most moves don't need it: a page puts it under "more"
	Usual    any      // the usual meaning of an empty Number, an int; nil if the tag has none
	Assumed  bool     // assumed by odds if a sheet isn't visible; not part of the move
	Of       []string // kinds of characters that a ref may name, nil for any
	Track    bool     // drawn as boxes next to a name
	TrackOf  string   // the field with the number of boxes, "" for its own maximum
	Look     string   // how a sheet draws a number, "" for boxes
	Head     string   // a heading of the sheet, shared by neighbouring fields with the same one; "" for none
	GM       bool     // for the game master only
	Sealed   bool     // hidden from others while a parallel player is still planning
	For      *For     // the condition under which it's needed; nil: always
	Beside   *For     // the condition under which a page asks for it; nil: always
	At       []string // places of the actor's sheet from which it's chosen, see Stands
	Also     []string // other accepted names, such as its label
	Default  any      // in the form that Fill returns, nil for none
	Fields   []Field  // of a group, or of a list's item

	index []int // the field index within the struct that holds the field
	typ   reflect.Type
}

// PickedFrom returns the choice that a list's items are, where each of them is one choice and nothing
// else.
func (f Field) PickedFrom() (Field, bool) {
	if f.Kind != KindList || len(f.Fields) != 1 || f.Fields[0].Kind != KindChoice {
		return Field{}, false
	}
	return f.Fields[0], true
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

// die matches a die in notation with any language's letter.
var die = regexp.MustCompile(`(^|[^\pL])[DдДкК](\d|%)`)

// MayBeEmpty reports whether the field is a Number, which can be empty instead of 0.
func (f *Field) MayBeEmpty() bool { return f.typ == numberType }

// NormalizeText returns a text with dice in the letters that the form stores, from any alphabet:
// 1к8 becomes 1d8. Texts from JSON aren't changed.
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
	whole *Form // the form returned by Of, so that a copy knows the names it left out

	narrow [AtTable + 1]atomic.Pointer[Form] // caches For, which is called at every move
	stated atomic.Pointer[Form]              // caches WithoutAssumed
	rest   atomic.Pointer[rest]              // caches the last Without
}

// Field finds a field by its dotted path ("difficulty", "skills.name", "skills.0.name").
func (f *Form) Field(path string) (Field, bool) {
	fields := f.Fields
	var found Field
	for name := range strings.SplitSeq(path, ".") {
		if found.Kind == KindList && isIndex(name) {
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

// isChosen reports whether people choose the field's value from a list.
func (f *Field) isChosen() bool {
	return f.Kind.HasOptions() && (!f.Kind.IsSwitch() || len(f.Options) > 0 && !f.Open)
}

// allows reports whether value is one of the field's options; a field without a list of options
// allows any.
func (f *Field) allows(value string) bool {
	return f.Options == nil || f.option(value) != nil
}

// option returns the option with a value, or nil.
func (f *Field) option(value string) *Option {
	for i := range f.Options { // an option is large to copy
		if f.Options[i].Value == value {
			return &f.Options[i]
		}
	}
	return nil
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
	for i := range fields { // a field is large to copy
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

// NameOf returns the name of the field with this name or alias. An unknown name is returned
// unchanged.
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
