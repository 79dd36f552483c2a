package form

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// With returns a copy in which a choice, a trait, a ref or refs has exactly these options. If its
// default isn't one of them, the first becomes the default. The name may be dotted. A field that
// the form leaves out stays out; a name that the struct never had panics.
func (f *Form) With(name string, options ...Option) *Form {
	return f.edit(name, func(field *Field) { field.offer(options) })
}

// OptionAt returns an option for the item at a place in a list, counted from 0.
func OptionAt(at int, text string) Option { return Option{Value: strconv.Itoa(at), Text: text} }

// RatedOptions returns the options of a field, each with its worth.
func (f *Form) RatedOptions(name string, worth func(value string) string) []Option {
	field, _ := f.Field(name)
	options := slices.Clone(field.Options)
	for i := range options {
		options[i].Worth = worth(options[i].Value)
	}
	return options
}

// Choices are options by the names of their fields. They're the form's from then on.
type Choices map[string][]Option

// Offering is With for several fields at once. It makes one copy, for forms that are fitted at
// every move.
func (f *Form) Offering(choices Choices) *Form {
	fields := slices.Clone(f.Fields)
	for name, options := range choices {
		outer, below, nested := strings.Cut(name, ".")
		at := indexOf(fields, outer)
		if at >= 0 && !nested {
			fields[at].offer(options)
			continue
		}
		f.mustHave(name)
		if at >= 0 { // otherwise it's left out
			fields[at].Fields = edit(fields[at].Fields, below, func(field *Field) { field.offer(options) })
		}
	}
	return f.copy(fields)
}

// offer sets the options of a field. No other form may share the field yet.
func (f *Field) offer(options []Option) {
	if !f.Kind.HasOptions() {
		panic(fmt.Sprintf("form: a %s has no options: %q", f.Kind, f.Name))
	}
	if f.Options = slices.Clip(options); options == nil {
		f.Options = []Option{} // no options, where nil would mean any value
	}
	if f.Default != nil && !f.empty() && !f.offers(f.Default) && !f.accepts(f.Default) {
		f.Default = f.usual()
	}
}

// offers reports whether a value is one of the options, and not none.
func (f *Field) offers(value any) bool {
	text, _ := value.(string)
	if f.Kind != KindChoice || text == "" {
		return false
	}
	return slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == text })
}

// empty reports whether the default is empty and may be: then it fits any options.
func (f *Field) empty() bool {
	return !f.Required && f.Kind != KindChoice && f.Default == kinds[f.Kind].empty
}

// Default returns a copy in which the field has this default. It ignores a value that the field
// would refuse. Names are as for With.
func (f *Form) Default(name string, value any) *Form {
	return f.edit(name, func(field *Field) {
		if value, ok := field.canon(value); ok {
			field.Default = value
		}
	})
}

// Unset returns a copy in which the fields have no default and must be filled in.
func (f *Form) Unset(names ...string) *Form {
	for _, name := range names {
		f = f.edit(name, func(field *Field) { field.Default, field.Required = nil, true })
	}
	return f
}

// Beside returns a copy in which pages ask for a field only if another field has one of the values.
func (f *Form) Beside(name, by string, values ...string) *Form {
	f.mustHave(by)
	return f.edit(name, func(field *Field) { field.Beside = &For{Field: by, Values: values} })
}

// From returns a copy whose defaults are the fields of the value, valid or not. Decode and Texts
// then change only what they are given, and a page shows the value.
func (f *Form) From(value any) *Form { return f.copy(from(f.Fields, f.Fill(value))) }

func from(fields []Field, values map[string]any) []Field {
	fields = slices.Clone(fields)
	for i := range fields {
		field := &fields[i]
		if field.Kind == KindGroup {
			field.Fields = from(field.Fields, values[field.Name].(map[string]any))
			continue
		}
		field.Default = values[field.Name]
	}
	return fields
}

