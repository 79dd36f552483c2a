package act

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// newItem stands in a path for the number of an item that isn't there yet.
const newItem = "+"

// patchOf is the JSON merge patch that sets the value, made against the sheet as
// it is now: a list is replaced whole, so it's taken from there.
func patchOf(p request.Put, f *form.Form, sheet any) (json.RawMessage, error) {
	field, ok := f.Field(strings.ReplaceAll(p.Path, "."+newItem+".", ".0."))
	if !ok {
		return nil, form.Problems{{Path: p.Path, Code: form.Unknown}}
	}
	whole := f.Fill(sheet)
	if p.Among != "" && view.Among(f.Fields, whole, p.Path) != p.Among {
		return nil, &game.Refusal{Word: "table.refusal.meanwhile"}
	}
	top, _, _ := view.Step(p.Path)
	changed, ok := withValueAt(whole[top], strings.TrimPrefix(strings.TrimPrefix(p.Path, top), "."),
		parseText(field, p.Text))
	if !ok {
		return nil, form.Problems{{Path: p.Path, Code: form.Unknown}}
	}
	return json.Marshal(map[string]any{top: changed})
}

// parseText is a text as JSON has the field; what is no such value is left as it is,
// for the form to say so.
func parseText(f form.Field, text string) any {
	switch f.Kind {
	case form.KindInt:
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
			return n
		}
	case form.KindBool:
		return text != "" && text != "off"
	case form.KindTrait:
		if text == string(form.Yes) || text == "" {
			return text != ""
		}
	}
	return f.NormalizeText(text)
}

// withValueAt returns a value in which what stands at a path is another.
func withValueAt(value any, path string, by any) (any, bool) {
	if path == "" {
		return by, true
	}
	name, rest, _ := view.Step(path)
	switch value := value.(type) {
	case map[string]any:
		inner, ok := value[name]
		if !ok {
			return nil, false
		}
		value[name], ok = withValueAt(inner, rest, by)
		return value, ok
	case []map[string]any:
		if name == newItem && rest != "" && !strings.Contains(rest, ".") {
			return append(value, map[string]any{rest: by}), true
		}
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 || n >= len(value) || rest == "" {
			return nil, false
		}
		item, ok := withValueAt(value[n], rest, by)
		if ok {
			value[n] = item.(map[string]any)
		}
		return value, ok
	}
	return nil, false
}

// edit is one value of a sheet before and after a change, for people to read.
// Of a list that has grown or shrunk it names an item that came or went.
type edit struct {
	Path string `json:"path"`
	Item string `json:"item,omitempty"` // the name of the list's item in which it stands
	Was  any    `json:"was,omitempty"`  // number, text or truth
	Is   any    `json:"is,omitempty"`
	List string `json:"list,omitempty"` // "added" or "dropped": Item did
}

// SheetDifferences words what the seat sees to have changed on a sheet from one time to another.
func SheetDifferences(e visibility.Eye, c *state.Character, before, after any) []string {
	kind, ok := e.Table.Game.Kind(c.Kind)
	if !ok {
		return nil
	}
	var locked []string
	if !e.Viewer.IsGM() {
		locked = visibility.RedactedMembers(visibility.RedactedMembers(nil, before, e.VisibleSheet(c.ID, before)),
			after, e.VisibleSheet(c.ID, after))
	}
	var texts []string
	all := fieldEdits(nil, kind.Form.Fields, "", "", kind.Form.Fill(before), kind.Form.Fill(after))
	// that says nothing
	all = slices.DeleteFunc(all, func(each edit) bool { return each.List != "" && each.Item == "" })
	for _, each := range editsShown(e, kind.Form, all, locked) {
		texts = append(texts, each.Text)
	}
	return texts
}

// maxEdits is how many values of one change are told one by one.
const maxEdits = 12

