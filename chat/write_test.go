package chat

import (
	"reflect"
	"strconv"
	"strings"

	"norn/form"
)

// Named returns the verbs that have names, including those of acts, for the tests of another
// package.
func Named(acts ...Verb) []Verb {
	return (&Book{Master: true, Acts: acts, Clocks: []Person{{}}, Scenes: []Person{{}}}).listedVerbs()
}

// MoveName returns the name of a move in the reader's language.
func (b *Book) MoveName(id string) string { return b.moveName(id) }

// Write is the inverse of Read: it returns the command that makes a move with these arguments, in
// the reader's words, without defaults. f is the move's form, args its struct.
func (b *Book) Write(move string, f *form.Form, args any) string {
	parts := b.written(nil, f.Fields, f.Fill(args))
	line := "/" + b.moveText(move)
	for i, part := range parts {
		if i > 0 && !strings.HasSuffix(parts[i-1], ":") { // the name of a group or an item, whose fields follow
			line += ","
		}
		line += " " + part
	}
	return line
}

// written returns the fields that differ from their defaults: those of the struct itself first,
// then groups and lists.
func (b *Book) written(parts []string, fields []form.Field, values map[string]any) []string {
	for _, f := range fields {
		switch value := values[f.Name].(type) {
		case map[string]any, []map[string]any:
		case []string:
			for _, id := range value {
				parts = append(parts, b.nameOf(fields, f)+": "+b.wordOf(f, id))
			}
		case []int:
			if len(value) > 0 {
				texts := make([]string, len(value))
				for i, n := range value {
					texts[i] = strconv.Itoa(n)
				}
				parts = append(parts, b.nameOf(fields, f)+": "+strings.Join(texts, " "))
			}
		default:
			if !reflect.DeepEqual(value, f.Default) {
				parts = append(parts, b.one(fields, f, value))
			}
		}
	}
	for _, f := range fields {
		switch value := values[f.Name].(type) {
		case map[string]any:
			if inner := b.written(nil, f.Fields, value); len(inner) > 0 {
				parts = append(append(parts, b.nameOf(fields, f)+":"), inner...)
			}
		case []map[string]any:
			for i, item := range value {
				parts = append(parts, b.nameOf(fields, f)+" "+strconv.Itoa(i+1)+":")
				parts = b.written(parts, f.Fields, item)
			}
		}
	}
	return parts
}

// one returns a field with its value.
func (b *Book) one(fields []form.Field, f form.Field, value any) string {
	name := b.nameOf(fields, f)
	no := name + ": " + strings.Fields(b.own().Say("chat.no"))[0]
	switch value := value.(type) {
	case bool:
		if value {
			return name
		}
		return no
	case int:
		return name + ": " + strconv.Itoa(value)
	case form.Trait:
		switch {
		case !value.Has():
			return no
		case value == form.Yes:
			return name + ": " + strings.Fields(b.own().Say("chat.yes"))[0]
		}
		return name + ": " + b.wordOf(f, string(value))
	case string:
		if f.Kind.IsText() {
			if plain(value) {
				return name + ": " + value
			}
			return name + ": " + quotation(value)
		}
		return name + ": " + b.wordOf(f, value)
	}
	return name
}
