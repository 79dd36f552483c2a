package web

import (
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
	return v.game.Option(v.Voice, f, o)
}

// problem words what is wrong with a field of a form.
func (v voice) problem(f *form.Form, p form.Problem) string {
	id, data := p.Word()
	if text, err := strconv.Unquote(p.Given); err == nil { // as JSON has it
		data["Given"] = v.Say("web.form.quoted", "Text", text)
	}
	if field, _, ok := placed(f, p.Path); ok {
		data["Field"] = v.field(field.Name)
		if p.Code == form.NoChoice {
			data["Allowed"] = v.allowed(field)
		}
		if p.Code == form.Unneeded {
			data["Allowed"] = v.field(p.Allowed[0])
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

// placed finds the field at which a problem stands, and its path: for one of the faces or references of a field, the field.
func placed(f *form.Form, path string) (form.Field, string, bool) {
	field, ok := f.Field(path)
	if !ok {
		path = strings.TrimRight(strings.TrimRight(path, "0123456789"), ".")
		field, ok = f.Field(path)
	}
	return field, path, ok
}

// problems word what is wrong with a form, by the paths of its fields. What
// is wrong with no field of the form stands under "".
func (v voice) problems(f *form.Form, found form.Problems) map[string]string {
	texts := make(map[string]string, len(found))
	for _, p := range found {
		_, path, known := placed(f, p.Path)
		if !known {
			path = ""
		}
		if texts[path] != "" {
			continue
		}
		texts[path] = v.problem(f, p)
	}
	return texts
}

// choices says in words what differs from a form's defaults in what was given.
func (v voice) choices(f *form.Form, given map[string]any) []string {
	return v.game.Choices(v.Voice, f, given)
}

// itoa is short in templates.
func itoa(n int) string { return strconv.Itoa(n) }
