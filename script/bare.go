package script

import (
	"reflect"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"norn/form"
	"norn/game"
)

// said describes a field of a sheet in the form of a move without a table.
type said struct {
	pick   string // the move's field that picks the sheet; "" for the actor's
	field  string
	option string // how often this card is in the field's list, or whether it's chosen; "" for its value
}

// standIn is the prefix of the ids of sheets in place of those that a move picks at a table.
const standIn = "?"

// maxAsked limits the cards of a hand, each of which is a field of its own.
const maxAsked = 24

// person returns the id of a sheet's character, "" for a sheet without a table.
func (s *sheet) person() string {
	if strings.HasPrefix(s.id, standIn) {
		return ""
	}
	return s.id
}

// withBare adds the fields that are needed without a sheet: those that the move's text lists, or
// those of the actor's sheet that the rule reads, but tracks only if it decides by them.
func (m *move) withBare(of reached, asks []*question) error {
	if len(m.by) == 0 || m.noBare {
		return nil
	}
	if m.bare == nil {
		named := m.namable(of, asks)
		for _, f := range m.by[0].fields {
			_, asked := fieldOf(m.fields, f.name)
			reads := of.reads[f.name] || of.reads[anyMember] && named[f.name]
			rules := of.rules[f.name] || of.rules[anyMember] && named[f.name]
			if reads && (!f.track || rules) && !asked && f.isPlain() && !slices.Contains(game.Reserved, f.id) {
				m.fields = append(m.fields, f.bareCopy(said{field: f.name}, nil))
			}
		}
		return nil
	}
	for _, name := range m.bare {
		more, err := m.bareFields(name)
		if err != nil {
			return err
		}
		for _, f := range more {
			if slices.ContainsFunc(m.fields, func(other *field) bool { return other.id == f.id }) ||
				slices.Contains(game.Reserved, f.id) {
				return at(m.pos, inside("bare", wrong("bare-taken", "Name", name)))
			}
		}
		m.fields = append(m.fields, more...)
	}
	return nil
}

// namable returns the texts by which a rule may read a member, as in me[stat]: those in it, and the
// choices of its fields and questions.
func (m *move) namable(of reached, asks []*question) map[string]bool {
	named := of.names
	choices := func(fields []*field) {
		for _, f := range fields {
			for _, o := range f.options {
				named[o.id] = true
			}
			for _, inner := range f.fields {
				for _, o := range inner.options {
					named[o.id] = true
				}
			}
		}
	}
	choices(m.fields)
	for _, q := range asks {
		if of.uses[q.name] {
			choices(q.fields)
		}
	}
	return named
}

// unasked returns the mistake of a rule that reads a field of a sheet without a table, where the
// sheet has only its first value, nil if there is none. By a name that is written in the text the
// field is always asked for.
func (s *sheet) unasked(name string) error {
	i, ok := s.kind.shape.at[name]
	if !ok || s.id != s.scene.Actor || s.play.atTable || s.move.bare != nil || s.move.noBare {
		return nil
	}
	f := s.kind.shape.fields[i]
	if !f.isPlain() || f.track || slices.Contains(game.Reserved, f.id) {
		return nil
	}
	if slices.ContainsFunc(s.move.shape.fields, func(asked *field) bool { return asked.id == f.id }) {
		return nil
	}
	return wrong("bare-unread", "Name", name, "Move", s.move.name)
}

// bareFields returns the fields for one name in a move's bare: a field of the actor's sheet, or
// after the name of a pick and a dot one of the sheet that is picked. A list of cards or choices
// becomes a field for each of them. The name of a pick alone puts a fresh sheet in its place.
func (m *move) bareFields(name string) ([]*field, error) {
	k, from := m.by[0], said{field: name}
	pick, ok := fieldOf(m.fields, name)
	if ok && pick.kind == form.KindRef {
		return nil, nil
	}
	if of, inner, dotted := strings.Cut(name, "."); dotted {
		if pick, ok = fieldOf(m.fields, of); !ok || pick.kind != form.KindRef {
			return nil, at(m.pos, inside("bare", wrong("bare-pick", "Name", of)))
		}
		k, from = pick.of[0], said{pick: of, field: inner}
	} else {
		pick = nil
	}
	f, ok := fieldOf(k.fields, from.field)
	switch {
	case !ok:
		return nil, at(m.pos, inside("bare", inside(k.label, noField(from.field, k.fields))))
	case f.isPlain():
		return []*field{f.bareCopy(from, pick)}, nil
	case !f.plain:
		return nil, at(m.pos, inside("bare", wrong("bare-field", "Name", name)))
	}
	kind, most, options := form.KindBool, 1, []option(nil)
	if f.cards != nil {
		kind, most, options = form.KindInt, min(f.cards.copies, f.max), f.cards.cards
	} else {
		options = f.fields[0].options
	}
	if len(options) > maxAsked {
		return nil, at(m.pos, inside("bare", wrong("length", "Name", name, "Len", len(options), "Max", maxAsked)))
	}
	var all []*field
	for _, o := range options {
		one := &field{thing: f.thing, kind: kind, label: o.label, max: most, within: f.label}
		one.name, one.id = f.name+"."+o.id, f.id+"-"+o.id
		from.option = o.id
		all = append(all, one.bareCopy(from, pick))
	}
	return all, nil
}

