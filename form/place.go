package form

import (
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Takes reports whether a field may be chosen from a place of a sheet, such as "attributes.wits" or
// "gear.0". held has the sheet's values as a form sends them. It is cheaper than Stands, because it
// needs no options.
//
// Each entry of a field's At names a member of the sheet. "attributes" is a group or a list, of
// which every place may be chosen; "gear.die" means the items of a list that have a value there;
// and "arete" is a place by itself.
func (f *Field) Takes(place string, held url.Values) bool {
	return slices.ContainsFunc(f.At, func(at string) bool {
		member, part, _ := strings.Cut(at, ".")
		return at == place || strings.HasPrefix(place, member+".") && (part == "" || held.Get(place+"."+part) != "")
	})
}

// Stands returns the option of a field that represents a place of a sheet: the one with this place,
// the one named as the place or its number, or the one with the value that the sheet has there. A
// box is ticked.
func (f *Field) Stands(place string, held url.Values) (value string, ok bool) {
	if !f.Takes(place, held) {
		return "", false
	}
	if f.Kind == KindBool {
		return "on", true
	}
	group, _, _ := strings.Cut(place, ".")
	named := []string{place[strings.LastIndex(place, ".")+1:], group}
	for _, at := range f.At {
		if member, part, some := strings.Cut(at, "."); some && member == group {
			named = []string{held.Get(place + "." + part)}
		}
	}
	i := slices.IndexFunc(f.Options, func(o Option) bool {
		return o.At == place || o.At == "" && o.Value != "" && slices.Contains(named, o.Value)
	})
	if i < 0 {
		return "", false
	}
	return f.Options[i].Value, true
}

// Chooser chooses places of a sheet in the fields of a form.
type Chooser []choosable

// choosable is a field that is chosen from places of a sheet.
type choosable struct {
	path string
	Field
}

// Chooser returns the form's fields that are chosen from places of a sheet.
func (f *Form) Chooser() (c Chooser) {
	for path, field := range f.All() {
		if field.At != nil {
			c = append(c, choosable{path, field})
		}
	}
	return c
}

// Choose chooses a place of a sheet in the first field that can be chosen from it, and returns that
// field's name. A box that is ticked is unticked. values are those of the form and stay as they are;
// held has the sheet's values as a form sends them.
func (c Chooser) Choose(values url.Values, place string, held url.Values) (chosen url.Values, name string, ok bool) {
	for i := range c {
		field := &c[i]
		value, stands := field.Stands(place, held)
		if !stands {
			continue
		}
		chosen = maps.Clone(values)
		switch at := slices.Index(chosen[field.path], value); {
		case field.Kind != KindRefs && field.Kind != KindBool:
			chosen.Set(field.path, value)
		case at >= 0:
			chosen[field.path] = slices.Delete(slices.Clone(chosen[field.path]), at, at+1)
		default:
			chosen[field.path] = append(slices.Clone(chosen[field.path]), value)
		}
		name, _, _ = strings.Cut(field.path, ".")
		return chosen, name, true
	}
	return values, "", false
}

// Places yields the places of a sheet in the order of its form: its fields, and the items of its
// lists. held has the values as a form sends them.
func (f *Form) Places(held url.Values) iter.Seq[string] {
	return func(yield func(string) bool) {
		for path, field := range f.All() {
			if field.Kind != KindList {
				if !yield(path) {
					return
				}
				continue
			}
			for i := range MaxItems {
				item := path + "." + strconv.Itoa(i)
				if !holdsUnder(held, item+".") {
					break
				}
				if !yield(item) {
					return
				}
			}
		}
	}
}

func holdsUnder(held url.Values, prefix string) bool {
	for path := range held {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
