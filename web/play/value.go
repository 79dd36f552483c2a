package play

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/form"
	"norn/page"
	"norn/table"
	"norn/web/door"
	"norn/web/html"
)

// atName is the path under which a character's name is changed like a value of
// its sheet.
const atName = html.Own + "name"

// editor lets a sheet be changed where it stands: it knows the controls of the
// values that the seat may change, by the form model.
type editor struct {
	voice     html.Voice
	character table.CharacterShown
	form      table.SheetForm
	lists     []choiceList // that were asked for
}

// choiceList is what a choice is chosen from, once for all items of a list.
type choiceList struct {
	ID      string
	Options []html.Option
	Other   string // label of another name than those
}

// editor is a character's, nil where the seat may change nothing of it.
func (v *visit) editor(ctx context.Context, c table.CharacterShown) *editor {
	if !c.Editable {
		return nil
	}
	f, known := v.forms[c.ID]
	var err error
	if !known {
		f, err = v.seat.SheetForm(ctx, c.ID)
	}
	if err != nil { // the sheet is gone, or the seat: what is drawn can't be changed
		return nil
	}
	return &editor{voice: v.voice, character: c, form: f}
}

// sheetDrawn is the sheet as its game draws it, in which the seat changes what
// it may.
func (v *visit) sheetDrawn(c table.CharacterShown) page.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		e := v.editor(ctx, c)
		if e == nil {
			return v.sheetBody(c).Render(ctx, w)
		}
		if err := v.sheetBody(c).Render(page.Edited(ctx, e), w); err != nil {
			return err
		}
		ctx = page.Edited(ctx, e)
		if err := v.missingShown(e.missing()).Render(ctx, w); err != nil {
			return err
		}
		return choiceLists(e).Render(ctx, w)
	})
}

// Field implements page.Editor.
func (e *editor) Field(path string) (page.Field, bool) {
	id := "v-" + e.character.ID + "-" + strings.ReplaceAll(path, ".", "-")
	if path == atName {
		return page.Field{
			ID: id, Path: path, Kind: page.Text, Label: e.voice.Say("web.sheet.name"),
			Value: e.character.Name, Shown: e.character.Name, Max: form.MaxText, Required: true,
		}, true
	}
	f, ok := e.form.Form.Field(strings.ReplaceAll(path, "."+newItem+".", ".0."))
	if !ok {
		return page.Field{}, false
	}
	value := e.form.Values.Get(path)
	shown := page.Field{
		ID: id, Path: path, Label: e.label(path, f), Value: value, Shown: value, Min: f.Min, Max: f.Max,
		Among: e.form.Among(path), Required: f.Required,
	}
	switch f.Kind {
	case form.KindInt:
		shown.Kind = page.Number
	case form.KindText:
		shown.Kind = page.Text
		if f.Dice {
			shown.Value = e.voice.Speaker.Notation(value)
			shown.Shown = shown.Value
		}
	case form.KindProse:
		shown.Kind = page.Prose
	case form.KindBool:
		shown.Kind = page.Check
	case form.KindChoice, form.KindTrait:
		if f.Options == nil {
			shown.Kind = page.Text
			break
		}
		shown.Kind, shown.Shown, shown.Choices = page.Choice, e.chosen(f, value), e.list(path, f)
	default:
		return page.Field{}, false
	}
	return shown, true
}

// newItem stands in the path of a list's item that is to be added, as table.Put has it.
const newItem = "+"

// missing are the values that a sheet draws only once they're there: texts that
// are empty, and one more item of each list that a name alone makes. The text of
// a group goes by the group's name.
func (e *editor) missing() []page.Field {
	var all []page.Field
	for _, f := range e.form.Form.Fields {
		path, text := f.Name, f
		if i := slices.IndexFunc(f.Fields, worded); f.Kind == form.KindGroup && i >= 0 {
			path, text = path+"."+f.Fields[i].Name, f.Fields[i]
		}
		switch {
		case f.Kind == form.KindList:
			part, ok := naming(f)
			if !ok {
				continue
			}
			path += "." + newItem + "." + part
		case !worded(text) || e.form.Values.Get(path) != "":
			continue
		}
		if shown, ok := e.Field(path); ok {
			shown.ID = strings.ReplaceAll(shown.ID, newItem, "new")
			shown.Label = e.voice.Field(f.Name)
			all = append(all, shown)
		}
	}
	return all
}