// Only returns a copy with these fields only, in the form's order. A dotted name keeps a part of a
// group.
func (f *Form) Only(names ...string) *Form {
	f.mustHave(names...)
	return f.copy(keep("", f.Fields, func(path string, field *Field) bool {
		for _, name := range names {
			if path == name || strings.HasPrefix(path, name+".") ||
				len(field.Fields) > 0 && strings.HasPrefix(name, path+".") {
				return true
			}
		}
		return false
	}))
}

// Without returns a copy without these fields. Names may be dotted.
func (f *Form) Without(names ...string) *Form {
	if made := f.rest.Load(); made != nil && slices.Equal(made.without, names) {
		return made.form
	}
	f.mustHave(names...)
	made := f.copy(keep("", f.Fields, func(path string, _ *Field) bool { return !slices.Contains(names, path) }))
	f.rest.Store(&rest{without: slices.Clone(names), form: made})
	return made
}

// rest caches a form without some fields.
type rest struct {
	without []string
	form    *Form
}

// WithAllGiven returns a copy that shows every field, default or not.
func (f *Form) WithAllGiven() *Form {
	fields := slices.Clone(f.Fields)
	for i := range fields {
		fields[i].Said = true
	}
	return f.copy(fields)
}

// WithoutAssumed returns a copy without the fields that odds assume.
func (f *Form) WithoutAssumed() *Form {
	if made := f.stated.Load(); made != nil {
		return made
	}
	made := f
	if slices.ContainsFunc(f.Fields, func(field Field) bool { return field.Assumed }) {
		made = f.copy(keep("", f.Fields, func(_ string, field *Field) bool { return !field.Assumed }))
	}
	f.stated.Store(made)
	return made
}

// For returns a copy with the fields that are asked in these surroundings. For(Both) is the form
// itself.
func (f *Form) For(where Where) *Form {
	if where == Both {
		return f
	}
	if made := f.narrow[where].Load(); made != nil {
		return made
	}
	made := f.copy(keep("", f.Fields, func(_ string, field *Field) bool {
		return field.Where == Both || field.Where == where
	}))
	f.narrow[where].Store(made)
	return made
}

// keep returns the fields that are wanted, without groups and lists that have become empty.
func keep(prefix string, fields []Field, wanted func(string, *Field) bool) []Field {
	kept := make([]Field, 0, len(fields))
	for _, field := range fields {
		path := join(prefix, field.Name)
		if !wanted(path, &field) {
			continue
		}
		if len(field.Fields) > 0 {
			if field.Fields = keep(path, field.Fields, wanted); len(field.Fields) == 0 {
				continue
			}
		}
		kept = append(kept, field)
	}
	return kept
}

func (f *Form) copy(fields []Field) *Form { return &Form{Fields: fields, typ: f.typ, whole: f.whole} }

func (f *Form) mustHave(names ...string) {
	for _, name := range names {
		if _, ok := f.whole.Field(name); !ok {
			panic(fmt.Sprintf("form: %s has no field %q", f.typ, name))
		}
	}
}

func (f *Form) edit(name string, change func(*Field)) *Form {
	if indexOf(f.Fields, name) < 0 { // it's a part of a group, or left out
		f.mustHave(name)
	}
	return f.copy(edit(f.Fields, name, change))
}

// edit returns a copy in which the named field is changed.
func edit(fields []Field, path string, change func(*Field)) []Field {
	name, below, nested := strings.Cut(path, ".")
	at := indexOf(fields, name)
	if at < 0 {
		return fields
	}
	fields = slices.Clone(fields)
	if nested {
		fields[at].Fields = edit(fields[at].Fields, below, change)
	} else {
		change(&fields[at])
	}
	return fields
}

// canon converts a value into the form that Fill returns, if the field accepts it.
func (f *Field) canon(value any) (any, bool) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, false
	}
	tree, problem := parse(data)
	if problem != nil || tree.as == null {
		return nil, false
	}
	var c check
	scratch := reflect.New(f.typ).Elem()
	c.field(f, tree, f.Name, scratch)
	return fillOne(f, scratch), len(c.problems) == 0
}

func (f *Field) accepts(value any) bool {
	_, ok := f.canon(value)
	return ok
}
