package game

import (
	"cmp"
	"slices"
	"strings"

	"norn/form"
	"norn/lang"
)

// Option is the label of one of a field's options.
func (g *Game) Option(v Voice, f form.Field, o form.Option) string {
	if after := o.After; after != "" {
		o.After = ""
		return g.Option(v, f, o) + " " + after
	}
	switch {
	case o.Text != "" && o.Word != "":
		return o.Text + ": " + v.Say(o.Word)
	case o.Text != "":
		return o.Text
	case o.Word == "" && o.Value == "" && !v.Has(g.OptionWord(f, o)):
		return "—"
	}
	return g.wordOrID(v.Speaker, g.OptionWord(f, o), o.Value)
}

// Label is what one of the game's fields is called: by its word, or where it has none by its own name.
func (g *Game) Label(s lang.Speaker, field string) string {
	return g.wordOrID(s, g.Word("field", field), field)
}

// Labels word the game's fields: what one is called, and what that doesn't say. set is that of their labels, "field" or "setting".
func (g *Game) Labels(s lang.Speaker, set string) form.Label {
	hints := "hint"
	if set == "setting" {
		hints = "setting-about"
	}
	return func(f form.Field) (title, about string) {
		if hint := g.Word(hints, f.Name); s.Has(hint) {
			about = s.Say(hint)
		}
		return g.wordOrID(s, g.Word(set, f.Name), f.Name), about
	}
}

// wordOrID says a word; where there's none the word of a field that is called so, and where there's none either the id itself.
func (g *Game) wordOrID(s lang.Speaker, word, id string) string {
	for _, word := range []string{word, g.Word("field", id)} {
		if s.Has(word) {
			return s.Say(word)
		}
	}
	return plainly(id)
}

// OptionWord is the id of the word that names one of a field's options.
func (g *Game) OptionWord(f form.Field, o form.Option) string {
	switch {
	case o.Word != "":
		return o.Word
	case o.Value == "":
		return g.Word(f.Set, "none")
	}
	return g.Word(f.Set, o.Value)
}

// Choices says in words what was given, where it differs from a form's defaults
// or is always said: "Fight", "Difficulty 2", "Mastery".
func (g *Game) Choices(v Voice, f *form.Form, given map[string]any) []string {
	var texts []string
	for _, field := range f.Fields {
		if by := cmp.Or(field.For, field.Beside); by != nil && !by.Met(given[by.Field]) {
			continue
		}
		if text := g.choice(v, field, given[field.Name]); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// Chosen says what a story tells of what was given: what was tried, by what, with and against whom, and what was said of it; no
// numbers and dice, which Choices has.
func (g *Game) Chosen(v Voice, f *form.Form, given map[string]any) []string {
	var texts []string
	for _, field := range f.Fields {
		person := field.Kind == form.KindRef || field.Kind == form.KindRefs
		if !person && field.Kind != form.KindTrait && (field.Kind != form.KindText || field.Dice) {
			continue
		}
		said := g.Choices(v, &form.Form{Fields: []form.Field{field}}, given)
		if person {
			said = Each(said, lang.LowerFirst) // its label stands in a sentence
		}
		texts = append(texts, said...)
	}
	return texts
}

func (g *Game) choice(v Voice, f form.Field, given any) string {
	label := func() string { return g.Label(v.Speaker, f.Name) } // most fields are as they usually are, and say nothing
	switch value := given.(type) {
	case bool: // a bool, or a trait without a name
		switch {
		case value && (f.Said || !(f.Kind == form.KindBool && f.Default == true)):
			return label()
		case !value && f.Said:
			return label() + ": " + v.Say("form.no")
		}
	case float64:
		if n := int(value); n != f.Default || f.Said {
			return label() + " " + v.Number(n)
		}
	case int:
		if value != f.Default || f.Said {
			return label() + " " + v.Number(value)
		}
	case string:
		return g.chosen(v, f, label, value)
	case form.Trait:
		return g.chosen(v, f, label, string(value))
	case []string:
		return people(v, label, value)
	case []any:
		var ids []string
		for _, item := range value {
			if id, ok := item.(string); ok {
				ids = append(ids, id)
			}
		}
		return people(v, label, ids)
	}
	return ""
}

func people(v Voice, label func() string, ids []string) string {
	var names []string
	nobody := v.Name("")
	for _, id := range ids {
		if name := v.Name(id); name != nobody { // nobody's is a place on a sheet, not for people
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return label() + ": " + strings.Join(names, ", ")
}

func (g *Game) chosen(v Voice, f form.Field, label func() string, value string) string {
	if value == "" || value == f.Default && !f.Said {
		return ""
	}
	switch f.Kind {
	case form.KindTrait:
		if value == string(form.Yes) {
			return label()
		}
		if id := g.Word(f.Set, value); v.Has(id) {
			return v.Say(id)
		}
		return value
	case form.KindRef:
		return label() + ": " + v.Name(value)
	case form.KindChoice:
		i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == value })
		if i < 0 {
			return "" // a place on a sheet, not for people
		}
		return label() + ": " + g.Option(v, f, f.Options[i])
	case form.KindText:
		if f.Dice {
			return v.Speaker.Notation(value)
		}
		return value
	}
	return ""
}
