package script

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"norn/form"
	"norn/game"
)

// declarePickItem declares a choice among the entries of a list of a sheet: the actor's in a move, in
// a question the asked character's, or what offer says. A rule gets the entry, or None.
func declarePickItem(_ *book, d *given) (starlark.Value, error) {
	if d.text("list") == "" {
		return nil, d.wrong("usage")
	}
	return d.begin(form.KindChoice)
}

// entry is an entry of a list that can be chosen. Its value is its name, so that it stays the same
// while others come and go; the second of one name is "Rope (2)".
type entry struct {
	value string
	at    int // its place in the list
	starlark.Value
}

// entriesOf returns the entries of a list that have a name: their first text.
func entriesOf(list starlark.Value) []entry {
	var all []entry
	taken, next := map[string]bool{}, map[string]int{} // values, and by name the number of its next entry
	at := -1
	for item := range elements(list) {
		at++
		r, ok := item.(*record)
		if !ok {
			continue
		}
		name, ok := r.title()
		if !ok {
			continue
		}
		value := name
		for taken[value] {
			next[name] = max(2, next[name]+1)
			value = name + " (" + strconv.Itoa(next[name]) + ")"
		}
		taken[value] = true
		all = append(all, entry{value, at, r})
	}
	return all
}

// title returns the first text of an entry, and whether it has one.
func (r *record) title() (string, bool) {
	i := titleIn(r.fields)
	if i < 0 {
		return "", false
	}
	text, _ := starlark.AsString(r.values[i])
	text = strings.TrimSpace(text)
	return text, text != ""
}

// titleIn returns the place of the text that names an entry, −1 if there is none.
func titleIn(fields []*field) int {
	return slices.IndexFunc(fields, func(f *field) bool { return f.kind == form.KindText })
}

// optionsOf returns the options for the entries of a list. The first chooses none, unless one is
// required.
func (f *field) optionsOf(entries []entry) []form.Option {
	var options []form.Option
	if !f.required {
		options = append(options, form.Option{})
	}
	for _, e := range entries {
		options = append(options, form.Option{
			Value: e.value, Text: e.value, At: idOf(f.list) + "." + strconv.Itoa(e.at),
		})
	}
	return options
}

// entryOf returns the entry with a value, or None.
func entryOf(entries []entry, value starlark.Value) starlark.Value {
	text, _ := starlark.AsString(value)
	i := slices.IndexFunc(entries, func(e entry) bool { return e.value == text })
	if i < 0 {
		return starlark.None
	}
	return entries[i].Value
}

// listOn returns a sheet's list of entries by its name; false if it has none from which people may
// choose: with a text as their name, and open to all.
func (k *kind) listOn(name string) (*field, bool) {
	f, ok := fieldOf(k.fields, name)
	if !ok || f.kind != form.KindList || f.cards != nil || f.plain || f.secret || f.own || titleIn(f.fields) < 0 {
		return nil, false
	}
	return f, true
}

// checkLists checks that everybody who makes the move has the lists from which it's chosen.
func (m *move) checkLists() error {
	for _, f := range m.fields {
		if f.list == "" {
			continue
		}
		if len(m.by) == 0 {
			return at(m.pos, inside(f.name, wrong("item-by")))
		}
		for _, k := range m.by {
			if _, ok := k.listOn(f.list); !ok {
				return at(m.pos, inside(f.name, wrong("item-list", "Name", f.list, "Sheet", k.label)))
			}
		}
	}
	return nil
}

// picksItems reports whether any of the fields is chosen from a list.
func picksItems(fields []*field) bool {
	return slices.ContainsFunc(fields, func(f *field) bool { return f.list != "" })
}

// fit returns a function that offers the entries of the actor's lists.
func (p *program) fit(m *move) func(game.Scene, *form.Form) *form.Form {
	if !picksItems(m.fields) {
		return nil
	}
	return func(s game.Scene, f *form.Form) *form.Form {
		member := s.Cast[s.Actor]
		k, ok := p.kind(member.Kind)
		values := p.sheetOf(member)
		if !ok || values == nil {
			return f
		}
		choices := form.Choices{}
		for _, of := range m.fields {
			if i, has := k.shape.at[of.list]; has && of.list != "" {
				choices[of.id] = of.optionsOf(entriesOf(values[i]))
			}
		}
		return f.Offering(choices)
	}
}

// chosenItems replaces what was chosen from the actor's lists by the entries themselves.
func (s *session) chosenItems(said []starlark.Value) {
	at := s.slots[s.scene.Actor]
	for i, f := range s.move.shape.fields {
		if f.list == "" {
			continue
		}
		chosen := said[i]
		said[i] = starlark.None
		if at == nil || at.first == nil {
			continue
		}
		if list, ok := at.kind.shape.at[f.list]; ok {
			said[i] = entryOf(entriesOf(at.first[list]), chosen)
		}
	}
}

// askedItems returns the entries from which a question's fields are chosen, by the field's place: those
// that offer names, else those of the asked character's list.
func (q *question) askedItems(to, offer starlark.Value) (map[int][]entry, error) {
	if !picksItems(q.fields) {
		return nil, nil
	}
	all := map[int][]entry{}
	for i, f := range q.shape.fields {
		if f.list == "" {
			continue
		}
		list, ok := starlark.Value(nil), false
		if given, isDict := offer.(*starlark.Dict); isDict {
			list, ok, _ = given.Get(starlark.String(f.name))
		}
		if who, isSheet := to.(*sheet); !ok && isSheet {
			at, has := who.kind.shape.at[f.list]
			if ok = has && who.now != nil; ok {
				list = who.now[at]
			}
		}
		if !ok {
			return nil, inside(f.name, wrong("item-offer", "Name", f.name, "List", f.list))
		}
		all[i] = entriesOf(list)
		if who, isSheet := to.(*sheet); len(all[i]) == 0 && f.required && (!isSheet || who.person() != "") {
			return nil, inside(f.name, wrong("item-none", "List", f.list))
		}
	}
	return all, nil
}

// offerItems returns a question's form with the entries that can be chosen. The standard answer takes
// the first if one is required.
func (q *question) offerItems(f *form.Form, entries map[int][]entry, standard reflect.Value) *form.Form {
	if len(entries) == 0 {
		return f
	}
	choices := form.Choices{}
	for i, list := range entries {
		of, at := q.shape.fields[i], standard.Field(i)
		if choices[of.id] = of.optionsOf(list); len(choices[of.id]) == 0 { // without a table
			choices[of.id] = []form.Option{{}}
		}
		if !slices.ContainsFunc(choices[of.id], func(o form.Option) bool { return o.Value == at.String() }) {
			at.SetString(choices[of.id][0].Value)
		}
	}
	return f.Offering(choices)
}

// answered returns the values of an answer, with the entries that were chosen.
func (q *question) answered(
	answer any,
	find func(id string) starlark.Value,
	entries map[int][]entry,
) []starlark.Value {
	values := q.shape.values(answer, find)
	for i, list := range entries {
		values[i] = entryOf(list, values[i])
	}
	return values
}
