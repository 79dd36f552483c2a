package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table"
	"norn/table/act"
)

// parameterDocs describes the parameters in the addresses of acts.
var parameterDocs = map[string]string{
	"id": "the table's id", "sid": "the seat's id", "cid": "the character's id", "mid": "the move's id",
	"clock": "the clock's id", "scene": "the prepared scene's id", "list": "the list's id",
	"hash": "SHA-256 of the picture, 64 hexadecimal digits",
}

// registerActs registers an operation for each act.
func registerActs(s *server, api huma.API) {
	for _, d := range act.All {
		s.registerAct(api, d)
	}
}

func (s *server) registerAct(api huma.API, d *act.Definition) {
	sent := s.bodyOfAct(d)
	path := "/api/v1/tables/{id}" + d.Path
	described := doc{
		summary: d.Summary, text: d.Text, tag: d.Tag, status: d.Status, tool: d.Tool,
		example: s.exampleOf(d), file: d.File,
	}
	var op huma.Operation
	if d.Body == "" {
		op = operation(d.Method, path, d.Name, described)
	} else {
		op = sent.operation(api, d.Method, path, d.Name, described)
	}
	addresses := parametersOf(path)
	for _, name := range addresses {
		longest := 200
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: name, In: "path", Required: true, Description: parameterDocs[name],
			Schema: &huma.Schema{Type: huma.TypeString, MaxLength: &longest, Description: parameterDocs[name]},
		})
	}
	status := strconv.Itoa(max(d.Status, http.StatusOK))
	op.Responses[status] = &huma.Response{
		Description: http.StatusText(max(d.Status, http.StatusOK)),
		Content: map[string]*huma.MediaType{
			"application/json": {Schema: api.OpenAPI().Components.Schemas.Schema(d.Answer, true, d.Name+"Response")},
		},
	}
	huma.Register(api, op, seated(s, func(ctx context.Context, seat *table.Seat, _ *struct{}) (*answer[any], error) {
		in, c := d.New(), callOf(ctx)
		if d.Body != "" {
			err := s.readInTurn(ctx, func(data []byte) error { return readAct(d, sent, in, data) })
			if err != nil {
				return nil, err
			}
		}
		for _, name := range addresses {
			in.Address(name, c.named[name])
		}
		done, err := table.DoAny(ctx, seat, d, in)
		return answered(done, absent(err, d.Missing, addresses[len(addresses)-1]))
	}))
}

// readAct reads the body of an act.
func readAct(d *act.Definition, sent formBody, in act.Input, data []byte) error {
	kept, err := sent.readInto(data, in)
	if err != nil {
		return err
	}
	for name, part := range d.Parts {
		value, given := kept[name]
		if !given {
			value = part.Unsent
		}
		if value == nil {
			continue
		}
		if err := in.Part(name, value); err != nil {
			return err
		}
	}
	for m := range form.Members(data) {
		if string(m.Value) != "null" {
			in.Given(string(m.Name))
		}
	}
	return nil
}

// bodyOfAct returns the body of an act, with the schemas of the offered games.
func (s *server) bodyOfAct(d *act.Definition) formBody {
	parts := members{}
	var needs []string
	for _, name := range slices.Sorted(maps.Keys(d.Parts)) {
		parts[name] = d.Parts[name].Schema
		if d.Parts[name].Required {
			needs = append(needs, name)
		}
	}
	b := newBody(d.Body, d.Form, parts, needs...)
	switch d.PerGame {
	case "sheet":
		b.ways = s.schemas.sheets
	case "settings":
		b.ways = s.schemas.settings
	}
	return b
}

// exampleOf returns the example of an act's body. A sheet's is of an existing kind.
func (s *server) exampleOf(d *act.Definition) any {
	if d.PerGame != "sheet" {
		return d.Example
	}
	example := maps.Clone(d.Example)
	example["kind"] = s.Games.Games()[0].Kinds[0].ID
	return example
}

// parametersOf returns the names of the parameters in an address.
func parametersOf(path string) (names []string) {
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}
