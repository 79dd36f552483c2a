package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"norn/form"
)

// applyPatch returns the JSON of a value after a merge patch (RFC 7396). Members have the names of
// the form's fields. A patch of a locked member is an error.
func applyPatch(value any, patch []byte, fields []form.Field, locked []string) ([]byte, error) {
	if !utf8.Valid(patch) {
		return nil, form.Problems{{Code: form.UTF8}}
	}
	changes, err := parse(patch)
	if err != nil {
		at := int64(len(patch))
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = syntax.Offset
		}
		return nil, form.Problems{{Code: form.Syntax, Given: strconv.FormatInt(at, 10)}}
	}
	members, ok := changes.(map[string]any)
	if !ok {
		return nil, form.Problems{{Code: form.Type, Given: "…", Allowed: []string{string(form.KindGroup)}}}
	}
	for called, value := range members {
		if name := form.NameOf(fields, called); members[name] == nil {
			delete(members, called)
			members[name] = value
		}
	}
	for name := range members {
		if slices.Contains(locked, name) {
			return nil, &Refusal{Word: "table.refusal.locked", Data: map[string]any{"Field": name}}
		}
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	whole, err := parse(data)
	if err != nil {
		return nil, err
	}
	return json.Marshal(merge(whole, members))
}

// parse reads JSON and preserves the spelling of numbers.
func parse(data []byte) (any, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil { // a decoder would ignore anything after the first value
		return nil, err
	}
	var value any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return value, d.Decode(&value)
}

func merge(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, value := range changes {
		if value == nil {
			delete(object, name)
			continue
		}
		object[name] = merge(object[name], value)
	}
	return object
}
