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
)

// formBody is the body of an operation: a form, and parts that other code reads.
type formBody struct {
	name  string // of its schema
	form  *form.Form
	parts members  // their schemas
	names []string // of the parts
	needs []string // required parts
	ways  []any    // combinations of parts and fields
}

// newBody returns a body with a form and parts, of which needs are required. Its schema has the
// name.
func newBody(name string, f *form.Form, parts members, needs ...string) formBody {
	return formBody{name: name, form: f, parts: parts, names: slices.Sorted(maps.Keys(parts)), needs: needs}
}

// body is a body whose form reads a T.
type body[T any] struct{ formBody }

// bodyOf returns a body with the form of a T and parts, of which needs are required. Its schema has
// the name.
func bodyOf[T any](name string, parts members, needs ...string) body[T] {
	return body[T]{newBody(name, form.Of[T](), parts, needs...)}
}

// keyed is a body with just a key.
type keyed struct {
	Key string `json:"key" form:"text"`
}

var keyBody = bodyOf[keyed]("KeyOnly", nil)

// among returns the body limited to these combinations of parts and fields.
func (b body[T]) among(ways []any) body[T] {
	b.ways = ways
	return b
}

// operation returns an operation with this body, whose schema is published.
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

// read decodes a body. The error is form.Problems; then nothing was read.
func (b body[T]) read(data []byte) (v T, kept parts, err error) {
	kept, err = b.readInto(data, &v)
	return v, kept, err
}

// readInto decodes a body: it returns parts as they are, and every other member must be a field of
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

// longBody is the number of bytes up to which a body is read without a limit.
const longBody = 16 << 10

// readInTurn calls what decodes the body of a request. A long one needs one of its address's places
// meanwhile, so that many at once use at most one core. The error is that of do, or a
// *odds.CrowdedError if no place becomes free in time.
func (s *server) readInTurn(ctx context.Context, do func(body []byte) error) error {
	c := callOf(ctx)
	if len(c.body) > longBody {
		leave, err := s.Gate.Read(ctx, c.from)
		if err != nil {
			return err
		}
		defer leave()
	}
	return do(c.body)
}

// read decodes the body of a request. The error is form.Problems, or that of readInTurn.
func read[T any](ctx context.Context, s *server, b body[T]) (v T, kept parts, err error) {
	err = s.readInTurn(ctx, func(data []byte) error {
		v, kept, err = b.read(data)
		return err
	})
	return v, kept, err
}

// parts are members of a body that other code reads: a move's arguments, a sheet, an answer. They
// are unchanged; null counts as missing.
type parts map[string]json.RawMessage

// split separates the named members of an object from an object with the others. It returns
// anything but a JSON object as rest: the form reports the error.
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

// flag reads a bool part; a missing one is false. A form can't have it because its name has a
// capital.
func (p parts) flag(name string) (bool, error) {
	switch string(p[name]) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, form.Problems{{Path: name, Code: form.Type, Given: "…", Allowed: []string{string(form.KindBool)}}}
}

// object returns a part, or an empty object if it's missing.
func (p parts) object(name string) json.RawMessage {
	if value, given := p[name]; given {
		return value
	}
	return json.RawMessage("{}")
}

// answers reads a part with answers by question; a missing one has none.
func (p parts) answers(name string) (map[string]json.RawMessage, error) {
	var answers map[string]json.RawMessage
	if value, given := p[name]; given && json.Unmarshal(value, &answers) != nil {
		return nil, form.Problems{{Path: name, Code: form.Type, Given: "…", Allowed: []string{string(form.KindGroup)}}}
	}
	return answers, nil
}
