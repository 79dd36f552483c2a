package discordtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf16"
)

// object is a JSON object.
type object = map[string]any

func long(text string) int { return len(utf16.Encode([]rune(text))) }

func text(o object, name string) string { t, _ := o[name].(string); return t }
func number(o object, name string, usual int) int {
	if n, ok := o[name].(float64); ok {
		return int(n)
	}
	return usual
}

func list(o object, name string) []object {
	var all []object
	items, _ := o[name].([]any)
	for _, item := range items {
		one, _ := item.(object)
		all = append(all, one)
	}
	return all
}

// checkLength refuses a text that is too short or too long.
func checkLength(o object, name string, least, most int) *refusal {
	if n := long(text(o, name)); n < least || n > most {
		return invalid("%s: must be between %d and %d in length: %q", name, least, most, text(o, name))
	}
	return nil
}

func firstOf(wrong ...*refusal) *refusal {
	for _, w := range wrong {
		if w != nil {
			return w
		}
	}
	return nil
}

// draftMessage makes a message from a request, or changes one.
func draftMessage(b body, m *message) (*message, *refusal) {
	o := b.fields
	mentions, wrong := checkMentions(o)
	if wrong = firstOf(wrong, checkLength(o, "content", 0, 2000), checkLength(o, "nonce", 0, 25)); wrong != nil {
		return nil, wrong
	}
	var embeds []string
	total := 0
	for _, e := range list(o, "embeds") {
		if wrong := firstOf(checkLength(e, "description", 0, 4096), checkLength(e, "title", 0, 256)); wrong != nil {
			return nil, wrong
		}
		total += long(text(e, "description")) + long(text(e, "title"))
		embeds = append(embeds, text(e, "description"))
	}
	if len(embeds) > 10 || total > 6000 {
		return nil, invalid("embeds: %d with %d characters", len(embeds), total)
	}
	rows, wrong := checkRows(list(o, "components"))
	if wrong != nil {
		return nil, wrong
	}
	files := slices.Clone(b.files)
	for _, a := range list(o, "attachments") {
		n, err := strconv.Atoi(fmt.Sprint(a["id"]))
		if err != nil || n >= len(files) {
			return nil, invalid("attachments: there is no file %v", a["id"])
		}
		if wrong := checkLength(a, "description", 0, 1024); wrong != nil {
			return nil, wrong
		}
		files[n].Alt = text(a, "description")
	}
	if m == nil {
		if text(o, "content") == "" && len(embeds)+len(rows)+len(files) == 0 {
			return nil, &refusal{400, 50006, "Cannot send an empty message"}
		}
		m = &message{mentions: mentions, quiet: number(o, "flags", 0)&(1<<12) != 0}
	} else {
		m.edits++ // an edit notifies nobody
	}
	m.loading = false
	for name, change := range map[string]func(){
		"content":     func() { m.content = text(o, "content") },
		"embeds":      func() { m.embeds = embeds },
		"components":  func() { m.rows = rows },
		"attachments": func() { m.files = nil },
	} {
		if _, given := o[name]; given {
			change()
		}
	}
	m.files = append(m.files, files...)
	return m, nil
}

// checkMentions returns who may be notified: only people who are listed and mentioned in the text.
func checkMentions(o object) ([]string, *refusal) {
	allowed, given := o["allowed_mentions"].(object)
	if !given {
		return nil, invalid("a test's own rule: allowed_mentions must be said")
	}
	if parse, ok := allowed["parse"].([]any); !ok || len(parse) > 0 {
		return nil, invalid("a test's own rule: allowed_mentions.parse must be there and empty")
	}
	if roles, _ := allowed["roles"].([]any); len(roles) > 0 || allowed["replied_user"] == true {
		return nil, invalid("a test's own rule: nobody is mentioned but people by name")
	}
	users, _ := allowed["users"].([]any)
	if len(users) > 100 {
		return nil, invalid("allowed_mentions.users: at most 100")
	}
	var called []string
	for _, id := range users {
		if regexp.MustCompile(`<@!?` + fmt.Sprint(id) + `>`).MatchString(text(o, "content")) {
			called = append(called, fmt.Sprint(id))
		}
	}
	return called, nil
}

// checkRows reads the rows of controls of a message.
func checkRows(components []object) (rows [][]Control, wrong *refusal) {
	if len(components) > 5 {
		return nil, invalid("components: %d rows", len(components))
	}
	seen := map[string]bool{}
	for _, row := range components {
		inside := list(row, "components")
		if number(row, "type", 0) != 1 || len(inside) == 0 || len(inside) > 5 {
			return nil, invalid("components: a row of %d", len(inside))
		}
		var controls []Control
		for _, c := range inside {
			control := Control{ID: text(c, "custom_id"), Label: text(c, "label"), Main: number(c, "style", 0) == 1}
			if seen[control.ID] {
				return nil, invalid("components: custom_id %q stands twice", control.ID)
			}
			seen[control.ID] = true
			wrong := checkLength(c, "custom_id", 1, 100)
			switch number(c, "type", 0) {
			case 2:
				wrong = firstOf(wrong, checkLength(c, "label", 1, 80))
			case 3:
				if len(inside) > 1 {
					return nil, invalid("components: a select stands in a row of its own")
				}
				control.Label = text(c, "placeholder")
				var more *refusal
				control.Options, control.Least, control.Most, more = checkSelect(c)
				wrong = firstOf(wrong, more)
			default:
				wrong = invalid("components: type %v in a row", c["type"])
			}
			if wrong != nil {
				return nil, wrong
			}
			controls = append(controls, control)
		}
		rows = append(rows, controls)
	}
	return rows, nil
}

