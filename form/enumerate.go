package form

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// Every lists the values that the form allows if some fields vary and the others stay as in from.
// The values are JSON for Decode, in the order of the form, the first field slowest. vary names
// fields by their dotted paths outside lists; none means every field with few values: bools, ints,
// choices and known names. It returns nil if there are more than most values, or if the values of a
// named field can't be listed.
func (f *Form) Every(from any, vary []string, most int) [][]byte {
	all := []map[string]any{f.Fill(from)}
	for path, field := range f.All() {
		named := slices.Contains(vary, path)
		if !named && len(vary) > 0 || insideList(f, path) {
			continue
		}
		values := field.every(most)
		switch {
		case values == nil && (named || !field.optional()):
			return nil
		case values == nil:
			continue
		case len(all)*len(values) > most:
			return nil
		}
		next := make([]map[string]any, 0, len(all)*len(values))
		for _, before := range all {
			for _, value := range values {
				next = append(next, withValue(before, path, value))
			}
		}
		all = next
	}
	texts := make([][]byte, len(all))
	for i, values := range all {
		var b bytes.Buffer
		printGroup(&b, f.Fields, values)
		texts[i] = b.Bytes()
	}
	return texts
}

// optional reports whether the field may keep its value although its values can't be listed.
func (f *Field) optional() bool { return !f.Required || f.Kind == KindGroup || f.Kind == KindTrait }

// every lists the field's values in the shape that Fill returns. It returns nil if they can't be
// listed or are more than most.
func (f *Field) every(most int) []any {
	var values []any
	switch kinds[f.Kind].empty.(type) {
	case bool:
		return []any{false, true}
	case int:
		if f.Max-f.Min >= most {
			return nil
		}
		if f.typ == numberType {
			values = append(values, nil)
		}
		for n := f.Min; n <= f.Max; n++ {
			values = append(values, n)
		}
	case string:
		for _, o := range f.Options {
			values = append(values, o.Value)
		}
	case Trait:
		if !f.Required {
			values = append(values, Trait(""))
		}
		for _, o := range f.Options {
			if o.Value != "" {
				values = append(values, Trait(o.Value))
			}
		}
	}
	return values
}

// insideList reports whether a path leads into a list's items.
func insideList(f *Form, path string) bool {
	fields := f.Fields
	for name := range strings.SplitSeq(path, ".") {
		i := indexOf(fields, name)
		if i < 0 {
			return false
		}
		if fields[i].Kind == KindList {
			return true
		}
		fields = fields[i].Fields
	}
	return false
}

// withValue returns a copy of values with another value at a path.
func withValue(values map[string]any, path string, value any) map[string]any {
	values = maps.Clone(values)
	name, rest, deeper := strings.Cut(path, ".")
	if deeper {
		group, _ := values[name].(map[string]any)
		value = withValue(group, rest, value)
	}
	values[name] = value
	return values
}
