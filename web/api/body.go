package api

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/odds"
)

// formBody is what is sent to an operation: a form, and parts that something else reads.
type formBody struct {
	name  string // of its schema
	form  *form.Form
	parts members  // their schemas
	names []string // of the parts
	needs []string // parts that must be given
	ways  []any    // in which parts and fields fit together
}

// newBody makes a body of a form and of parts, of which some must be given. Its schema has a name.
func newBody(name string, f *form.Form, parts members, needs ...string) formBody {
	return formBody{name: name, form: f, parts: parts, names: slices.Sorted(maps.Keys(parts)), needs: needs}
}

// body is one whose form reads a T.
type body[T any] struct{ formBody }

// bodyOf is a body that is a T, and parts besides, of which some must be given. Its schema has a name.
func bodyOf[T any](name string, parts members, needs ...string) body[T] {
	return body[T]{newBody(name, form.Of[T](), parts, needs...)}
}

// keyed is a body that holds nothing but a key.
type keyed struct {
	Key string `json:"key" form:"text"`
}

var keyBody = bodyOf[keyed]("KeyOnly", nil)

// among is the body whose parts and fields fit together in one of these ways.
func (b body[T]) among(ways []any) body[T] {
	b.ways = ways
	return b
}

// operation is one with this body, whose schema is published.
func (b formBody) operation(api huma.API, method, path, id string, d doc) huma.Operation {
	d.body = b.name
	api.OpenAPI().Components.Schemas.Map()[b.name] = &huma.Schema{Extensions: b.schema()}
	return operation(method, path, id, d)
}

func (b formBody) schema() members {
	object := schema(b.form)
	maps.Copy(object["properties"].(members), b.parts)
	if len(b.needs) > 0 {
		known, _ := object["required"].([]string)
		object["required"] = append(slices.Clone(known), b.needs...)
	}
	if len(b.ways) > 0 {
		object["anyOf"] = b.ways
	}
	return object
}

// read takes a body apart. The error is form.Problems; then nothing was read.
func (b body[T]) read(data []byte) (v T, kept parts, err error) {
	kept, err = b.readInto(data, &v)
	return v, kept, err
}

// readInto takes a body apart: parts are kept as they came, every other member must be a field of
// the form. The error is form.Problems; then nothing was read.
func (b formBody) readInto(data []byte, v any) (kept parts, err error) {
	rest, kept, problems := split(data, b.names)
	if err := b.form.Decode(rest, v); err != nil {
		for _, p := range err.(form.Problems) {
			if p.Code == form.Unknown {
				p.Allowed = append(slices.Clone(p.Allowed), b.names...)
			}
			problems = append(problems, p)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	for _, name := range b.needs {
		if _, given := kept[name]; !given {
			return kept, form.Problems{{Path: name, Code: form.Missing}}
		}
	}
	return kept, nil
}

// longBody is how many bytes of a body are read without asking for a place.
const longBody = 16 << 10

// read takes the body of a request apart, a long one in one of the places of its address, so that many at once take no
// more than a core. The error is form.Problems, or a *limit.Error where no place gets free in time.
func read[T any](ctx context.Context, s *server, b body[T]) (v T, kept parts, err error) {
	c := callOf(ctx)
	if len(c.body) > longBody {
		leave, err := s.Gate.Read(ctx, odds.Asker(c.from))
		if err != nil {
			return v, nil, tooMany(err)
		}
		defer leave()
	}
	return b.read(c.body)
}

// parts are the members of a body that something else reads: a move's arguments, a sheet, an answer. They are kept as
// they came; one that is null is as good as missing.
type parts map[string]json.RawMessage

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

// answers is a part that holds answers by their questions' ids; a missing one holds none.
func (p parts) answers(name string) (map[string]json.RawMessage, error) {
	var answers map[string]json.RawMessage
	if value, given := p[name]; given && json.Unmarshal(value, &answers) != nil {
		return nil, form.Problems{{Path: name, Code: form.Type, Given: "…", Allowed: []string{string(form.KindGroup)}}}
	}
	return answers, nil
}
