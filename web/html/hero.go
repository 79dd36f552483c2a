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
// reader can't make any. from is the id of a ready hero to start from, "" for none.
func (l *Look) Making(kind, from string) (m HeroDraft, ok bool) {
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
	sheet := m.Of.Blank
	for _, ready := range l.Voice.Game.ReadyHeroes(l.Speaker) {
		if ready.Kind != m.Of.ID {
			continue
		}
		m.Starts = append(m.Starts, Choosing{Name: ready.Name, Link: l.guideLink(m.Kind, ready.ID), On: ready.ID == from})
		if ready.ID == from {
			m.From, m.Name, sheet = from, ready.Name, ready.Sheet
			names = append(names, l.filledFields(m.Of, sheet, names)...)
		}
	}
	f := m.Of.Form.Only(names...).From(m.Of.Blank)
	m.Fields = fields.Form{Form: f, ID: "hero", Values: f.Inputs(sheet)}
	m.Steps = l.steps(m.Of, names)
	if l.Master() && len(l.View.Seats) > 1 {
		m.Owners = l.Owners("")
	}
	m.Open = l.DescribeMaking(m.Of, m.Fields.Values)
	return m, true
}

// guideLink returns the address of the first step of a guided character.
func (l *Look) guideLink(kind, from string) string {
	query := url.Values{Own + "kind": {kind}}
	if from != "" {
		query.Set(Own+"from", from)
	}
	return l.To("/hero/guide?" + query.Encode() + "#step-name")
}

// filledFields returns the fields in which a sheet differs from a blank one, without those that the
// reader may not set and those in known.
func (l *Look) filledFields(kind game.Kind, sheet any, known []string) (names []string) {
	is, blank := kind.Form.Inputs(sheet), kind.Form.Inputs(kind.Blank)
	for _, f := range kind.Form.Fields {
		locked := !l.Master() && (slices.Contains(kind.Reserved, f.Name) || slices.Contains(kind.LockedMembers(), f.Name))
		if locked || slices.Contains(known, f.Name) {
			continue
		}
		if !maps.EqualFunc(under(is, f.Name), under(blank, f.Name), slices.Equal) {
			names = append(names, f.Name)
		}
	}
	return names
}

// steps returns the steps of a guided character: a field each.
func (l *Look) steps(kind game.Kind, names []string) []GuideStep {
	asked := l.Voice.Game.AskedOf(kind)
	return game.Each(names, func(name string) GuideStep {
		step := GuideStep{Field: name}
		if i := slices.IndexFunc(asked, func(a game.Asked) bool { return a.Field == name }); i >= 0 {
			step.Rule = asked[i].Rule
		}
		if id := l.Voice.Game.Word("guide", name); l.Has(id) {
			step.About = l.Say(id)
		}
		return step
	})
}

// stepAt returns the field of a step; the name comes before the first.
func (m Making) stepAt(i int) string {
	if i < 0 {
		return "name"
	}
	return m.Steps[i].Field
}

// stepText returns what a field does, with its rule.
func stepText(s GuideStep) string {
	if s.Rule == "" {
		return s.About
	}
	return strings.TrimSpace(s.About + " (" + s.Rule + ")")
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
// the rules about them; "" if it lacks none.
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
	return l.Say("web.hero.open", "What", strings.Join(open, ", ")) + "."
}

// DescribeMaking says which decisions a new character still lacks, and how much of what the rules
// count it has.
func (l *Look) DescribeMaking(kind game.Kind, values url.Values) string {
	var said []string
	if open := l.StillOpen(kind, values); open != "" {
		said = append(said, open)
	}
	if sheet, err := kind.Values(kind.Blank, kind.Form, values); err == nil {
		for _, c := range l.Voice.Game.CountsOf(kind, sheet) {
			said = append(said, l.Say("web.guide.count",
				"Field", l.Voice.Field(c.Field), "Is", c.Is, "Most", c.Most, "Rule", c.Rule)+".")
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
