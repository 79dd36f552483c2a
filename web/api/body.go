package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"norn/form"
)

// parts are the members of a body that something else reads: a move's arguments, a sheet, an answer. They are kept as
// they came.
type parts map[string]json.RawMessage

// read takes a body apart: the named parts are kept as they came, every other member must be a field of the form. A part
// that is null is as good as missing. The error is form.Problems; then nothing was read.
func read[T any](data []byte, f *form.Form, names ...string) (T, parts, error) {
	var v T
	rest, kept, problems := split(data, names)
	if err := f.Decode(rest, &v); err != nil {
		for _, p := range err.(form.Problems) {
			if p.Code == form.Unknown {
				p.Allowed = append(slices.Clone(p.Allowed), names...)
			}
			problems = append(problems, p)
		}
	}
	if len(problems) > 0 {
		var none T
		return none, nil, problems
	}
	return v, kept, nil
}

// split parts an object's members into the named ones and an object of all others. What is no JSON object comes back
// whole: the form says what is wrong with it.
func split(data []byte, names []string) (rest []byte, kept parts, problems form.Problems) {
	if !utf8.Valid(data) || !json.Valid(data) || bytes.TrimLeft(data, " \t\r\n")[0] != '{' {
		return data, nil, nil
	}
	kept = make(parts, len(names))
	var seen []string
	rest = append(make([]byte, 0, len(data)+2), '{')
	for m := range form.Members(data) {
		at := slices.IndexFunc(names, func(name string) bool { return name == string(m.Name) })
		if at < 0 {
			if len(rest) > 1 {
				rest = append(rest, ',')
			}
			rest = append(append(append(rest, m.Quoted...), ':'), m.Value...)
			continue
		}
		name := names[at]
		if slices.Contains(seen, name) {
			problems = append(problems, form.Problem{Path: name, Code: form.Duplicate, Given: name})
		} else {
			seen = append(seen, name)
		}
		if !bytes.Equal(m.Value, []byte("null")) {
			kept[name] = m.Value
		}
	}
	return append(rest, '}'), kept, problems
}

// has tells whether a body that is known to be an object gives a member another value than null.
func has(data []byte, name string) bool {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return false
	}
	value, given := members[name]
	return given && !bytes.Equal(value, []byte("null"))
}

// flag reads a part that is true or false; a missing one is false. A form can't hold it, for its name has a capital.
func (p parts) flag(name string) (bool, error) {
	switch string(p[name]) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, form.Problems{{Path: name, Code: form.Type, Given: "…", Allowed: []string{string(form.KindBool)}}}
}

// object is a part that may be left out; then it's an empty object.
func (p parts) object(name string) json.RawMessage {
	if value, given := p[name]; given {
		return value
	}
	return json.RawMessage("{}")
}

// need is a part that must be given.
func (p parts) need(name string) (json.RawMessage, error) {
	if value, given := p[name]; given {
		return value, nil
	}
	return nil, form.Problems{{Path: name, Code: form.Missing}}
}

// texts is a part that holds texts; a missing one holds none.
func (p parts) texts(name string) (texts []string, err error) {
	if value, given := p[name]; given && json.Unmarshal(value, &texts) != nil {
		return nil, form.Problems{{Path: name, Code: form.Type, Given: "…", Allowed: []string{string(form.KindList)}}}
	}
	return texts, nil
}

// answers is a part that holds answers by their questions' ids; a missing one holds none.
func (p parts) answers(name string) (map[string]json.RawMessage, error) {
	var answers map[string]json.RawMessage
	if value, given := p[name]; given && json.Unmarshal(value, &answers) != nil {
		return nil, form.Problems{{Path: name, Code: form.Type, Given: "…", Allowed: []string{string(form.KindGroup)}}}
	}
	return answers, nil
}
