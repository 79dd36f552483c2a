package html

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/form"
)

// Pick begins the names of boxes beside a list: each that is ticked is one more item of it, called so.
const Pick = Own + "pick."

// picks are the names that a list's items may have and none has yet, where there's a list of them.
func (c Control) picks() []Option {
	part, ok := naming(c.Field)
	i := slices.IndexFunc(c.Fields, func(f form.Field) bool { return f.Name == part })
	if !ok || c.Fields[i].Kind != form.KindTrait {
		return nil
	}
	var all []Option
	for _, o := range c.Fields[i].Offered() {
		if !slices.ContainsFunc(c.items(), func(i item) bool { return c.in.Values.Get(i.Path+"."+part) == o.Value }) {
			all = append(all, Option{Option: o, Label: c.in.Voice.Option(c.Fields[i], o)})
		}
	}
	return all
}

// Picked puts the boxes that were ticked beside a form's lists into the lists: items as they're offered, called so.
func Picked(f *form.Form, posted, values url.Values) url.Values {
	for path, list := range f.All() {
		part, ok := naming(list)
		if list.Kind != form.KindList || !ok {
			continue
		}
		for _, name := range posted[Pick+path] {
			n := next(values, path)
			for at := range n {
				if values.Get(path+"."+strconv.Itoa(at)+"."+part) == name {
					n = -1
					break
				}
			}
			if n < 0 {
				continue
			}
			item := path + "." + strconv.Itoa(n) + "."
			Offer(values, list.Fields, item)
			values.Set(item+part, name)
		}
	}
	return values
}

// next is the number of the item that comes after all of a list.
func next(values url.Values, path string) int {
	n := 0
	for name := range values {
		if rest, of := strings.CutPrefix(name, path+"."); of {
			index, _, _ := strings.Cut(rest, ".")
			if at, err := strconv.Atoi(index); err == nil {
				n = max(n, at+1)
			}
		}
	}
	return n
}