// editsOf are the values in which two sheets differ, none if they are too many.
func editsOf(f *form.Form, before, after any) []edit {
	all := fieldEdits(nil, f.Fields, "", "", f.Fill(before), f.Fill(after))
	if len(all) > maxEdits {
		return nil
	}
	return all
}

func fieldEdits(all []edit, fields []form.Field, prefix, item string, was, is map[string]any) []edit {
	for _, f := range fields {
		path := prefix + f.Name
		before, after := was[f.Name], is[f.Name]
		if reflect.DeepEqual(before, after) {
			continue
		}
		switch f.Kind {
		case form.KindGroup:
			inner, _ := before.(map[string]any)
			now, _ := after.(map[string]any)
			all = fieldEdits(all, f.Fields, path+".", item, inner, now)
		case form.KindList:
			items, _ := before.([]map[string]any)
			now, _ := after.([]map[string]any)
			all = listEdits(all, f, path, items, now)
		case form.KindProse, form.KindRefs, form.KindFaces:
			all = append(all, edit{Path: path, Item: item})
		default:
			all = append(all, edit{Path: path, Item: item, Was: shorten(before), Is: shorten(after)})
		}
	}
	return all
}

// listEdits are the edits of a list: of items that stay, what changed in them;
// else who came and who went.
func listEdits(all []edit, f form.Field, path string, was, is []map[string]any) []edit {
	if len(was) == len(is) {
		for i := range is {
			all = fieldEdits(all, f.Fields, path+"."+strconv.Itoa(i)+".", itemLabel(f, was[i]), was[i], is[i])
		}
		return all
	}
	without := func(these, those []map[string]any) []map[string]any {
		left := slices.Clone(those)
		return slices.DeleteFunc(slices.Clone(these), func(item map[string]any) bool {
			i := slices.IndexFunc(left, func(other map[string]any) bool { return reflect.DeepEqual(item, other) })
			if i >= 0 {
				left = slices.Delete(left, i, i+1)
			}
			return i >= 0
		})
	}
	for _, item := range without(was, is) {
		all = append(all, edit{Path: path, Item: itemLabel(f, item), List: "dropped"})
	}
	for _, item := range without(is, was) {
		all = append(all, edit{Path: path, Item: itemLabel(f, item), List: "added"})
	}
	return all
}

// itemLabel is what an item of a list is called: its first text or trait that says
// something.
func itemLabel(list form.Field, item map[string]any) string {
	for _, f := range list.Fields {
		switch f.Kind {
		case form.KindText, form.KindProse, form.KindTrait:
			if name := fmt.Sprint(item[f.Name]); name != "" && name != string(form.Yes) {
				return refusal.Brief(name)
			}
		}
	}
	return ""
}

// shorten is a value as the journal keeps it beside the sheet.
func shorten(value any) any {
	switch value := value.(type) {
	case string:
		return refusal.Brief(value)
	case form.Trait:
		return refusal.Brief(string(value))
	}
	return value
}

// editShown is an edit as a line shows it, and gives as data.
type editShown struct {
	Path  string `json:"path"`
	Field string `json:"field"` // in words: "Stress: Blood"
	Was   string `json:"was"`
	Is    string `json:"is"`
	Text  string `json:"text"` // all of it: "Stress: Blood 3 → 5"
}

// editsShown are the edits that the seat may see, worded.
func editsShown(e visibility.Eye, f *form.Form, all []edit, locked []string) []editShown {
	var shown []editShown
	for _, each := range all {
		if top, _, _ := view.Step(each.Path); slices.Contains(locked, top) {
			continue
		}
		if field, ok := f.Field(each.Path); ok { // else these rules don't know it any more
			shown = append(shown, showEdit(e, f, field, each))
		}
	}
	return shown
}

