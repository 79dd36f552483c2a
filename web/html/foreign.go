package html

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"norn/table/view"
	"norn/web/fields"
)

// HeroLook is the page on which a hero from another program is looked at before it's taken.
type HeroLook struct {
	FromFile
	Read   view.HeroRead
	Wrong  string // error in the name, "" for none
	Fields fields.Form
	Notes  []string
	Open   bool // the fields are shown at once
}

// HeroLookOf returns the page of a hero that was read, with what was chosen next to its file. Its form
// has the fields that the file fills in.
func HeroLookOf(p Page, read view.HeroRead, from FromFile) HeroLook {
	h := HeroLook{FromFile: from, Read: read, Open: len(read.Ask) > 0}
	h.Name, h.Key = read.File.Name, cmp.Or(h.Key, NewKey())
	kept, _ := json.Marshal(read)
	h.Kept = string(kept)
	kind, ok := p.Voice.Game.Kind(read.File.Kind)
	if !ok {
		return h
	}
	sheet, err := kind.Decode(read.File.Sheet)
	if err != nil {
		return h
	}
	var given map[string]json.RawMessage
	_ = json.Unmarshal(read.File.Sheet, &given) // it was decoded
	names := slices.Collect(maps.Keys(given))
	for _, asked := range p.Voice.Game.AskedOf(kind) {
		if h.Master || !slices.Contains(kind.Reserved, asked.Field) {
			names = append(names, asked.Field)
		}
	}
	names = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(names))), func(name string) bool {
		_, known := kind.Form.Field(name)
		return !known
	})
	f := kind.Form.Only(names...).From(kind.Blank)
	h.Fields = fields.Form{Form: f, ID: "look", Values: f.Inputs(sheet)}
	return h
}
