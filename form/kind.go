package form

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Kind is the type of a field's content. It determines how the field is asked, checked and shown.
type Kind string

// The kinds of fields. A new one needs a line in kinds, a type in readKind, its schema, words for a
// value of another type, and its place in each front end: the pages' controls in web/fields and
// web/html/editor.go, chat/value.go, chat/bridge/question.go, and norn's flags in throw/fields.go.
const (
	KindInt    Kind = "int"    // any Go integer type, or Number, which may be left empty
	KindBool   Kind = "bool"   // a bool type
	KindChoice Kind = "choice" // a string type with choice=
	KindText   Kind = "text"   // a string type: one line
	KindProse  Kind = "prose"  // a string type: several lines
	KindTrait  Kind = "trait"  // Trait
	KindRef    Kind = "ref"    // Ref
	KindRefs   Kind = "refs"   // []Ref, no id twice
	KindFaces  Kind = "faces"  // Faces
	KindGroup  Kind = "group"  // a struct
	KindList   Kind = "list"   // a slice of a struct
)

// kindSpec holds what differs between kinds.
type kindSpec struct {
	values string // describes its values in English
	empty  any    // the empty value in the shape that Fill returns; nil for items and groups
	tag    string // those words of a tag that only some kinds have
	limits
	is    class
	check func(c *check, f *Field, s *input, path string, into reflect.Value)
}

// limits are the bounds of min= and max= in a tag, and the max of a field whose tag has none.
type limits struct{ low, high, max int }

// class is a set of properties that kinds share.
type class uint8

const (
	written  class = 1 << iota // a text that people write
	textual                    // a text in JSON
	chosen                     // has options
	people                     // refers to characters
	switched                   // on or off: its name alone means on
	several                    // has any number of items
	nested                     // has fields of its own
	ticked                     // a page doesn't send it while it's off or empty
)

// kinds holds what differs between kinds. It's set in init, because checks of groups and lists need
// it themselves.
var kinds map[Kind]kindSpec

func init() {
	kinds = map[Kind]kindSpec{
		KindInt: {
			values: "a whole number without a point or an exponent", empty: 0,
			tag:    "required default usual min max track look",
			limits: limits{low: math.MinInt, high: math.MaxInt},
			check:  (*check).int,
		},
		KindBool: {
			values: "true or false", empty: false,
			tag:   "default",
			is:    switched | ticked,
			check: (*check).bool,
		},
		KindChoice: {
			values: "a text", empty: "",
			tag:   "required default",
			is:    textual | chosen,
			check: (*check).choice,
		},
		KindText: {
			values: "a text", empty: "",
			tag:    "required default min max dice look",
			limits: limits{high: MaxText, max: MaxText},
			is:     written | textual,
			check:  (*check).text,
		},
		KindProse: {
			values: "a text", empty: "",
			tag:    "required default min max",
			limits: limits{high: MaxProse, max: MaxProse},
			is:     written | textual,
			check:  (*check).text,
		},
		KindTrait: {
			values: "true, false or a name", empty: Trait(""),
			tag:   "required default open worded",
			is:    chosen | switched | ticked,
			check: (*check).trait,
		},
		KindRef: {
			values: "an id", empty: "",
			tag:   "required of",
			is:    chosen | people,
			check: (*check).ref,
		},
		KindRefs: {
			values: "a list of ids",
			tag:    "required min max of",
			limits: limits{high: math.MaxInt, max: MaxItems},
			is:     chosen | people | several | ticked,
			check:  (*check).refs,
		},
		KindFaces: {
			values: "a list of whole numbers",
			tag:    "required min max",
			limits: limits{high: math.MaxInt, max: MaxItems},
			is:     several,
			check:  (*check).faces,
		},
		KindGroup: {values: "an object", is: nested, check: (*check).group},
		KindList: {
			values: "a list",
			tag:    "required min max",
			limits: limits{high: math.MaxInt, max: MaxItems},
			is:     several | nested | ticked,
			check:  (*check).list,
		},
	}
}

func (k Kind) is(c class) bool { return kinds[k].is&c != 0 }

// IsText reports whether people write the value as a text.
func (k Kind) IsText() bool { return k.is(written) }

// HasOptions reports whether the field may have options.
func (k Kind) HasOptions() bool { return k.is(chosen) }

// IsRef reports whether the value names characters.
func (k Kind) IsRef() bool { return k.is(people) }

// IsSwitch reports whether the field is on if only its name is given.
func (k Kind) IsSwitch() bool { return k.is(switched) }

// HasItems reports whether the value is a list of anything.
func (k Kind) HasItems() bool { return k.is(several) }

// HasFields reports whether the field has fields of its own.
func (k Kind) HasFields() bool { return k.is(nested) }

// JSONKind returns the kind whose JSON the kind shares: that of texts for choices and prose.
func (k Kind) JSONKind() Kind {
	if k.is(textual) {
		return KindText
	}
	return k
}

// takes reports whether the tag of a field of the kind may have a word that only some kinds have.
func (k Kind) takes(word string) bool { return slices.Contains(strings.Fields(kinds[k].tag), word) }

// readKind takes the kind from the field's type, and for a string from its tag.
func (f *Field) readKind(take func(string) (string, bool), above []reflect.Type) error {
	_, text := take("text")
	_, prose := take("prose")
	choices, choice := take("choice")
	if choice {
		for value := range strings.SplitSeq(choices, "|") {
			value, alias, _ := strings.Cut(value, "=")
			if f.Options != nil && f.allows(value) {
				return fmt.Errorf("the choice %q stands twice", value)
			}
			f.Options = append(f.Options, Option{Value: value, Alias: alias})
		}
	}
	kind := f.typ.Kind()
	switch {
	case f.typ == traitType:
		f.Kind, choice = KindTrait, false
	case f.typ == refType:
		f.Kind = KindRef
	case f.typ == refsType:
		f.Kind = KindRefs
	case f.typ == facesType:
		f.Kind = KindFaces
	case isInt(kind) || f.typ == numberType:
		f.Kind = KindInt
	case kind == reflect.Bool:
		f.Kind = KindBool
	case kind == reflect.String && choice:
		f.Kind, choice = KindChoice, false
	case kind == reflect.String && prose:
		f.Kind, prose = KindProse, false
	case kind == reflect.String:
		f.Kind, text = KindText, false
	case kind == reflect.Struct:
		f.Kind, f.Fields = KindGroup, fieldsOf(f.typ, above)
	case kind == reflect.Slice && f.typ.Elem().Kind() == reflect.Struct:
		f.Kind, f.Fields = KindList, fieldsOf(f.typ.Elem(), above)
	default:
		return fmt.Errorf("a form has no kind for the type %s", f.typ)
	}
	if text || prose || choice {
		return fmt.Errorf("text, prose or choice means nothing for a %s", f.Kind)
	}
	return nil
}