func showEdit(e visibility.Eye, f *form.Form, field form.Field, each edit) editShown {
	shown := editShown{Path: each.Path, Field: fieldName(e, f, each)}
	word, words := "edit", view.Data{"Field": shown.Field}
	switch {
	case each.List != "":
		word, words["Item"] = "edit-"+each.List, itemName(e, f, each)
	case field.Kind == form.KindBool:
		word = "edit-off"
		if each.Is == true {
			word = "edit-on"
		}
	case each.Was == nil && each.Is == nil:
		word = "edit-text"
	default:
		if field.Kind != form.KindInt {
			word = "edit-words"
		}
		shown.Was, shown.Is = valueName(e, field, each.Was), valueName(e, field, each.Is)
		words["Was"], words["Is"] = shown.Was, shown.Is
	}
	shown.Text = e.Voice.Tell("table.event."+word, words)
	return shown
}

// oneLine is edits in one line; what several in a row belong to is said once.
func oneLine(edits []editShown) string {
	texts := make([]string, len(edits))
	before := ""
	for i, each := range edits {
		group := each.Field[:strings.LastIndex(each.Field, fieldStep)+1]
		texts[i] = each.Text
		if group != "" && group == before {
			texts[i] = strings.TrimPrefix(each.Text, group+fieldStep[1:])
		}
		before = group
	}
	return strings.Join(texts, "; ")
}

// fieldStep stands between the steps to a value.
const fieldStep = ": "

// fieldName names a value by the last two steps to it: "Stress: Blood",
// "Sneak: Value"; an item's name by its list.
func fieldName(e visibility.Eye, f *form.Form, each edit) string {
	var names []string
	named := each.Was != nil && each.Was == any(each.Item)
	listed := false
	path := ""
	for name, rest, more := view.Step(each.Path); name != ""; name, rest, more = view.Step(rest) {
		if _, err := strconv.Atoi(name); err == nil && len(names) > 0 {
			path += "." + name
			listed = true
			if item := itemName(e, f, each); item != "" && !named {
				names[len(names)-1] = item
			}
		} else {
			path = strings.TrimPrefix(path+"."+name, ".")
			names = append(names, e.Labels("field", []string{name})[0])
		}
		if !more {
			break
		}
	}
	if named && listed {
		names = names[:max(1, len(names)-1)]
	}
	return strings.Join(names[max(0, len(names)-2):], fieldStep)
}

// itemName names the item of a list in which an edit stands. A trait that the game has a word for
// is worded, and so is an item of its stock, such as of fallouts, by GAME.fallout.ID.name.
func itemName(e visibility.Eye, f *form.Form, each edit) string {
	list := each.Path
	if each.List == "" {
		at := strings.LastIndexByte(list, '.')
		if list = list[:max(at, 0)]; strings.LastIndexByte(list, '.') >= 0 {
			list = list[:strings.LastIndexByte(list, '.')]
		}
	}
	if field, ok := f.Field(list); ok {
		for _, part := range field.Fields {
			if id := e.Table.Game.Word(part.Set, each.Item); part.Kind == form.KindTrait && e.Voice.Has(id) {
				return e.Voice.Say(id)
			}
			if id := e.Table.Game.Word(strings.TrimSuffix(field.Name, "s"), each.Item) +
				".name"; part.Kind == form.KindText && e.Voice.Has(id) {
				return e.Voice.Say(id)
			}
		}
	}
	return each.Item
}

// valueName words a value of a field.
func valueName(e visibility.Eye, f form.Field, value any) string {
	switch value := value.(type) {
	case float64:
		return e.Voice.Number(int(value))
	case int:
		return e.Voice.Number(value)
	case string:
		switch {
		case f.Kind == form.KindRef && value != "":
			return e.Name(value)
		case f.Kind == form.KindChoice || f.Kind == form.KindTrait && value != "":
			set := value
			if set == "" {
				set = "none"
			}
			if id := e.Table.Game.Word(f.Set, set); e.Voice.Has(id) {
				return e.Voice.Say(id)
			}
		}
		if value != "" {
			return value
		}
	}
	return "—"
}
