package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"norn/form"
	"norn/game"
)

// field is a field of a sheet, of a move's arguments, of a question or of a list's items.
type field struct {
	thing
	kind     form.Kind
	label    string
	id       string // name in forms: "max-hurt"
	min, max int
	start    starlark.Value // default; nil: that of the form
	required bool
	track    bool
	trackOf  string
	look     string // "" for boxes
	head     string // its heading on the sheet, "" for none
	secret   bool
	hides    bool // if set, only the game master sees the sheet
	options  []option
	of       []*kind
	items    *shape // of a list
	fields   []*field
	changed  string // text about a change; "" for the general one
	more     string
	less     string
	hint     string
	bare     bool
	says     said   // of a bare field
	within   string // label that goes before this one: "Whom: Fight"
	table    bool
	only     *only
	cards    *deck  // it's a list of cards of this deck, which a script reads as names
	place    spot   // of the cards
	own      bool   // only the sheet's player and the game master see it
	plain    bool   // it's a list of single choices, which a script reads as texts
	once     bool   // each choice is allowed once
	list     string // name of the sheet's list from whose entries it's chosen, "" for none
}

type option struct{ id, label string }

// only is the condition under which a field is needed: a flag that is set, or a choice with one of
// some values.
type only struct {
	field  string
	values []string
}

// thing is an immutable value that represents a declaration.
type thing struct {
	what string
	name string // the variable that holds it
	pos  syntax.Position
}

func (t *thing) String() string       { return t.what + " " + t.name }
func (t *thing) Type() string         { return t.what }
func (t *thing) Freeze()              {}
func (t *thing) Truth() starlark.Bool { return true }
func (t *thing) Hash() (uint32, error) {
	return starlark.String(t.what + t.name).Hash()
}

var (
	_ starlark.Value    = (*field)(nil)
	_ starlark.HasAttrs = (*record)(nil)
)

// shape is a struct type made of a script's fields.
type shape struct {
	typ    reflect.Type
	form   *form.Form
	fields []*field
	at     map[string]int // by name in the script
}

// shapeOf makes a struct type of fields, with its form.
func shapeOf(fields []*field) (s *shape, err error) {
	s = &shape{fields: fields, at: map[string]int{}}
	members := make([]reflect.StructField, len(fields))
	for i, f := range fields {
		if _, twice := s.at[f.name]; twice {
			return nil, at(f.pos, wrong("twice", "Name", f.name))
		}
		if err := f.only.fits(fields); err != nil {
			return nil, at(f.pos, inside(f.name, err))
		}
		s.at[f.name] = i
		typ, tag, err := f.member(fields)
		if err != nil {
			return nil, err
		}
		members[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: typ, Tag: tag}
	}
	s.typ = reflect.StructOf(members)
	defer func() { // the form reports mistakes in tags by a panic
		if broken := recover(); broken != nil {
			what := errors.New(fmt.Sprint(broken))
			err = &Problem{File: file, What: what}
			if len(fields) > 0 {
				err = at(fields[0].pos, what)
			}
		}
	}()
	s.form = form.OfType(s.typ)
	return s, nil
}

// fits returns an error if the condition's field isn't suitable.
func (o *only) fits(fields []*field) error {
	if o == nil {
		return nil
	}
	of, ok := fieldOf(fields, o.field)
	switch {
	case !ok || of.kind != form.KindChoice && of.kind != form.KindBool:
		return wrong("only-field", "Name", o.field)
	case (of.kind == form.KindChoice) != (o.values != nil):
		return wrong("only")
	}
	for _, id := range o.values {
		if !of.has(id) {
			return oneOf(o.field, of.choices())
		}
	}
	return nil
}