// isPlain reports whether a field's value is a number, a flag or a choice.
func (f *field) isPlain() bool {
	return f.kind == form.KindInt || f.kind == form.KindBool || f.kind == form.KindChoice
}

// bareCopy returns the field of a move without a table that says what this field of a sheet holds.
// pick is the move's field that picks the sheet, nil for the actor's.
func (f *field) bareCopy(from said, pick *field) *field {
	own := *f
	own.bare, own.says = true, from
	own.track, own.trackOf, own.secret, own.hides, own.table, own.head = false, "", false, false, false, ""
	if pick != nil {
		own.name, own.id, own.within, own.only = pick.name+"."+f.name, pick.id+"-"+f.id, pick.label, nil
	}
	return &own
}

// asksOf reports whether a move without a table has a sheet in place of what a field picks.
func (m *move) asksOf(pick *field) bool {
	return pick.kind == form.KindRef && slices.ContainsFunc(m.bare, func(name string) bool {
		of, _, _ := strings.Cut(name, ".")
		return of == pick.name
	})
}

// stranger returns the kind of a sheet that isn't at a table: the actor's, or one in place of a
// pick.
func (m *move) stranger(id, actor string) (*kind, bool) {
	if of, ok := strings.CutPrefix(id, standIn); ok {
		f, _ := fieldOf(m.fields, of)
		return f.of[0], true
	}
	if id != actor || len(m.by) == 0 {
		return nil, false
	}
	return m.by[0], true
}

// sheetFrom returns the values of a sheet from the arguments of a move without a table: the
// actor's, or that of a pick.
func (m *move) sheetFrom(k *kind, pick string, args any) []starlark.Value {
	values, given := k.shape.values(nil, nobody), m.shape.values(args, nobody)
	lists := map[int][]string{}
	for i, f := range m.shape.fields {
		if !f.bare || f.says.pick != pick {
			continue
		}
		at := k.shape.at[f.says.field]
		if f.says.option == "" {
			values[at] = given[i]
			continue
		}
		times, _ := starlark.AsInt32(given[i])
		if given[i] == starlark.True {
			times = 1
		}
		for range times {
			lists[at] = append(lists[at], f.says.option)
		}
	}
	for at, list := range lists {
		values[at] = listOf(list[:min(len(list), k.shape.fields[at].max)])
	}
	return values
}

// strip returns a function that copies what is on sheets into the move's own fields. A sheet of
// another kind than the move's first has a field if it has one of the same name and type.
func (p *program) strip(m *move) func(game.Scene, any) any {
	return func(s game.Scene, args any) any {
		if len(m.by) == 0 || s.Cast[s.Actor].Sheet == nil {
			return args
		}
		stripped := reflect.New(m.shape.typ).Elem()
		stripped.Set(reflect.ValueOf(args))
		for i, f := range m.shape.fields {
			if !f.bare {
				continue
			}
			of, kinds := s.Cast[s.Actor], m.by
			if pick, picks := m.shape.at[f.says.pick]; picks {
				of, kinds = s.Cast[stripped.Field(pick).String()], m.shape.fields[pick].of
			}
			held, into := heldIn(kinds, of, f.says.field), stripped.Field(i)
			if !held.IsValid() || f.says.option == "" && held.Type() != into.Type() ||
				f.says.option != "" && held.Kind() != reflect.Slice {
				continue
			}
			if f.says.option == "" {
				into.Set(held)
				continue
			}
			times := 0
			for j := range held.Len() {
				if held.Index(j).Field(0).String() == f.says.option {
					times++
				}
			}
			if f.kind == form.KindBool {
				into.SetBool(times > 0)
			} else {
				into.SetInt(int64(min(times, f.max)))
			}
		}
		return stripped.Interface()
	}
}

// heldIn returns the field of a member's sheet, the zero Value if it's none of these kinds or has no
// such field.
func heldIn(kinds []*kind, m game.Member, name string) reflect.Value {
	for _, k := range kinds {
		if i, ok := k.shape.at[name]; ok && holds(k, m) {
			return reflect.ValueOf(m.Sheet).Field(i)
		}
	}
	return reflect.Value{}
}

// holds reports whether a member has a sheet of this kind.
func holds(k *kind, m game.Member) bool {
	return m.Sheet != nil && reflect.TypeOf(m.Sheet) == k.shape.typ
}
