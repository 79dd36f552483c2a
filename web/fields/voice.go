package fields

import (
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
)

// Voice words what stands on a game's page in one reader's language: what the
// game says, and the labels of its forms.
type Voice struct {
	game.Voice
	Game   *game.Game
	Labels string // the word set of field labels: "field", "setting", or the words of an act of the table
}

// Settings is the voice that labels fields as settings.
func (v Voice) Settings() Voice {
	v.Labels = "setting"
	return v
}

// Act is the voice that labels fields as an act of the table does.
func (v Voice) Act(name string) Voice {
	v.Labels = "table.act." + name
	return v
}

// Word says one of the game's words.
func (v Voice) Word(parts ...string) string { return v.Say(v.Game.Word(parts...)) }

// Field is the label of a form's field.
func (v Voice) Field(name string) string {
	if own := v.Labels + "." + name; v.Has(own) {
		return v.Say(own)
	}
	id := v.Game.Word(v.Labels, name)
	if !v.Has(id) {
		id = v.Game.Word("field", name)
	}
	if own := "web.field." + name; !v.Has(id) && v.Has(own) {
		return v.Say(own)
	}
	if !v.Has(id) {
		return v.Game.Label(v.Speaker, name)
	}
	return v.Say(id)
}

// Hint is what a field's label doesn't say, "" for nothing.
func (v Voice) Hint(name string) string {
	id := v.Game.Word("hint", name)
	if v.Labels == "setting" {
		id = v.Game.Word("setting-about", name)
	}
	if !v.Has(id) {
		return ""
	}
	return v.Say(id)
}

// Option is the label of one of a field's options.
func (v Voice) Option(f form.Field, o form.Option) string {
	return v.Game.Option(v.Voice, f, o)
}

// Problem words what is wrong with a field of a form.
func (v Voice) Problem(f *form.Form, p form.Problem) string {
	id, data := p.Word()
	if text, err := strconv.Unquote(p.Given); err == nil { // as JSON has it
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

// listAllowed lists the first of a field's options by their labels.
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

// findProblem finds the field at which a problem stands, and its path: for one of the faces or
// references of a field, the field.
func findProblem(f *form.Form, path string) (form.Field, string, bool) {
	field, ok := f.Field(path)
	if !ok {
		path = strings.TrimRight(strings.TrimRight(path, "0123456789"), ".")
		field, ok = f.Field(path)
	}
	return field, path, ok
}

// ProblemsOf word what is wrong with a form, by the paths of its fields. What
// is wrong with no field of the form stands under "".
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

// ChoicesOf says in words what differs from a form's defaults in what was given.
func (v Voice) ChoicesOf(f *form.Form, given map[string]any) []string {
	return v.Game.Choices(v.Voice, f, given)
}