func (f *field) member(beside []*field) (reflect.Type, reflect.StructTag, error) {
	var typ reflect.Type
	var tags []string
	add := func(format string, about ...any) { tags = append(tags, fmt.Sprintf(format, about...)) }
	switch f.kind {
	case form.KindInt:
		typ = reflect.TypeFor[int]()
		add("min=%d", f.min)
		add("max=%d", f.max)
		switch {
		case f.trackOf != "":
			add("track=%s", idOf(f.trackOf))
		case f.track:
			add("track")
		}
		if f.look != "" {
			add("look=%s", f.look)
		}
	case form.KindBool:
		typ = reflect.TypeFor[bool]()
	case form.KindChoice:
		typ = reflect.TypeFor[string]()
		ids := make([]string, len(f.options))
		for i, o := range f.options {
			ids[i] = o.id
		}
		add("choice=%s", strings.Join(ids, "|"))
		if f.list != "" {
			add("at=%s", idOf(f.list))
		} else {
			add("set=%s", f.id)
		}
	case form.KindText:
		typ = reflect.TypeFor[string]()
		add("text")
	case form.KindProse:
		typ = reflect.TypeFor[string]()
		add("prose")
	case form.KindRef, form.KindRefs:
		typ = reflect.TypeFor[form.Ref]()
		if f.kind == form.KindRefs {
			typ = reflect.TypeFor[[]form.Ref]()
			add("max=%d", f.max)
		}
		kinds := make([]string, len(f.of))
		for i, k := range f.of {
			kinds[i] = k.id
		}
		add("of=%s", strings.Join(kinds, "|"))
	case form.KindList:
		var err error
		if f.cards != nil { // its deck has a name by now
			f.placeItem()
		}
		if f.items, err = shapeOf(f.fields); err != nil {
			return nil, "", err
		}
		typ = reflect.SliceOf(f.items.typ)
		add("max=%d", f.max)
	}
	if f.required {
		add("required")
	}
	if f.only != nil {
		on, _ := fieldOf(beside, f.only.field)
		of := on.id
		if f.only.values != nil {
			of += ":" + strings.Join(f.only.values, "|")
		}
		add("for=%s", of)
		add("beside=%s", of)
	}
	if f.head != "" {
		add("head=%s", slug(f.head))
	}
	switch {
	case f.bare:
		add("bare")
	case f.table:
		add("table")
	}
	if f.start != nil {
		text, ok := starlark.AsString(f.start)
		if !ok {
			text = strings.ToLower(f.start.String())
		}
		add("default=%s", text)
	}
	json := f.id
	if (f.secret || f.hides || f.own) && !f.fallsToNothing() {
		json += ",omitempty"
	}
	tag := fmt.Sprintf("json:%q form:%q", json, strings.Join(tags, ","))
	if also := f.also(); also != "" {
		tag += fmt.Sprintf(" also:%q", also)
	}
	if f.kind == form.KindChoice && f.list == "" {
		labels := make([]string, len(f.options))
		for i, o := range f.options {
			labels[i] = o.label
		}
		tag += fmt.Sprintf(" labels:%q", strings.Join(labels, "\n"))
	}
	switch {
	case f.hides:
		tag += ` secret:"whole"`
	case f.secret:
		tag += ` secret:"gm"`
	case f.own:
		tag += ` secret:"own"`
	}
	return typ, reflect.StructTag(tag), nil
}

// also returns the other names of the field for cases, the API and the command line: its name in
// the script, and its label.
func (f *field) also() string {
	label := f.label
	if f.within != "" {
		label = f.within + ": " + f.label
	}
	if f.name == f.id {
		return label
	}
	return f.name + "\n" + label
}

// fallsToNothing reports whether a field with another start value may become 0 or False. Such a
// field is always stored: a missing one would be read as the start value.
func (f *field) fallsToNothing() bool {
	switch {
	case f.start == nil:
		return false
	case f.kind == form.KindBool:
		return f.start == starlark.True
	}
	n, err := starlark.AsInt32(f.start)
	return f.kind == form.KindInt && err == nil && n != 0 && f.min <= 0 && f.max >= 0
}

// values returns the frozen values of a struct's fields. find returns the character that a ref
// names.
func (s *shape) values(of any, find func(id string) starlark.Value) []starlark.Value {
	v := reflect.ValueOf(of)
	if !v.IsValid() || v.Type() != s.typ {
		v = reflect.New(s.typ).Elem()
		s.form.Defaults(v.Addr().Interface())
	}
	all := make([]starlark.Value, len(s.fields))
	for i, f := range s.fields {
		all[i] = f.value(v.Field(i), find)
	}
	return all
}

func (f *field) value(v reflect.Value, find func(id string) starlark.Value) starlark.Value {
	switch v.Kind() {
	case reflect.Int:
		return starlark.MakeInt(int(v.Int()))
	case reflect.Bool:
		return starlark.Bool(v.Bool())
	case reflect.Slice:
		all := make([]starlark.Value, v.Len())
		for i := range all {
			switch item := v.Index(i); {
			case f.plain:
				all[i] = starlark.String(item.Field(0).String())
			case f.kind.HasFields():
				all[i] = &record{f.items, f.items.values(item.Interface(), find)}
			default:
				all[i] = find(item.String())
			}
		}
		return frozen(all)
	}
	if f.kind.IsRef() {
		return find(v.String())
	}
	return starlark.String(v.String())
}

func frozen(all []starlark.Value) *starlark.List {
	list := starlark.NewList(all)
	list.Freeze()
	return list
}

