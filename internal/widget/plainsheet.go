package widget

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
)

// A PlainSheet is a sheet drawn from its form alone, for a kind without its own drawing.
type PlainSheet struct {
	Form   *form.Form
	Shown  any // the sheet as its reader sees it
	Voice  game.Voice
	Label  func(field string) string
	Head   func(head string) string
	Option func(f form.Field, o form.Option) string
}

// Component draws the sheet without what its reader may not see.
func (p PlainSheet) Component() Component {
	data, err := json.Marshal(p.Shown)
	var values map[string]any
	if err != nil || json.Unmarshal(data, &values) != nil {
		return Nothing()
	}
	return p.sheet(values)
}

// maxBoxes is the largest number that is drawn as boxes.
const maxBoxes = 12

// level returns the track for a number small enough to count at a glance. beside are the values of
// the same struct.
func (p PlainSheet) level(f form.Field, value any, at string, beside map[string]any) (game.Track, bool) {
	n, isNumber := value.(float64)
	if !isNumber || f.Kind != form.KindInt || f.Min < 0 || f.Max > maxBoxes && f.Look != string(game.Bar) {
		return game.Track{}, false
	}
	t := game.Track{ID: at, Name: p.Label(f.Name), Now: int(n), Max: f.Max, Field: at, Look: game.Look(f.Look)}
	if most, other := beside[f.TrackOf].(float64); other {
		t.Max = int(most)
	}
	return t, true
}

// part is a number of fields of a sheet under one heading, "" for none.
type part struct {
	head   string
	fields []form.Field
}

// parts groups a sheet's fields by their headings, each where its first field is.
func parts(fields []form.Field) []part {
	var all []part
	for _, f := range fields {
		i := slices.IndexFunc(all, func(p part) bool { return p.head == f.Head })
		if i < 0 {
			i, all = len(all), append(all, part{head: f.Head})
		}
		all[i].fields = append(all[i].fields, f)
	}
	return all
}

// anything reports whether a reader sees anything of some fields.
func anything(fields []form.Field, values map[string]any) bool {
	return slices.ContainsFunc(fields, func(f form.Field) bool {
		value, shown := values[f.Name]
		list, isList := value.([]any)
		return shown && value != nil && (!isList || len(list) > 0)
	})
}

// isPlainText reports whether items consist of a single text.
func isPlainText(of form.Field) bool {
	return len(of.Fields) == 1 && of.Fields[0].Kind.IsText()
}

// text returns a value as text, "" if it's empty.
func (p PlainSheet) text(f form.Field, value any) string {
	switch value := value.(type) {
	case string:
		if i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == value }); i >= 0 {
			return p.Option(f, f.Options[i])
		}
		if f.Kind == form.KindRef && value != "" {
			return p.Voice.Name(value)
		}
		return value
	case float64:
		return p.Voice.Number(int(value))
	case []any:
		var all []string
		for _, each := range value {
			if text := p.text(f, each); text != "" {
				all = append(all, text)
			}
		}
		return p.Voice.List(all)
	}
	return ""
}

// items returns the items of a list.
func items(value any) []map[string]any {
	list, _ := value.([]any)
	var all []map[string]any
	for _, each := range list {
		if item, ok := each.(map[string]any); ok {
			all = append(all, item)
		}
	}
	return all
}

func under(path string, parts ...any) string {
	for _, part := range parts {
		switch part := part.(type) {
		case int:
			path += "." + strconv.Itoa(part)
		case string:
			path += "." + part
		}
	}
	return strings.TrimPrefix(path, ".")
}
