package fields

import (
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
)

// Voice puts a game's page into words in a reader's language: the game's words, and the labels of
// forms.
type Voice struct {
	game.Voice
	Game   *game.Game
	Labels string // set of words for field labels: "field", "setting", or that of an act
}

// Settings returns the voice with field labels for settings.
func (v Voice) Settings() Voice {
	v.Labels = "setting"
	return v
}

// Act returns the voice with the field labels of an act.
func (v Voice) Act(name string) Voice {
	v.Labels = "table.act." + name
	return v
}

// Word returns one of the game's words.
func (v Voice) Word(parts ...string) string { return v.Say(v.Game.Word(parts...)) }

// Field returns the label of a form's field.
func (v Voice) Field(name string) string {
	if text, ok := v.Find(v.Labels + "." + name); ok {
		return text
	}
	if text, ok := v.Find(v.Game.Word(v.Labels, name)); ok {
		return text
	}
	if text, ok := v.Find(v.Game.Word("field", name)); ok {
		return text
	}
	if text, ok := v.Find("web.field." + name); ok {
		return text
	}
	return v.Game.Label(v.Speaker, name)
}

// Hint returns what a field's label doesn't say, "" for nothing.
func (v Voice) Hint(name string) string {
	id := v.Game.Word("hint", name)
	if v.Labels == "setting" {
		id = v.Game.Word("setting-about", name)
	}
	text, _ := v.Find(id)
	return text
}

// Option returns the label of one of a field's options.
func (v Voice) Option(f form.Field, o form.Option) string {
	return v.Game.Option(v.Voice, f, o)
}

// worth returns the effect of an option in short, to be added to its label.
func (v Voice) worth(worth string) string {
	if text, ok := v.Find(worth); ok {
		return ": " + text
	}
	return " " + v.Speaker.Notation(worth)
}

// Problem puts an error in a field of a form into words.
func (v Voice) Problem(f *form.Form, p form.Problem) string {
	id, data := p.Word()
	if text, err := strconv.Unquote(p.Given); err == nil { // it's a JSON string
		data["Given"] = v.Say("web.form.quoted", "Text", text)
	}
	if field, _, ok := findProblem(f, p.Path); ok {
		data["Field"] = v.Field(field.Name)
		if p.Code == form.NoChoice {
			data["Allowed"] = v.listAllowed(field)
		}
		if p.Code == form.Unneeded && len(p.Allowed) > 0 {
			data["Allowed"] = v.Field(p.Allowed[0])
		}
	}
	return v.Say(id, data)
}

// listAllowed lists the labels of a field's first options.
func (v Voice) listAllowed(f form.Field) string {
	const shown = 12
	var labels []string
	for i, o := range f.Options {
		if i == shown {
			labels = append(labels, "…")
			break
		}
		labels = append(labels, v.Option(f, o))
	}
	return strings.Join(labels, ", ")
}

// findProblem returns the field with an error, and its path. An error in one of a field's faces or
// references belongs to the field.
func findProblem(f *form.Form, path string) (form.Field, string, bool) {
	field, ok := f.Field(path)
	if !ok {
		path = strings.TrimRight(strings.TrimRight(path, "0123456789"), ".")
		field, ok = f.Field(path)
	}
	return field, path, ok
}

// ProblemsOf returns the error messages of a form by the paths of its fields; "" has those of no
// field.
func (v Voice) ProblemsOf(f *form.Form, found form.Problems) map[string]string {
	texts := make(map[string]string, len(found))
	for _, p := range found {
		_, path, known := findProblem(f, p.Path)
		if !known {
			path = ""
		}
		if texts[path] != "" {
			continue
		}
		texts[path] = v.Problem(f, p)
	}
	return texts
}

// ChoicesOf puts the values that differ from a form's defaults into words.
func (v Voice) ChoicesOf(f *form.Form, given map[string]any) []string {
	return v.Game.Choices(v.Voice, f, given)
}