func checkSelect(c object) (options []Option, least, most int, wrong *refusal) {
	seen, chosen := map[string]bool{}, 0
	for _, o := range list(c, "options") {
		if wrong := firstOf(checkLength(o, "label", 1, 100), checkLength(o, "value", 1, 100),
			checkLength(o, "description", 0, 100)); wrong != nil {
			return nil, 0, 0, wrong
		}
		if seen[text(o, "value")] {
			return nil, 0, 0, invalid("options: value %q stands twice", text(o, "value"))
		}
		seen[text(o, "value")] = true
		if o["default"] == true {
			chosen++
		}
		options = append(options, Option{
			Value: text(o, "value"), Label: text(o, "label"),
			About: text(o, "description"), Chosen: o["default"] == true,
		})
	}
	least, most = number(c, "min_values", 1), number(c, "max_values", 1)
	switch {
	case len(options) < 1 || len(options) > 25:
		return nil, 0, 0, invalid("options: %d", len(options))
	case least < 0 || most < 1 || most > 25 || least > most || most > len(options) || chosen > most:
		return nil, 0, 0, invalid("a select of %d: from %d to %d, %d of them chosen", len(options), least, most, chosen)
	}
	return options, least, most, checkLength(c, "placeholder", 0, 150)
}

// Modal is an open dialog.
type Modal struct {
	ID, Title string
	Fields    []Field
}

// Field is one field of a dialog.
type Field struct {
	ID, Label, About, Value string
	Kind                    string // text, long, select, checkbox
	Options                 []Option
	Least, Most             int
	Required                bool
}

func checkModal(o object) (*Modal, *refusal) {
	m := &Modal{ID: text(o, "custom_id"), Title: text(o, "title")}
	labels := list(o, "components")
	if wrong := firstOf(checkLength(o, "custom_id", 1, 100), checkLength(o, "title", 1, 45)); wrong != nil {
		return nil, wrong
	}
	if len(labels) < 1 || len(labels) > 5 {
		return nil, invalid("a dialog of %d fields", len(labels))
	}
	seen := map[string]bool{}
	for _, l := range labels {
		c, _ := l["component"].(object)
		f := Field{
			ID: text(c, "custom_id"), Label: text(l, "label"), About: text(l, "description"),
			Value: text(c, "value"), Required: c["required"] != false,
		}
		wrong := firstOf(checkLength(l, "label", 1, 45), checkLength(l, "description", 0, 100),
			checkLength(c, "custom_id", 1, 100), checkLength(c, "placeholder", 0, 150))
		if number(l, "type", 0) != 18 || seen[f.ID] {
			wrong = firstOf(wrong, invalid("a dialog's field %v %q", l["type"], f.ID))
		}
		seen[f.ID] = true
		switch number(c, "type", 0) {
		case 3:
			var more *refusal
			f.Kind = "select"
			f.Options, f.Least, f.Most, more = checkSelect(c)
			wrong = firstOf(wrong, more)
			if c["disabled"] == true {
				wrong = firstOf(wrong, invalid("a dialog's select can't be disabled"))
			}
			if f.Required && f.Least == 0 {
				wrong = firstOf(wrong, invalid("a select that is required has at least one value"))
			}
		case 4:
			f.Kind = "text"
			if number(c, "style", 0) == 2 {
				f.Kind = "long"
			}
			f.Least, f.Most = number(c, "min_length", 0), number(c, "max_length", 4000)
			if f.Least < 0 || f.Most < 1 || f.Most > 4000 || f.Least > f.Most || f.Value != "" &&
				(long(f.Value) > f.Most || long(f.Value) < f.Least) {
				wrong = firstOf(wrong, invalid("a text of %d to %d with %q", f.Least, f.Most, f.Value))
			}
		case 23:
			f.Kind, f.Value = "checkbox", fmt.Sprint(c["default"] == true)
		default:
			wrong = firstOf(wrong, invalid("a dialog's component %v", c["type"]))
		}
		if wrong != nil {
			return nil, wrong
		}
		m.Fields = append(m.Fields, f)
	}
	return m, nil
}

// Choice is a suggestion for a line.
type Choice struct{ Name, Value string }

func checkChoices(o object) ([]Choice, *refusal) {
	choices := []Choice{}
	items := list(o, "choices")
	if len(items) > 25 {
		return nil, invalid("choices: %d", len(items))
	}
	for _, c := range items {
		if wrong := firstOf(checkLength(c, "name", 1, 100), checkLength(c, "value", 1, 100)); wrong != nil {
			return nil, wrong
		}
		choices = append(choices, Choice{text(c, "name"), text(c, "value")})
	}
	return choices, nil
}

var (
	commandName = regexp.MustCompile(`^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$`)
	locales     = []string{"en-US", "en-GB", "ru", "uk", "de", "fr", "pl"}
)

func checkCommand(o object) *refusal {
	all := append([]object{o}, list(o, "options")...)
	if len(all) > 26 {
		return invalid("options: %d", len(all)-1)
	}
	for _, named := range all {
		names := map[string]string{"": text(named, "name")}
		abouts := map[string]string{"": text(named, "description")}
		for key, into := range map[string]map[string]string{
			"name_localizations":        names,
			"description_localizations": abouts,
		} {
			in, _ := named[key].(object)
			for locale := range in {
				if !slices.Contains(locales, locale) {
					return invalid("%s: locale %q", key, locale)
				}
				into[locale] = text(in, locale)
			}
		}
		for locale, name := range names {
			if !commandName.MatchString(name) {
				return invalid("name %s: %q", locale, name)
			}
		}
		for locale, about := range abouts {
			if n := long(about); n < 1 || n > 100 {
				return invalid("description %s: %q", locale, about)
			}
		}
	}
	return nil
}