// worded tells whether a field is a text.
func worded(f form.Field) bool { return f.Kind == form.KindText || f.Kind == form.KindProse }

// naming is the part of a list's items that names them, if an item needs no other.
func naming(list form.Field) (string, bool) {
	name := ""
	for _, part := range list.Fields {
		named := part.Kind == form.KindText || part.Kind == form.KindTrait || part.Kind == form.KindProse && part.Required
		if part.Required && !named {
			return "", false
		}
		if named && name == "" {
			name = part.Name
		}
	}
	return name, name != ""
}

// label names a value; one in a list with the name of its item.
func (e *editor) label(path string, f form.Field) string {
	label := e.voice.Field(f.Name)
	parts := strings.Split(path, ".")
	for i := len(parts) - 2; i > 0; i-- {
		if _, err := strconv.Atoi(parts[i]); err != nil {
			continue
		}
		if list, ok := e.form.Form.Field(strings.Join(parts[:i], ".")); ok {
			for _, part := range list.Fields {
				at := strings.Join(parts[:i+1], ".") + "." + part.Name
				name := e.form.Values.Get(at)
				id := strings.Contains(name, ".") && !strings.Contains(name, " ") // of the rules, such as blood.minor.1: nothing to read out
				if at != path && name != "" && !id && (part.Kind == form.KindTrait || part.Kind == form.KindText) {
					return e.chosen(part, name) + ": " + label
				}
			}
		}
		break
	}
	return label
}

// chosen words the value of a choice.
func (e *editor) chosen(f form.Field, value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return e.voice.Option(f, o)
		}
	}
	return value
}

// list notes that a choice was drawn and gives the id of what it's chosen from.
func (e *editor) list(path string, f form.Field) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	})
	id := "choices-" + e.character.ID + "-" + strings.Join(parts, "-")
	if !slices.ContainsFunc(e.lists, func(l choiceList) bool { return l.ID == id }) {
		list := choiceList{ID: id}
		for _, o := range f.Options {
			list.Options = append(list.Options, html.Option{Option: o, Label: e.voice.Option(f, o)})
		}
		if f.Kind == form.KindTrait && f.Open {
			list.Other = e.voice.Say("web.form.another")
		}
		e.lists = append(e.lists, list)
	}
	return id
}

// value changes one value of a sheet, or the character's name.
func (s *Server) value(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(atCharacter)
	path, text := r.PostForm.Get(html.Own+"path"), r.PostForm.Get(html.Own+"value")
	change := table.Change{ID: id, Key: r.PostForm.Get(html.Own + "key")}
	if path == atName {
		change.Name = &text
	} else {
		change.Put = &table.Put{Path: path, Text: text, Among: r.PostForm.Get(html.Own + "among")}
	}
	entry, err := v.seat.ChangeCharacter(r.Context(), change)
	if _, known := statusOf(err); err != nil && !known {
		return err
	}
	if err != nil && door.HX(r) {
		status, _ := statusOf(err)
		s.Show(w, r, status, valueRefused(v.valueProblem(r.Context(), id, err)))
		return nil
	}
	if err != nil {
		return err
	}
	said := ""
	for _, line := range entry.Lines {
		said = line.Text
	}
	s.done(w, r, entry.Seq, v.link(v.at.tab("sheet")), valueKept(said))
	return nil
}

// valueProblem says what is wrong with a value, as it's said beside a control.
func (v *visit) valueProblem(ctx context.Context, id string, err error) string {
	problems, rest := split(err, "sheet")
	if f, formErr := v.seat.SheetForm(ctx, id); formErr == nil {
		for _, p := range problems {
			return v.voice.Problem(f.Form, p)
		}
	}
	for _, p := range rest {
		word, data := p.Word()
		data["Field"] = v.Say("web.sheet.name")
		return v.Say(word, data)
	}
	return v.sayError(err)
}
