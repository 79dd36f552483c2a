package fields

import (
	"net/url"
	"slices"
	"strconv"

	"norn/form"
)

// Pick is the prefix of checkboxes next to a list: each ticked one adds an item with that name.
const Pick = Own + "pick."

// picks returns the names that a list's items may have and none has yet, if there is a list of
// names.
func (c Control) picks() []Option {
	part, ok := Naming(c.Field)
	i := slices.IndexFunc(c.Fields, func(f form.Field) bool { return f.Name == part })
	if !ok || c.Fields[i].Kind != form.KindTrait {
		return nil
	}
	var all []Option
	for _, o := range c.Fields[i].CurrentOptions() {
		if !slices.ContainsFunc(c.items(), func(i item) bool { return c.in.Values.Get(i.Path+"."+part) == o.Value }) {
			all = append(all, Option{Option: o, Label: c.in.Voice.Option(c.Fields[i], o)})
		}
	}
	return all
}

// MergePicked adds an item with default values for each box that was ticked next to a list.
func MergePicked(f *form.Form, posted, values url.Values) url.Values {
	for path, list := range f.All() {
		part, ok := Naming(list)
		if list.Kind != form.KindList || !ok {
			continue
		}
		for _, name := range posted[Pick+path] {
			if slices.ContainsFunc(numbers(values, path), func(n int) bool {
				return values.Get(path+"."+strconv.Itoa(n)+"."+part) == name
			}) {
				continue
			}
			item := path + "." + strconv.Itoa(next(values, path)) + "."
			form.AddDefaults(values, list.Fields, item)
			values.Set(item+part, name)
		}
	}
	return values
}

// Naming returns the part of a list's items that is their name, if no other part is required.
func Naming(list form.Field) (string, bool) {
	name := ""
	for _, part := range list.Fields {
		named := part.Kind == form.KindText || part.Kind == form.KindTrait || part.Kind == form.KindProse &&
			part.Required
		if part.Required && !named {
			return "", false
		}
		if named && name == "" {
			name = part.Name
		}
	}
	return name, name != ""
}
