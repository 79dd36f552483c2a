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

// HeroKinds returns the kinds of characters that a role may make for itself, the usual one first,
// without things.
func HeroKinds(g *game.Game, role game.Role) []game.Kind {
	if role == game.Spectator {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(g.Kinds), func(k game.Kind) bool { return !k.Player || k.Thing })
}

// Making returns the form for a character of a kind, by default the first; ok is false if the
// reader can't make any. from is the id of a ready hero to start from, "" for none.
func (l *Look) Making(kind, from string) (m Making, ok bool) {
	kinds := HeroKinds(l.Voice.Game, l.View.Role)
	if len(kinds) == 0 {
		return m, false
	}
	m.Kind = kinds[max(0, slices.IndexFunc(kinds, func(k game.Kind) bool { return k.ID == kind }))]
	if len(kinds) > 1 {
		m.Kinds = game.Each(kinds, func(k game.Kind) Choosing {
			return Choosing{
				Name: l.Voice.Word("kind", k.ID), Link: l.To("/hero?" + Own + "kind=" + k.ID),
				On: k.ID == m.Kind.ID,
			}
		})
	}
	m.Key = NewKey()
	var names []string
	for _, asked := range l.Voice.Game.AskedOf(m.Kind) {
		if l.Master() || !slices.Contains(m.Kind.Reserved, asked.Field) {
			names = append(names, asked.Field)
		}
	}
	sheet := m.Kind.Blank
	for _, ready := range l.Voice.Game.ReadyHeroes(l.Speaker) {
		if ready.Kind != m.Kind.ID {
			continue
		}
		link := guideLink(l.Page, m.Kind.ID, ready.ID)
		m.Starts = append(m.Starts, Choosing{Name: ready.Name, Link: link, On: ready.ID == from})
		if ready.ID == from {
			m.From, m.Name, sheet = from, ready.Name, ready.Sheet
			names = append(names, filledFields(m.Kind, sheet, names, l.Master())...)
		}
	}
	f := m.Kind.Form.Only(names...).From(m.Kind.Blank)
	m.Fields = fields.Form{Form: f, ID: "hero", Values: f.Inputs(sheet)}
	m.Steps, m.Owners = names, NewOwners(l.Page, l.View, "")
	m.Open = DescribeMaking(l.Voice, m.Kind, m.Fields.Values, l.Master())
	return m, true
}

// guideLink returns the address of the first step of a guided character.
func guideLink(p Page, kind, from string) string {
	query := url.Values{Own + "kind": {kind}}
	if from != "" {
		query.Set(Own+"from", from)
	}
	return p.To("/hero/guide?" + query.Encode() + "#step-name")
}

// filledFields returns the fields in which a sheet differs from a blank one, without those that the
// reader may not set and those in known.
func filledFields(kind game.Kind, sheet any, known []string, master bool) (names []string) {
	is, blank := kind.Form.Inputs(sheet), kind.Form.Inputs(kind.Blank)
	for _, f := range kind.Form.Fields {
		locked := !master && (slices.Contains(kind.Reserved, f.Name) || slices.Contains(kind.LockedMembers(), f.Name))
		if locked || slices.Contains(known, f.Name) {
			continue
		}
		if !maps.EqualFunc(under(is, f.Name), under(blank, f.Name), slices.Equal) {
			names = append(names, f.Name)
		}
	}
	return names
}

// stepAt returns the field of a step; the name comes before the first.
func (m Making) stepAt(i int) string {
	if i < 0 {
		return "name"
	}
	return m.Steps[i]
}

// stepText returns what a field of a guided character does, with its rule; "" for nothing.
func stepText(v fields.Voice, kind game.Kind, field string) string {
	about := ""
	if id := v.Game.Word("guide", field); v.Has(id) {
		about = v.Say(id)
	}
	asked, _ := found(v.Game.AskedOf(kind), func(a game.Asked) bool { return a.Field == field })
	if asked.Rule == "" {
		return about
	}
	return strings.TrimSpace(about + " (" + asked.Rule + ")")
}

// FromFile begins the form that takes a character from a file.
func (l *Look) FromFile() FromFile {
	return FromFile{Key: NewKey(), Master: l.Master(), Owners: NewOwners(l.Page, l.View, "")}
}

// stillOpen says which decisions of a player, or of a game master, a character still lacks by the
// posted values of its sheet, with the rules about them; "" if it lacks none.
func stillOpen(v fields.Voice, kind game.Kind, values url.Values, master bool) string {
	blank := kind.Form.Inputs(kind.Blank)
	var open []string
	for _, asked := range v.Game.AskedOf(kind) {
		if !master && slices.Contains(kind.Reserved, asked.Field) {
			continue
		}
		is, was := under(values, asked.Field), under(blank, asked.Field)
		if asked.Rule != "" && maps.EqualFunc(is, was, slices.Equal) {
			open = append(open, v.Field(asked.Field)+" ("+asked.Rule+")")
		}
	}
	if len(open) == 0 {
		return ""
	}
	return v.Say("web.hero.open", "What", strings.Join(open, ", ")) + "."
}

// DescribeMaking says which decisions a new character still lacks, and how much of what the rules
// count it has.
func DescribeMaking(v fields.Voice, kind game.Kind, values url.Values, master bool) string {
	var said []string
	if open := stillOpen(v, kind, values, master); open != "" {
		said = append(said, open)
	}
	if sheet, err := kind.Values(kind.Blank, kind.Form, values); err == nil {
		for _, c := range v.Game.CountsOf(kind, sheet) {
			said = append(said, v.Say("web.guide.count",
				"Field", v.Field(c.Field), "Is", c.Is, "Most", c.Most, "Rule", c.Rule)+".")
		}
	}
	return strings.Join(said, " ")
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

// ReadyHeroes returns the heroes that a role may take, without those in taken.
func ReadyHeroes(v fields.Voice, role game.Role, taken map[string]bool) []game.Sample {
	if len(HeroKinds(v.Game, role)) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.Game.ReadyHeroes(v.Speaker)), func(s game.Sample) bool {
		return taken[s.ID]
	})
}

// gist summarises a ready hero for a player, or for a game master: texts, the names of listed items,
// and the highest numbers.
func gist(v fields.Voice, hero game.Sample, master bool) []Term {
	kind, _ := v.Game.Kind(hero.Kind)
	is, blank := kind.Form.Fill(hero.Sheet), kind.Form.Fill(kind.Blank)
	var all []Term
	for _, asked := range v.Game.AskedOf(kind) {
		f, ok := kind.Form.Field(asked.Field)
		if !ok || !master && slices.Contains(kind.LockedMembers(), asked.Field) {
			continue
		}
		if said := fieldChange(v, f, is[f.Name], blank[f.Name]); said != "" {
			all = append(all, Term{Name: v.Field(asked.Field), About: said})
		}
	}
	return all
}

// fewest is the minimum of numbers that are worth comparing.
const fewest = 3

// fieldChange summarises a field if it differs from a blank sheet.
func fieldChange(v fields.Voice, f form.Field, value, blank any) string {
	switch value := value.(type) {
	case string:
		return value
	case []map[string]any:
		return strings.Join(game.Each(value, func(item map[string]any) string { return itemName(v, f, item) }), ", ")
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
			best = append(best, v.Field(part.Name)+" "+v.Number(n))
		}
		if numbers >= fewest {
			return strings.Join(best, ", ")
		}
	}
	return ""
}

// itemName returns the name of a list's item.
func itemName(v fields.Voice, list form.Field, item map[string]any) string {
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
			return v.Option(part, part.Options[i])
		}
		if text != "" {
			return text
		}
	}
	return ""
}
