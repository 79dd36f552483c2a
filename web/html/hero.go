package html

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/web/fields"
)

// HeroDraft is a character in the making.
type HeroDraft struct {
	Making
	Of game.Kind
}

// Kinds returns the kinds of characters that readers may make for themselves, the usual one first,
// without things.
func (l *Look) Kinds() []game.Kind {
	if l.View.Role == game.Spectator {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.Voice.Game.Kinds), func(k game.Kind) bool { return !k.Player || k.Thing })
}

// Making returns the form for a character of a kind, by default the first; ok is false if the
// reader can't make any.
func (l *Look) Making(kind string) (m HeroDraft, ok bool) {
	kinds := l.Kinds()
	if len(kinds) == 0 {
		return m, false
	}
	m.Of = kinds[max(0, slices.IndexFunc(kinds, func(k game.Kind) bool { return k.ID == kind }))]
	if len(kinds) > 1 {
		m.Kinds = game.Each(kinds, func(k game.Kind) Choosing {
			return Choosing{
				Name: l.Voice.Word("kind", k.ID), Link: l.To("/hero?" + Own + "kind=" + k.ID),
				On: k.ID == m.Of.ID,
			}
		})
	}
	m.Kind, m.Key = m.Of.ID, NewKey()
	var names []string
	for _, asked := range l.Voice.Game.AskedOf(m.Of) {
		if l.Master() || !slices.Contains(m.Of.Reserved, asked.Field) {
			names = append(names, asked.Field)
		}
	}
	f := m.Of.Form.Only(names...).From(m.Of.Blank)
	m.Fields = fields.Form{Form: f, ID: "hero", Values: f.Inputs(m.Of.Blank)}
	if l.Master() && len(l.View.Seats) > 1 {
		m.Owners = l.Owners("")
	}
	m.Open = l.StillOpen(m.Of, m.Fields.Values)
	return m, true
}

// FromFile begins the form that takes a character from a file.
func (l *Look) FromFile() FromFile {
	f := FromFile{Key: NewKey(), Master: l.Master()}
	if l.Master() && len(l.View.Seats) > 1 {
		f.Owners = l.Owners("")
	}
	return f
}

// StillOpen says which decisions a character still lacks, by the posted values of its sheet, with
// the rules about them; "" if it's complete.
func (l *Look) StillOpen(kind game.Kind, values url.Values) string {
	blank := kind.Form.Inputs(kind.Blank)
	var open []string
	for _, asked := range l.Voice.Game.AskedOf(kind) {
		if !l.Master() && slices.Contains(kind.Reserved, asked.Field) {
			continue
		}
		is, was := under(values, asked.Field), under(blank, asked.Field)
		if asked.Rule != "" && maps.EqualFunc(is, was, slices.Equal) {
			open = append(open, l.Voice.Field(asked.Field)+" ("+asked.Rule+")")
		}
	}
	if len(open) == 0 {
		return ""
	}
	return l.Say("web.hero.open", "What", strings.Join(open, ", "))
}

// under returns the values of a field and everything in it.
func under(values url.Values, field string) url.Values {
	all := url.Values{}
	for name, texts := range values {
		if name == field || strings.HasPrefix(name, field+".") {
			all[name] = texts
		}
	}
	return all
}

// ReadyHeroes returns the game's heroes, without those in taken, each with a summary.
func (l *Look) ReadyHeroes(taken map[string]bool) []Ready {
	if len(l.Kinds()) == 0 {
		return nil
	}
	free := slices.DeleteFunc(slices.Clone(l.Voice.Game.ReadyHeroes(l.Speaker)), func(s game.Sample) bool {
		return taken[s.ID]
	})
	return game.Each(free, func(s game.Sample) Ready {
		kind, _ := l.Voice.Game.Kind(s.Kind)
		return Ready{ID: s.ID, Name: s.Name, Gist: l.gist(kind, s.Sheet)}
	})
}

// gist summarises a sheet: texts, the names of listed items, and the highest numbers.
func (l *Look) gist(kind game.Kind, sheet any) []Gist {
	is, blank := kind.Form.Fill(sheet), kind.Form.Fill(kind.Blank)
	var all []Gist
	for _, asked := range l.Voice.Game.AskedOf(kind) {
		f, ok := kind.Form.Field(asked.Field)
		if !ok || !l.Master() && slices.Contains(kind.LockedMembers(), asked.Field) {
			continue
		}
		if said := l.fieldChange(f, is[f.Name], blank[f.Name]); said != "" {
			all = append(all, Gist{Label: l.Voice.Field(asked.Field), Text: said})
		}
	}
	return all
}

// fewest is the minimum of numbers that are worth comparing.
const fewest = 3

// fieldChange summarises a field if it differs from a blank sheet.
func (l *Look) fieldChange(f form.Field, value, blank any) string {
	switch value := value.(type) {
	case string:
		return value
	case []map[string]any:
		return strings.Join(game.Each(value, func(item map[string]any) string { return l.itemName(f, item) }), ", ")
	case map[string]any:
		before, _ := blank.(map[string]any)
		var best []string
		most, numbers := 0, 0
		for _, part := range f.Fields {
			if text, ok := value[part.Name].(string); ok && text != "" && part.Kind == form.KindText {
				return text
			}
			n, number := value[part.Name].(int)
			if number {
				numbers++
			}
			if was, _ := before[part.Name].(int); !number || n <= was || n < most {
				continue
			}
			if n > most {
				best, most = nil, n
			}
			best = append(best, l.Voice.Field(part.Name)+" "+l.Number(n))
		}
		if numbers >= fewest {
			return strings.Join(best, ", ")
		}
	}
	return ""
}

// itemName returns the name of a list's item.
func (l *Look) itemName(list form.Field, item map[string]any) string {
	for _, part := range list.Fields {
		text := ""
		switch value := item[part.Name].(type) {
		case form.Trait:
			text = string(value)
		case string:
			text = value
		}
		if i := slices.IndexFunc(part.Options, func(o form.Option) bool {
			return o.Value == text
		}); i >= 0 && text != "" {
			return l.Voice.Option(part, part.Options[i])
		}
		if text != "" {
			return text
		}
	}
	return ""
}
