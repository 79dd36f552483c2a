package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Fill returns the value's fields by name, ready for JSON: int (nil for an empty Number), bool,
// string, Trait, []string for refs, []int for faces, map[string]any for a group, []map[string]any
// for a list. The value is the form's struct or a pointer to it.
func (f *Form) Fill(from any) map[string]any { return fill(f.Fields, f.valueOf(from)) }

func (f *Form) valueOf(from any) reflect.Value {
	value := reflect.Indirect(reflect.ValueOf(from))
	if !value.IsValid() || value.Type() != f.typ {
		panic(fmt.Sprintf("form: want a %s, got %T", f.typ, from))
	}
	return value
}

func fill(fields []Field, holder reflect.Value) map[string]any {
	filled := make(map[string]any, len(fields))
	for i := range fields {
		filled[fields[i].Name] = fillOne(&fields[i], fields[i].in(holder))
	}
	return filled
}

// fillOne returns a value in the shape that Fill returns, which its Go type determines.
func fillOne(f *Field, value reflect.Value) any {
	switch {
	case value.CanInt():
		return int(value.Int())
	case value.CanUint():
		return int(value.Uint())
	case value.Kind() == reflect.Bool:
		return value.Bool()
	case f.typ == traitType:
		return Trait(value.String())
	case value.Kind() == reflect.String:
		return value.String()
	case f.typ == numberType:
		if number := value.Interface().(Number); !number.IsZero() {
			return number.Or(0)
		}
		return nil
	case f.typ == refsType:
		ids := make([]string, value.Len())
		for i := range ids {
			ids[i] = value.Index(i).String()
		}
		return ids
	case f.typ == facesType:
		faces := make([]int, value.Len())
		for i := range faces {
			faces[i] = int(value.Index(i).Int())
		}
		return faces
	case value.Kind() == reflect.Struct:
		return fill(f.Fields, value)
	}
	items := make([]map[string]any, value.Len())
	for i := range items {
		items[i] = fill(f.Fields, value.Index(i))
	}
	return items
}

// put writes a value in the shape that Fill gives; nil empties the field.
func put(f *Field, value any, into reflect.Value) {
	into.SetZero()
	switch value := value.(type) {
	case int:
		setInt(into, value)
	case bool:
		into.SetBool(value)
	case string:
		into.SetString(value)
	case Trait:
		into.SetString(string(value))
	case []string:
		var refs []Ref
		for _, id := range value {
			refs = append(refs, Ref(id))
		}
		into.Set(reflect.ValueOf(refs))
	case []int:
		into.Set(reflect.ValueOf(append(Faces(nil), value...)))
	case map[string]any:
		putAll(f.Fields, value, into)
	case []map[string]any:
		if len(value) == 0 {
			return
		}
		into.Set(reflect.MakeSlice(into.Type(), len(value), len(value)))
		for i, item := range value {
			putAll(f.Fields, item, into.Index(i))
		}
	}
}

func putAll(fields []Field, values map[string]any, holder reflect.Value) {
	for i := range fields {
		put(&fields[i], values[fields[i].Name], fields[i].in(holder))
	}
}

// JSON prints the value's fields in the form's order; Decode reads it back.
func (f *Form) JSON(from any) []byte {
	var b bytes.Buffer
	printGroup(&b, f.Fields, f.Fill(from))
	return b.Bytes()
}

func printGroup(b *bytes.Buffer, fields []Field, values map[string]any) {
	b.WriteByte('{')
	for i := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		field := &fields[i]
		fmt.Fprintf(b, "%q:", field.Name)
		printOne(b, field, values[field.Name])
	}
	b.WriteByte('}')
}

func printOne(b *bytes.Buffer, f *Field, value any) {
	switch value := value.(type) {
	case map[string]any:
		printGroup(b, f.Fields, value)
	case []map[string]any:
		b.WriteByte('[')
		for i, item := range value {
			if i > 0 {
				b.WriteByte(',')
			}
			printGroup(b, f.Fields, item)
		}
		b.WriteByte(']')
	default:
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // Fill's leaves are numbers, bools and texts
		}
		b.Write(text)
	}
}

// Empty returns the JSON of the field's empty value, nil if it can't be empty or is a group.
func (f *Field) Empty() json.RawMessage {
	switch {
	case f.Kind == KindGroup, f.MayBeEmpty(),
		f.Kind == KindInt && (f.Min > 0 || f.Max < 0),
		f.Required && f.Kind != KindInt && f.Kind != KindBool,
		f.Kind == KindChoice && !f.allows(""),
		f.Kind.HasItems() && f.Min > 0:
		return nil
	case f.Kind.HasItems():
		return json.RawMessage("[]")
	}
	text, _ := json.Marshal(kinds[f.Kind].empty) // a number, a bool or a text
	return text
}

// ParseText returns a text that people typed as the JSON value of the field. A text that isn't one
// stays a text, and the form reports it.
func (f *Field) ParseText(text string) any {
	switch kinds[f.Kind].empty.(type) {
	case int:
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
			return n
		}
	case bool:
		return text != "" && text != "off"
	case Trait:
		if text == string(Yes) || text == "" {
			return text != ""
		}
	}
	return f.NormalizeText(text)
}

// Inputs returns the value as an HTML form would post it, by dotted path: the content of each
// control ("" if it's empty), so that a page can show it and Values can read it. A ticked bool is
// "on", an unticked one is absent; a trait without a name is "*"; refs have one value each; faces
// are one text, "3 10 1".
func (f *Form) Inputs(from any) url.Values { return f.InputsOf(f.Fill(from)) }

// InputsOf is Inputs for values in the shape that Fill gives. Fields without one are left out.
func (f *Form) InputsOf(filled map[string]any) url.Values {
	values := url.Values{}
	for i := range f.Fields {
		inputs(values, &f.Fields[i], f.Fields[i].Name, filled[f.Fields[i].Name])
	}
	return values
}

func inputs(values url.Values, f *Field, path string, value any) {
	switch value := value.(type) {
	case nil:
	case bool:
		if value {
			values.Set(path, "on")
		}
	case int:
		values.Set(path, strconv.Itoa(value))
	case []string:
		if len(value) > 0 {
			values[path] = value
		}
	case []int:
		texts := make([]string, len(value))
		for i, face := range value {
			texts[i] = strconv.Itoa(face)
		}
		values.Set(path, strings.Join(texts, " "))
	case map[string]any:
		for i := range f.Fields {
			inputs(values, &f.Fields[i], join(path, f.Fields[i].Name), value[f.Fields[i].Name])
		}
	case []map[string]any:
		for n, item := range value {
			for i := range f.Fields {
				inputs(values, &f.Fields[i], join(join(path, strconv.Itoa(n)), f.Fields[i].Name),
					item[f.Fields[i].Name])
			}
		}
	default: // a text or a trait
		values.Set(path, reflect.ValueOf(value).String())
	}
}

// DefaultInputs returns the values of an untouched form, as an HTML form would post them.
func (f *Form) DefaultInputs() url.Values {
	values := url.Values{}
	AddDefaults(values, f.Fields, "")
	return values
}

// AddDefaults adds the defaults of fields to the values of a form; prefix is the beginning of their
// paths.
func AddDefaults(values url.Values, fields []Field, prefix string) {
	for _, f := range fields {
		path := prefix + f.Name
		if texts, some := f.Default.([]string); some {
			values[path] = slices.Clone(texts)
		} else {
			inputs(values, &f, path, f.Default)
		}
		if f.Kind == KindGroup {
			AddDefaults(values, f.Fields, path+".")
		}
	}
}
