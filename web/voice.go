package web

import (
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
)

// voice words what stands on a game's page in one reader's language: what the
// game says, and the labels of its forms.
type voice struct {
	game.Voice
	game   *game.Game
	labels string // the word set of field labels: "field", or "setting"
}

// settings is the voice that labels fields as settings.
func (v voice) settings() voice {
	v.labels = "setting"
	return v
}

// word says one of the game's words.
func (v voice) word(parts ...string) string { return v.Say(v.game.Word(parts...)) }

// field is the label of a form's field.
func (v voice) field(name string) string {
	id := v.game.Word(v.labels, name)
	if !v.Has(id) {
		id = v.game.Word("field", name)
	}
	if own := "web.field." + name; !v.Has(id) && v.Has(own) {
		return v.Say(own)
	}
	return v.Say(id)
}

// hint is what a field's label doesn't say, "" for nothing.
func (v voice) hint(name string) string {
	id := v.game.Word("hint", name)
	if v.labels == "setting" {
		id = v.game.Word("setting-about", name)
	}
	if !v.Has(id) {
		return ""
	}
	return v.Say(id)
}

// option is the label of one of a field's options.
func (v voice) option(f form.Field, o form.Option) string {
	switch {
	case o.Text != "" && o.Word != "":
		return o.Text + ": " + v.Say(o.Word)
	case o.Text != "":
		return o.Text
	case o.Word != "":
		return v.Say(o.Word)
	case o.Value == "":
		if id := v.game.Word(f.Set, "none"); v.Has(id) {
			return v.Say(id)
		}
		return "—"
	}
	return v.word(f.Set, o.Value)
}

// chosen is the label of the option with a value.
func (v voice) chosen(f form.Field, value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return v.option(f, o)
		}
	}
	return value
}

// problem words what is wrong with a field of a form.
func (v voice) problem(f *form.Form, p form.Problem) string {
	id, data := p.Word()
	if field, ok := f.Field(p.Path); ok {
		data["Field"] = v.field(field.Name)
		if p.Code == form.NoChoice {
			data["Allowed"] = v.allowed(field)
		}
	}
	return v.Say(id, data)
}

// allowed lists the first of a field's options by their labels.
func (v voice) allowed(f form.Field) string {
	const shown = 12
	var labels []string
	for i, o := range f.Options {
		if i == shown {
			labels = append(labels, "…")
			break
		}
		labels = append(labels, v.option(f, o))
	}
	return strings.Join(labels, ", ")
}

// problems word what is wrong with a form, by the paths of its fields. What
// is wrong with no field of the form stands under "".
func (v voice) problems(f *form.Form, found form.Problems) map[string]string {
	texts := make(map[string]string, len(found))
	for _, p := range found {
		path := p.Path
		field, known := f.Field(path)
		if !known {
			path = ""
		}
		if field.Kind == form.KindRefs || field.Kind == form.KindFaces {
			path = strings.TrimRight(strings.TrimRight(path, "0123456789"), ".")
		}
		if texts[path] != "" {
			continue
		}
		texts[path] = v.problem(f, p)
	}
	return texts
}

// choices says in words what differs from a form's defaults in what was
// given: "Fight · Difficulty 2 · Mastery".
func (v voice) choices(f *form.Form, given map[string]any) []string {
	var texts []string
	for _, field := range f.Fields {
		if text := v.choice(field, given[field.Name]); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func (v voice) choice(f form.Field, given any) string {
	switch value := given.(type) {
	case bool: // a bool, or a trait without a name
		if value && !(f.Kind == form.KindBool && f.Default == true) {
			return v.field(f.Name)
		}
	case float64:
		if n := int(value); n != f.Default {
			return v.field(f.Name) + " " + v.Number(n)
		}
	case int:
		if value != f.Default {
			return v.field(f.Name) + " " + v.Number(value)
		}
	case string:
		return v.chosenText(f, value)
	case form.Trait:
		return v.chosenText(f, string(value))
	case []string:
		return v.people(f, value)
	case []any:
		var ids []string
		for _, item := range value {
			if id, ok := item.(string); ok {
				ids = append(ids, id)
			}
		}
		return v.people(f, ids)
	}
	return ""
}

func (v voice) people(f form.Field, ids []string) string {
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
	return v.field(f.Name) + ": " + strings.Join(names, ", ")
}

func (v voice) chosenText(f form.Field, value string) string {
	if value == "" || value == f.Default {
		return ""
	}
	switch f.Kind {
	case form.KindTrait:
		if value == string(form.Yes) {
			return v.field(f.Name)
		}
		if id := v.game.Word(f.Set, value); v.Has(id) {
			return v.Say(id)
		}
		return value
	case form.KindRef:
		return v.field(f.Name) + ": " + v.Name(value)
	case form.KindChoice:
		if !slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == value }) {
			return "" // a place on a sheet, not for people
		}
		return v.field(f.Name) + ": " + v.chosen(f, value)
	case form.KindText:
		return value
	}
	return ""
}

// itoa is short in templates.
func itoa(n int) string { return strconv.Itoa(n) }
