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

// Label returns the name of one of the game's fields: its word, or else its own name.
func (g *Game) Label(s lang.Speaker, field string) string {
	return g.wordOrID(s, g.Word("field", field), field)
}

// Labels returns a function that returns each field's title and hint. set is the word set of the
// titles, "field" or "setting".
func (g *Game) Labels(s lang.Speaker, set string) form.Label {
	hints := "hint"
	if set == "setting" {
		hints = "setting-about"
	}
	return func(f form.Field) (title, about string) {
		about, _ = s.Find(g.Word(hints, f.Name))
		return g.wordOrID(s, g.Word(set, f.Name), f.Name), about
	}
}

// ChoiceLabels returns a function that returns the label of each of a field's options.
func (g *Game) ChoiceLabels(s lang.Speaker) form.ChoiceLabel {
	v := Voice{Speaker: s, Game: g.ID}
	return func(f form.Field, o form.Option) string { return g.Option(v, f, o) }
}

// wordOrID returns a word by its id, or else the word of the field with that name, or else the id
// itself.
func (g *Game) wordOrID(s lang.Speaker, word, id string) string {
	if text, ok := s.Find(word); ok {
		return text
	}
	if text, ok := s.Find(g.Word("field", id)); ok {
		return text
	}
	return plainly(id)
}

// OptionWord returns the id of the word that names one of a field's options.
func (g *Game) OptionWord(f form.Field, o form.Option) string {
	switch {
	case o.Word != "":
		return o.Word
	case o.Value == "":
		return g.Word(f.Set, "none")
	}
	return g.Word(f.Set, o.Value)
}

// Choices describes the values given that differ from the form's defaults or are always mentioned:
// "Fight", "Difficulty 2", "Mastery". Plain dice are also said in words.
func (g *Game) Choices(v Voice, f *form.Form, given map[string]any) []string {
	texts := g.choices(v, f, given)
	if notation, ok := given[PlainNotation].(string); ok && slices.ContainsFunc(f.Fields, isPlainNotation) {
		as, _ := given["as"].(string)
		if words := (Notation{Notation: notation, As: as}).Understood(v.Speaker); words != "" {
			texts = append(texts, words)
		}
	}
	return texts
}

// DescribeOffer describes an offered move. who is the name of the person or character that it's about,
// "" for the reader. It uses the game's words for the offer, "Flip the digits (−1 Insight): 52", if it
// has some, or else the move's name and what was chosen. The words name the form's fields with a
// capital: {{.Pool}}.
func (g *Game) DescribeOffer(v Voice, move, who string, f *form.Form, given map[string]any) string {
	var names []string
	if who != "" {
		names = []string{who}
	}
	word := g.Word("offer", move)
	if !v.Has(word) {
		text := v.Say(g.Word("move", move))
		if said := append(names, g.Choices(v, f, given)...); len(said) > 0 {
			text += ": " + strings.Join(said, " · ")
		}
		return text
	}
	values := map[string]any{}
	for _, field := range f.Fields {
		value := given[field.Name]
		if i := slices.IndexFunc(field.Options, func(o form.Option) bool { return o.Value == value }); i >= 0 {
			value = g.Option(v, field, field.Options[i])
		}
		values[strings.ToUpper(field.Name[:1])+field.Name[1:]] = value
	}
	return strings.Join(append(names, v.Say(word, values)), " · ")
}

// PlainNotation is the name of the field of plain dice.
const PlainNotation = "notation"

func isPlainNotation(f form.Field) bool { return f.Name == PlainNotation && f.Dice && f.Required }

func (g *Game) choices(v Voice, f *form.Form, given map[string]any) []string {
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

// Chosen returns the part of a move's arguments that belongs in a story: the attempt, its means,
// the others involved, what people wrote and the notation of plain dice. Numbers and other dice are
// left out; Choices has those.
func (g *Game) Chosen(v Voice, f *form.Form, given map[string]any) []string {
	var texts []string
	for _, field := range f.Fields {
		person := field.Kind.IsRef()
		if !person && field.Kind != form.KindTrait && (field.Kind != form.KindText || field.Dice && !field.Required) {
			continue
		}
		said := g.choices(v, &form.Form{Fields: []form.Field{field}}, given)
		if person {
			said = Each(said, lang.LowerFirst) // the label is in the middle of a sentence
		}
		texts = append(texts, said...)
	}
	return texts
}

func (g *Game) choice(v Voice, f form.Field, given any) string {
	label := func() string { return g.Label(v.Speaker, f.Name) } // most fields have their default and need no label
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
		if name := v.Name(id); name != nobody { // an id without a name is a place on a sheet, not for people
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