// put stores a script's value in a field. Numbers are limited to the field's range.
func (f *field) put(value starlark.Value, into reflect.Value) error {
	want := func(word string) error { return wrong(word, "Name", f.name, "Got", typeOf(value)) }
	if f.kind.IsRef() {
		return wrong("unchangeable", "Name", f.name)
	}
	switch into.Kind() {
	case reflect.Int:
		n, ok := value.(starlark.Int)
		if !ok {
			return want("want-number")
		}
		into.SetInt(int64(within(n, f.min, f.max)))
	case reflect.Bool:
		b, ok := value.(starlark.Bool)
		if !ok {
			return want("want-flag")
		}
		into.SetBool(bool(b))
	case reflect.String:
		if item, ok := value.(*record); ok && f.list != "" {
			name, _ := item.title()
			value = starlark.String(name)
		}
		if f.list != "" && value == starlark.None {
			value = starlark.String("")
		}
		text, ok := starlark.AsString(value)
		if !ok {
			return want("want-text")
		}
		if f.kind == form.KindChoice && len(f.options) > 0 && !f.has(text) {
			return oneOf(f.name, f.choices())
		}
		if most := map[bool]int{
			true:  form.MaxProse,
			false: form.MaxText,
		}[f.kind == form.KindProse]; len([]rune(text)) > most {
			return wrong("long", "Name", f.name, "Len", len([]rune(text)), "Max", most)
		}
		into.SetString(text)
	default:
		items, ok := value.(starlark.Sequence)
		if !ok {
			return want("want-list")
		}
		if items.Len() > f.max {
			return wrong("length", "Name", f.name, "Len", items.Len(), "Max", f.max)
		}
		list := reflect.MakeSlice(into.Type(), 0, items.Len())
		for item := range starlark.Elements(items) {
			one := reflect.New(f.items.typ)
			f.items.form.Defaults(one.Interface())
			if f.plain {
				if err := f.items.fields[0].put(item, one.Elem().Field(0)); err != nil {
					return err
				}
				list = reflect.Append(list, one.Elem())
				continue
			}
			if err := f.items.fill(item, one.Elem()); err != nil {
				return inside(f.name, err)
			}
			list = reflect.Append(list, one.Elem())
		}
		if list.Len() == 0 {
			list = reflect.Zero(into.Type())
		}
		into.Set(list)
	}
	return nil
}

// fill stores an item: a record of the same list, or a dict of fields.
func (s *shape) fill(item starlark.Value, into reflect.Value) error {
	switch item := item.(type) {
	case *record:
		if item.shape == s {
			for i, f := range s.fields {
				if err := f.put(item.values[i], into.Field(i)); err != nil {
					return err
				}
			}
			return nil
		}
	case *starlark.Dict:
		for _, pair := range item.Items() {
			name, _ := starlark.AsString(pair[0])
			i, ok := s.at[name]
			if !ok {
				return noField(name, s.fields)
			}
			if err := s.fields[i].put(pair[1], into.Field(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return wrong("item", "Fields", s.names(), "Got", typeOf(item))
}

func (s *shape) names() string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

func (f *field) has(id string) bool {
	for _, o := range f.options {
		if o.id == id {
			return true
		}
	}
	return false
}

func (f *field) choices() []string {
	return game.Each(f.options, func(o option) string { return o.id })
}

// within limits a number to a range.
func within(n starlark.Int, low, high int) int {
	i, ok := n.Int64()
	if !ok {
		if n.Sign() < 0 {
			return low
		}
		return high
	}
	return int(min(max(i, int64(low)), int64(high)))
}

// jsonOf returns a field's value as stored in the journal, and as a script reads it.
func (f *field) jsonOf(value starlark.Value, typ reflect.Type) (json.RawMessage, starlark.Value, error) {
	into := reflect.New(typ).Elem()
	if err := f.put(value, into); err != nil {
		return nil, nil, err
	}
	data, err := json.Marshal(into.Interface())
	return data, f.value(into, nobody), err
}

func nobody(string) starlark.Value { return starlark.None }

// record is a struct as a script reads it: an item, an answer, a sheet.
type record struct {
	*shape
	values []starlark.Value
}

func (r *record) String() string {
	parts := make([]string, len(r.fields))
	for i, f := range r.fields {
		parts[i] = f.name + " = " + r.values[i].String()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
func (r *record) Type() string          { return "record" }
func (r *record) Freeze()               {}
func (r *record) Truth() starlark.Bool  { return true }
func (r *record) Hash() (uint32, error) { return 0, wrong("record-key") }
func (r *record) Attr(name string) (starlark.Value, error) {
	if i, ok := r.at[name]; ok {
		return r.values[i], nil
	}
	return nil, noField(name, r.fields)
}
func (r *record) AttrNames() []string { return strings.Split(r.names(), ", ") }
