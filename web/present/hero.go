package present

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/web/fields"
	"norn/web/html"
)

// HeroDraft is a character that somebody makes, as far as it has come.
type HeroDraft struct {
	html.Making
	Of game.Kind
}

// Kinds are those of characters that the reader may make for themselves, first what one usually plays; things apart.
func Kinds(l *Look) []game.Kind {
	if l.View.Role == game.Spectator {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.Voice.Game.Kinds), func(k game.Kind) bool { return !k.Player || k.Thing })
}

// Making begins a character of a kind, the first where there's none called so; ok is false where the reader can make none.
func Making(l *Look, kind string) (m HeroDraft, ok bool) {
	kinds := Kinds(l)
	if len(kinds) == 0 {
		return m, false
	}
	m.Of = kinds[max(0, slices.IndexFunc(kinds, func(k game.Kind) bool { return k.ID == kind }))]
	if len(kinds) > 1 {
		m.Kinds = game.Each(kinds, func(k game.Kind) html.Choosing {
			return html.Choosing{Name: l.Voice.Word("kind", k.ID), Link: l.To("/hero?" + html.Own + "kind=" + k.ID), On: k.ID == m.Of.ID}
		})
	}
	m.Kind, m.Key = m.Of.ID, html.NewKey()
	var names []string
	for _, asked := range l.Voice.Game.AskedOf(m.Of) {
		if l.Master() || !slices.Contains(m.Of.Reserved, asked.Field) {
			names = append(names, asked.Field)
		}
	}
	f := m.Of.Form.Only(names...).From(m.Of.Blank)
	m.Fields = fields.Form{Form: f, ID: "hero", Values: f.Inputs(m.Of.Blank)}
	if l.Master() && len(l.View.Seats) > 1 {
		m.Owners = Owners(l, "")
	}
	m.Open = StillOpen(l, m.Of, m.Fields.Values)
	return m, true
}

// StillOpen says what a character hasn't yet, by the values of its sheet as a form sends them, with the rules that read it; "" where
// it has all.
func StillOpen(l *Look, kind game.Kind, values url.Values) string {
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

// under are the values of a field and all that is in it.
func under(values url.Values, field string) url.Values {
	all := url.Values{}
	for name, texts := range values {
		if name == field || strings.HasPrefix(name, field+".") {
			all[name] = texts
		}
	}
	return all
}

// ReadyHeroes returns the game's heroes but for those that are taken, by their ids, each with what it
// can do in short.
func ReadyHeroes(l *Look, taken map[string]bool) []html.Ready {
	if len(Kinds(l)) == 0 {
		return nil
	}
	free := slices.DeleteFunc(slices.Clone(l.Voice.Game.ReadyHeroes(l.Speaker)), func(s game.Sample) bool { return taken[s.ID] })
	return game.Each(free, func(s game.Sample) html.Ready {
		kind, _ := l.Voice.Game.Kind(s.Kind)
		return html.Ready{ID: s.ID, Name: s.Name, Gist: gist(l, kind, s.Sheet)}
	})
}

// gist is what a sheet says of what is decided for it: texts, the names of what it lists, and of numbers what is high.
func gist(l *Look, kind game.Kind, sheet any) []html.Gist {
	is, blank := kind.Form.Fill(sheet), kind.Form.Fill(kind.Blank)
	var all []html.Gist
	for _, asked := range l.Voice.Game.AskedOf(kind) {
		f, ok := kind.Form.Field(asked.Field)
		if !ok || !l.Master() && slices.Contains(kind.Kept(), asked.Field) {
			continue
		}
		if said := named(l, f, is[f.Name], blank[f.Name]); said != "" {
			all = append(all, html.Gist{Label: l.Voice.Field(asked.Field), Text: said})
		}
	}
	return all
}

// fewest is how many numbers stand side by side that are worth comparing.
const fewest = 3

// named is what a field says that isn't as on a blank sheet.
func named(l *Look, f form.Field, value, blank any) string {
	switch value := value.(type) {
	case string:
		return value
	case []map[string]any:
		return strings.Join(game.Each(value, func(item map[string]any) string { return called(l, f, item) }), ", ")
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

// called is what an item of a list is called.
func called(l *Look, list form.Field, item map[string]any) string {
	for _, part := range list.Fields {
		text := ""
		switch value := item[part.Name].(type) {
		case form.Trait:
			text = string(value)
		case string:
			text = value
		}
		if i := slices.IndexFunc(part.Options, func(o form.Option) bool { return o.Value == text }); i >= 0 && text != "" {
			return l.Voice.Option(part, part.Options[i])
		}
		if text != "" {
			return text
		}
	}
	return ""
}
