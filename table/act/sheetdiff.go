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

// newItem in a path means a new item of a list.
const newItem = "+"

// patchOf returns the JSON merge patch that sets one value. A patch replaces whole lists, so it
// starts from the current one.
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
		field.ParseText(p.Text))
	if !ok {
		return nil, form.Problems{{Path: p.Path, Code: form.Unknown}}
	}
	return json.Marshal(map[string]any{top: changed})
}

// withValueAt returns a copy of value with another value at a path.
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

// edit is one value of a sheet before and after a change, for people to read. For a list that has
// grown or shrunk it names one item that was added or removed.
type edit struct {
	Path string `json:"path"`
	Item string `json:"item,omitempty"` // the name of the list item that the value belongs to
	Was  any    `json:"was,omitempty"`  // number, text or bool
	Is   any    `json:"is,omitempty"`
	List string `json:"list,omitempty"` // "added" or "dropped", if Item was
}

// SheetDifferences describes the differences of two sheets that the seat sees.
func SheetDifferences(e *visibility.Eye, c *state.Character, before, after any) []string {
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
	// an item without a name
	all = slices.DeleteFunc(all, func(each edit) bool { return each.List != "" && each.Item == "" })
	for _, each := range editsShown(e, kind.Form, all, locked) {
		texts = append(texts, each.Text)
	}
	return texts
}

// maxEdits limits the values that one change lists.
const maxEdits = 12

// editsOf returns the values in which two sheets differ, none if there are too many.
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
		switch now := after.(type) {
		case map[string]any:
			inner, _ := before.(map[string]any)
			all = fieldEdits(all, f.Fields, path+".", item, inner, now)
		case []map[string]any:
			items, _ := before.([]map[string]any)
			all = listEdits(all, f, path, items, now)
		default:
			each := edit{Path: path, Item: item}
			if f.Kind != form.KindProse && !f.Kind.HasItems() {
				each.Was, each.Is = shorten(before), shorten(after)
			}
			all = append(all, each)
		}
	}
	return all
}

// listEdits appends the edits of a list: changes within its items, or if the length has changed the
// added and removed items.
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

// itemLabel returns the name of a list's item: its first text or trait that isn't empty.
func itemLabel(list form.Field, item map[string]any) string {
	for _, f := range list.Fields {
		name := fmt.Sprint(item[f.Name])
		if (f.Kind.IsText() || f.Kind == form.KindTrait) && name != "" && name != string(form.Yes) {
			return refusal.Brief(name)
		}
	}
	return ""
}

// shorten returns a value as an edit stores it.
func shorten(value any) any {
	switch value := value.(type) {
	case string:
		return refusal.Brief(value)
	case form.Trait:
		return refusal.Brief(string(value))
	}
	return value
}

// editShown is an edit as a line shows it, and as JSON.
type editShown struct {
	Path  string `json:"path"`
	Field string `json:"field"` // in words: "Stress: Blood"
	Was   string `json:"was"`
	Is    string `json:"is"`
	Text  string `json:"text"` // the whole edit: "Stress: Blood 3 → 5"
}

// editsShown returns the edits that the seat may see, in words.
func editsShown(e *visibility.Eye, f *form.Form, all []edit, locked []string) []editShown {
	var shown []editShown
	for _, each := range all {
		if top, _, _ := view.Step(each.Path); slices.Contains(locked, top) {
			continue
		}
		if field, ok := f.Field(each.Path); ok { // the current rules may not have the field any more
			shown = append(shown, showEdit(e, f, field, each))
		}
	}
	return shown
}

func showEdit(e *visibility.Eye, f *form.Form, field form.Field, each edit) editShown {
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

// oneLine joins edits in one line. A group that several in a row share is named once.
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

// fieldStep separates the steps to a value.
const fieldStep = ": "

// fieldName names a value by the last two steps to it: "Stress: Blood", "Sneak: Value". A value
// that is an item's name is called by its list.
func fieldName(e *visibility.Eye, f *form.Form, each edit) string {
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

// itemName names the list item that an edit is in. A trait that has a word in the game is
// translated, and so is an item of its stock, such as a fallout, by GAME.fallout.ID.name.
func itemName(e *visibility.Eye, f *form.Form, each edit) string {
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

// valueName puts a value of a field into words.
func valueName(e *visibility.Eye, f form.Field, value any) string {
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
