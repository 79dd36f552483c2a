package html

import (
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/internal/widget"
	"norn/table/view"
	"norn/web/fields"
)

// AtName is the path with which a character's name is changed like a value of its sheet.
const AtName = Own + "name"

// Editor lets a sheet be edited in place: it has the controls of the values that the reader may
// change.
type Editor struct {
	ID   string // of the character
	Name string
	view.SheetForm
}

// editor draws a sheet once.
type editor struct {
	Editor
	Voice fields.Voice
	lists []choiceList // used while drawing
}

func (e *Editor) with(v fields.Voice) *editor { return &editor{Editor: *e, Voice: v} }

// choiceList has the options of a choice, once for all items of a list.
type choiceList struct {
	ID      string
	Options []fields.Option
	Other   string // label of the option to type another name
}

// player draws a sheet for play: its tracks can be marked, and its values link to moves with them.
type player struct {
	tracks *Editor // nil if the reader may mark none
	voice  fields.Voice
	uses   Uses
}

// Field implements widget.Player.
func (p player) Field(path string) (widget.Field, bool) {
	if p.tracks == nil {
		return widget.Field{}, false
	}
	return p.tracks.with(p.voice).Field(path)
}

// Use implements widget.Player.
func (p player) Use(place string) string { return p.uses.At(place) }

// Field implements widget.Editor.
func (e *editor) Field(path string) (widget.Field, bool) {
	id := "v-" + e.ID + "-" + strings.ReplaceAll(path, ".", "-")
	if path == AtName {
		return widget.Field{
			ID: id, Path: path, Kind: widget.Text, Label: e.Voice.Say("web.sheet.name"),
			Value: e.Name, Shown: e.Name, Max: form.MaxText, Required: true,
		}, true
	}
	f, ok := e.Form.Field(strings.ReplaceAll(path, "."+newItem+".", ".0."))
	if !ok {
		return widget.Field{}, false
	}
	value := e.Values.Get(path)
	shown := widget.Field{
		ID: id, Path: path, Label: e.label(path, f), Value: value, Shown: value, Min: f.Min, Max: f.Max,
		Among: e.Among(path), Required: f.Required,
	}
	switch f.Kind {
	case form.KindInt:
		shown.Kind = widget.Number
	case form.KindText:
		shown.Kind = widget.Text
		if f.Dice {
			shown.Value = e.Voice.Speaker.Notation(value)
			shown.Shown = shown.Value
		}
	case form.KindProse:
		shown.Kind = widget.Prose
	case form.KindBool:
		shown.Kind = widget.Check
	case form.KindChoice, form.KindTrait:
		if f.Options == nil {
			shown.Kind = widget.Text
			break
		}
		shown.Kind, shown.Shown, shown.Choices = widget.Choice, e.chosen(f, value), e.list(path, f)
	default:
		return widget.Field{}, false
	}
	return shown, true
}

// newItem in a path means a new item of a list, as in request.Put.
const newItem = "+"

// missing returns the values that a sheet doesn't draw while they're empty: texts, and a new item
// of each list whose items need only a name. A text of a group is called by the group's name.
func (e *editor) missing() []widget.Field {
	var all []widget.Field
	for _, f := range e.Form.Fields {
		path, text := f.Name, f
		if i := slices.IndexFunc(f.Fields, isText); f.Kind == form.KindGroup && i >= 0 {
			path, text = path+"."+f.Fields[i].Name, f.Fields[i]
		}
		switch {
		case f.Kind == form.KindList:
			part, ok := fields.Naming(f)
			if !ok {
				continue
			}
			path += "." + newItem + "." + part
		case !isText(text) || e.Values.Get(path) != "":
			continue
		}
		if shown, ok := e.Field(path); ok {
			shown.ID = strings.ReplaceAll(shown.ID, newItem, "new")
			shown.Label = e.Voice.Field(f.Name)
			all = append(all, shown)
		}
	}
	return all
}

// isText reports whether a field is a text.
func isText(f form.Field) bool { return f.Kind == form.KindText || f.Kind == form.KindProse }

// label returns the label of a value; in a list it includes the item's name.
func (e *editor) label(path string, f form.Field) string {
	label := e.Voice.Field(f.Name)
	parts := strings.Split(path, ".")
	for i := len(parts) - 2; i > 0; i-- {
		if _, err := strconv.Atoi(parts[i]); err != nil {
			continue
		}
		if list, ok := e.Form.Field(strings.Join(parts[:i], ".")); ok {
			for _, part := range list.Fields {
				at := strings.Join(parts[:i+1], ".") + "." + part.Name
				name := e.Values.Get(at)
				// an id such as blood.minor.1, which isn't readable
				id := strings.Contains(name, ".") && !strings.Contains(name, " ")
				if at != path && name != "" && !id && (part.Kind == form.KindTrait || part.Kind == form.KindText) {
					return e.chosen(part, name) + ": " + label
				}
			}
		}
		break
	}
	return label
}

// chosen returns the label of an option.
func (e *editor) chosen(f form.Field, value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return e.Voice.Option(f, o)
		}
	}
	return value
}

// list returns the id of a choice's options, and notes that they must be drawn.
func (e *editor) list(path string, f form.Field) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	})
	id := "choices-" + e.ID + "-" + strings.Join(parts, "-")
	if !slices.ContainsFunc(e.lists, func(l choiceList) bool { return l.ID == id }) {
		list := choiceList{ID: id}
		for _, o := range f.Options {
			list.Options = append(list.Options, fields.Option{Option: o, Label: e.Voice.Option(f, o)})
		}
		if f.Kind == form.KindTrait && f.Open {
			list.Other = e.Voice.Say("web.form.another")
		}
		e.lists = append(e.lists, list)
	}
	return id
}
