package form

import (
	"fmt"
	"net/url"
	"reflect"
)

// Decode reads strict JSON into the struct that into points to. It panics unless the struct has the
// form's type.
//
// It refuses unknown and repeated members, values of another type than the field's, whole numbers
// with a point or an exponent (1.0, 1e0), values that are out of range, too long or not among the
// choices, control characters, and invalid UTF-8. Members that are missing or null get their
// default. The error is of type Problems; then into is unchanged.
func (f *Form) Decode(data []byte, into any) error {
	return f.write(into, func(c *check, holder reflect.Value) {
		root, problem := parse(data)
		if problem != nil {
			c.problems = Problems{*problem}
			return
		}
		c.fields(f.Fields, root, "", holder)
	})
}

// Values reads a posted HTML form: dotted names ("skills.0.name"), "on" for a ticked box, several
// values for refs, faces as "3 10 1". A box that wasn't sent is off, a list that wasn't sent is
// empty, an empty number or choice gets its default. Numbers of list items may have gaps; items
// whose texts are all empty or unchanged from what was offered are dropped. beside lists names of
// other controls on the page that don't belong to the form. The error is of type Problems; then
// into is unchanged.
func (f *Form) Values(values url.Values, into any, beside ...string) error {
	return f.write(into, func(c *check, holder reflect.Value) {
		c.unsent, c.beside = true, beside
		c.fields(f.Fields, treeOf(values), "", holder)
	})
}

// Texts reads one text for each field, from a command line or a chat: names as for Values, a bool
// or a trait as true, false, yes, no or "" for no, refs and faces separated by commas or spaces.
// Missing fields get their default. The error is of type Problems; then into is unchanged.
func (f *Form) Texts(texts map[string]string, into any) error {
	values := make(map[string][]string, len(texts))
	for name, text := range texts {
		values[name] = []string{text}
	}
	return f.write(into, func(c *check, holder reflect.Value) {
		c.fields(f.Fields, treeOf(values), "", holder)
	})
}

// Defaults writes every field's default. It skips required fields without one.
func (f *Form) Defaults(into any) {
	setDefaults(f.Fields, f.mustPoint(into))
}

func setDefaults(fields []Field, holder reflect.Value) {
	for i := range fields {
		field := &fields[i]
		if field.Kind == KindGroup {
			setDefaults(field.Fields, field.in(holder))
			continue
		}
		put(field, field.Default, field.in(holder))
	}
}

// write calls read with a copy and stores the copy only if there is no problem.
func (f *Form) write(into any, read func(*check, reflect.Value)) error {
	target := f.mustPoint(into)
	scratch := reflect.New(f.typ).Elem()
	scratch.Set(target)
	var c check
	read(&c, scratch)
	if len(c.problems) > 0 {
		return c.problems
	}
	target.Set(scratch)
	return nil
}

func (f *Form) mustPoint(into any) reflect.Value {
	value := reflect.ValueOf(into)
	if value.Kind() != reflect.Pointer || value.Type().Elem() != f.typ || value.IsNil() {
		panic(fmt.Sprintf("form: want a *%s, got %T", f.typ, into))
	}
	return value.Elem()
}
