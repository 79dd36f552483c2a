package html

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/internal/widget"
	"norn/web/fields"
)

// AtName is the path with which a character's name is changed like a value of its sheet.
const AtName = Own + "name"

// sheetDrawing draws a sheet once. It gives the game's template the controls of the values that the
// reader may change, the addresses of moves with them, and the lists that have more.
type sheetDrawing struct {
	Sheet
	page    Page
	choices []choiceList    // of its controls, noted while it's drawn
	left    []widget.Source // lists from which no part that was drawn takes
}

// choiceList has the options of a choice, once for all items of a list.
type choiceList struct {
	ID      string
	Options []fields.Option
	Other   string // label of the option to type another name
}

// Use implements widget.Player.
func (d *sheetDrawing) Use(place string) string {
	if !slices.ContainsFunc(d.Uses, func(f form.Field) bool { return f.Takes(place, d.Values.Values) }) {
		return ""
	}
	at := d.page.To(Selection{Character: d.ID, Actor: d.ID}.Query())
	return at + "&" + AtUse + "=" + url.QueryEscape(place) + "#composer"
}

// Take implements widget.Shelf.
func (d *sheetDrawing) Take(list string) (taken []widget.Source) {
	d.left = slices.DeleteFunc(d.left, func(one widget.Source) bool {
		if one.List == list {
			taken = append(taken, one)
		}
		return one.List == list
	})
	return taken
}

// Field implements widget.Editor; false if the reader may change nothing.
func (d *sheetDrawing) Field(path string) (widget.Field, bool) {
	if d.Values == nil {
		return widget.Field{}, false
	}
	id := "v-" + d.ID + "-" + strings.ReplaceAll(path, ".", "-")
	if path == AtName {
		return widget.Field{
			ID: id, Path: path, Kind: widget.Text, Label: d.page.Voice.Say("web.sheet.name"),
			Value: d.Name, Shown: d.Name, Max: form.MaxText, Required: true,
		}, true
	}
	f, ok := d.Values.Form.Field(strings.ReplaceAll(path, "."+newItem+".", ".0."))
	if !ok {
		return widget.Field{}, false
	}
	value := d.Values.Values.Get(path)
	shown := widget.Field{
		ID: id, Path: path, Label: d.label(path, f), Value: value, Shown: value, Min: f.Min, Max: f.Max,
		Among: d.Values.Among(path), Required: f.Required,
	}
	shown.Kind = controls[f.Kind]
	switch {
	case shown.Kind == widget.Choice && f.Options == nil:
		shown.Kind = widget.Text
	case shown.Kind == widget.Choice:
		shown.Shown, shown.Choices = d.chosen(f, value), d.list(path, f)
	case f.Dice:
		shown.Value = d.page.Voice.Speaker.Notation(value)
		shown.Shown = shown.Value
	}
	return shown, shown.Kind != ""
}

// controls are the controls with which a sheet's values are changed; other kinds have none.
var controls = map[form.Kind]widget.Control{
	form.KindInt: widget.Number, form.KindText: widget.Text, form.KindProse: widget.Prose, form.KindBool: widget.Check,
	form.KindChoice: widget.Choice, form.KindTrait: widget.Choice,
}

// newItem in a path means a new item of a list, as in request.Put.
const newItem = "+"

// missing returns the values that a sheet doesn't draw while they're empty: texts, and a new item
// of each list whose items need only a name. A text of a group is called by the group's name.
func (d *sheetDrawing) missing() []widget.Field {
	var all []widget.Field
	for _, f := range d.Values.Form.Fields {
		path, text := f.Name, f
		i := slices.IndexFunc(f.Fields, func(part form.Field) bool { return part.Kind.IsText() })
		if f.Kind == form.KindGroup && i >= 0 {
			path, text = path+"."+f.Fields[i].Name, f.Fields[i]
		}
		switch {
		case f.Kind == form.KindList:
			part, ok := fields.Naming(f)
			if !ok {
				continue
			}
			path += "." + newItem + "." + part
		case !text.Kind.IsText() || d.Values.Values.Get(path) != "":
			continue
		}
		if shown, ok := d.Field(path); ok {
			shown.ID = strings.ReplaceAll(shown.ID, newItem, "new")
			shown.Label = d.page.Voice.Field(f.Name)
			all = append(all, shown)
		}
	}
	return all
}

// label returns the label of a value; in a list it includes the item's name.
func (d *sheetDrawing) label(path string, f form.Field) string {
	label := d.page.Voice.Field(f.Name)
	parts := strings.Split(path, ".")
	for i := len(parts) - 2; i > 0; i-- {
		if _, err := strconv.Atoi(parts[i]); err != nil {
			continue
		}
		if list, ok := d.Values.Form.Field(strings.Join(parts[:i], ".")); ok {
			for _, part := range list.Fields {
				at := strings.Join(parts[:i+1], ".") + "." + part.Name
				name := d.Values.Values.Get(at)
				// an id such as blood.minor.1, which isn't readable
				id := strings.Contains(name, ".") && !strings.Contains(name, " ")
				if at != path && name != "" && !id && (part.Kind == form.KindTrait || part.Kind == form.KindText) {
					return d.chosen(part, name) + ": " + label
				}
			}
		}
		break
	}
	return label
}

// chosen returns the label of an option.
func (d *sheetDrawing) chosen(f form.Field, value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return d.page.Voice.Option(f, o)
		}
	}
	return value
}

// list returns the id of a choice's options, and notes that they must be drawn.
func (d *sheetDrawing) list(path string, f form.Field) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	})
	id := "choices-" + d.ID + "-" + strings.Join(parts, "-")
	if !slices.ContainsFunc(d.choices, func(l choiceList) bool { return l.ID == id }) {
		list := choiceList{ID: id}
		for _, o := range f.Options {
			list.Options = append(list.Options, fields.Option{Option: o, Label: d.page.Voice.Option(f, o)})
		}
		if f.Kind == form.KindTrait && f.Open {
			list.Other = d.page.Voice.Say("web.form.another")
		}
		d.choices = append(d.choices, list)
	}
	return id
}
