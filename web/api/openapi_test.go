package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"norn/games"
	"norn/web/api"
)

// contract is the OpenAPI document as a client reads it.
type contract struct {
	operations map[string]operation // by method and path
	paths      []string
	refs       []string
	names      map[string]bool // of the schemas
	schemas    map[string]func() (*jsonschema.Resolved, error)
}

type operation struct {
	ID      string `json:"operationId"`
	Summary string
	Body    *struct {
		Required bool
		Content  map[string]media
	} `json:"requestBody"`
	Responses map[string]struct {
		Description string
		Content     map[string]media
	}
	Parameters []struct {
		Name, In string
		Schema   map[string]any
	}
}

type media struct {
	Schema  json.RawMessage
	Example any
}

// published is read once, as a client reads it.
var published = sync.OnceValues(func() (*contract, error) {
	answer := httptest.NewRecorder()
	api.New(api.Config{Games: games.All(), Words: spoken()}).ServeHTTP(answer,
		httptest.NewRequest("GET", "/api/openapi.json", nil))
	var document struct {
		OpenAPI    string
		Paths      map[string]map[string]operation
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &document); err != nil {
		return nil, err
	}
	c := &contract{
		operations: map[string]operation{}, names: map[string]bool{},
		schemas: map[string]func() (*jsonschema.Resolved, error){},
	}
	for path, methods := range document.Paths {
		c.paths = append(c.paths, path)
		for method, op := range methods {
			c.operations[strings.ToUpper(method)+" "+path] = op
		}
	}
	for part := range strings.SplitSeq(answer.Body.String(), `"$ref":"`) {
		ref, _, _ := strings.Cut(part, `"`)
		c.refs = append(c.refs, ref)
	}
	c.refs = c.refs[1:]
	for name := range document.Components.Schemas {
		c.names[name] = true
		c.schemas[name] = sync.OnceValues(func() (*jsonschema.Resolved, error) {
			return resolved(name, document.Components.Schemas)
		})
	}
	return c, nil
})

// resolved returns a schema for a validator of JSON Schema, with the schemas it refers to as its
// definitions.
func resolved(name string, all map[string]json.RawMessage) (*jsonschema.Resolved, error) {
	definitions := map[string]json.RawMessage{}
	var define func(string)
	define = func(name string) {
		if _, known := definitions[name]; known {
			return
		}
		placed := strings.ReplaceAll(string(all[name]), "#/components/schemas/", "#/$defs/")
		definitions[name] = json.RawMessage(placed)
		for _, after := range strings.Split(placed, `"#/$defs/`)[1:] {
			ref, _, _ := strings.Cut(after, `"`)
			define(ref)
		}
	}
	define(name)
	whole, err := json.Marshal(map[string]any{"$ref": "#/$defs/" + name, "$defs": definitions})
	if err != nil {
		return nil, err
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(whole, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
}

func openAPI(t testing.TB) *contract {
	t.Helper()
	c, err := published()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// schemaOf returns the schema that a media type refers to.
func (c *contract) schemaOf(t testing.TB, m media) *jsonschema.Resolved {
	t.Helper()
	var ref struct {
		Ref string `json:"$ref"`
	}
	if err := json.Unmarshal(m.Schema, &ref); err != nil {
		t.Fatal(err)
	}
	resolve := c.schemas[strings.TrimPrefix(ref.Ref, "#/components/schemas/")]
	if resolve == nil {
		t.Fatalf("no schema %s", m.Schema)
	}
	schema, err := resolve()
	if err != nil {
		t.Fatalf("%s: %v", m.Schema, err)
	}
	return schema
}

// keeps checks that the document describes a response, and the request that norn accepted.
func (c *contract) keeps(t testing.TB, asked *http.Request, answer *http.Response, body []byte, loose bool) {
	t.Helper()
	at := slices.IndexFunc(c.paths, func(template string) bool { return fits(template, asked.URL.Path) })
	if at < 0 {
		return
	}
	name := asked.Method + " " + c.paths[at]
	op, known := c.operations[name]
	if !known {
		return
	}
	described, known := op.Responses[strconv.Itoa(answer.StatusCode)]
	if !known {
		t.Errorf("%s: the document has no status %d: %s", name, answer.StatusCode, body)
		return
	}
	m, known := described.Content[answer.Header.Get("Content-Type")]
	if !known {
		t.Errorf("%s: the document has no %s with status %d", name, answer.Header.Get("Content-Type"),
			answer.StatusCode)
		return
	}
	if strings.Contains(answer.Header.Get("Content-Type"), "json") &&
		!strings.HasSuffix(answer.Header.Get("Content-Type"), "jsonl") {
		c.valid(t, name+" answers", m, bytes.NewReader(body))
	}
	if answer.StatusCode < 300 && op.Body != nil && !loose {
		sent, err := asked.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		c.valid(t, name+" took", op.Body.Content["application/json"], sent)
	}
}

func (c *contract) valid(t testing.TB, what string, m media, from io.Reader) {
	t.Helper()
	var value any
	if err := json.NewDecoder(from).Decode(&value); err != nil {
		t.Error(err)
	}
	if err := c.schemaOf(t, m).Validate(value); err != nil {
		t.Errorf("%s: %v: %v", what, err, value)
	}
}

// fits reports whether a path matches a template.
func fits(template, path string) bool {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, have, func(w, h string) bool { return strings.HasPrefix(w, "{") || w == h })
}

func TestTheDocumentDescribesEveryOperation(t *testing.T) {
	c := openAPI(t)
	for _, ref := range c.refs {
		name, found := strings.CutPrefix(ref, "#/components/schemas/")
		if !found || !c.names[name] {
			t.Errorf("nothing at %s", ref)
		}
	}
	for _, name := range []string{
		"spire.check.args", "spire.character.sheet", "spire.settings", "Problem", "View",
		"Entry", "Question",
	} {
		if !c.names[name] {
			t.Errorf("no schema %s", name)
		}
	}
	ids := map[string]bool{}
	for at, op := range c.operations {
		if op.ID == "" || ids[op.ID] || op.Summary == "" {
			t.Errorf("%s: operation %q, summary %q", at, op.ID, op.Summary)
		}
		ids[op.ID] = true
		failures := 0
		for status, r := range op.Responses {
			if r.Description == "" || len(r.Content) == 0 {
				t.Errorf("%s: %s is not described", at, status)
			}
			if status[0] == '4' {
				failures++
				if _, ok := r.Content["application/problem+json"]; !ok {
					t.Errorf("%s: %s is no problem", at, status)
				}
			}
		}
		if failures == 0 {
			t.Errorf("%s has no 4xx", at)
		}
		method, path, _ := strings.Cut(at, " ")
		if takes := method == http.MethodPost || method == http.MethodPatch; takes != (op.Body != nil) {
			t.Errorf("%s: body %v", at, op.Body)
		}
		for name := range strings.SplitSeq(path, "{") {
			name, _, inside := strings.Cut(name, "}")
			if inside && !slices.ContainsFunc(op.Parameters, func(p struct {
				Name, In string
				Schema   map[string]any
			},
			) bool {
				return p.Name == name && p.In == "path"
			}) {
				t.Errorf("%s: the parameter %s is not described", at, name)
			}
		}
		if op.Body == nil {
			continue
		}
		m := op.Body.Content["application/json"]
		if err := c.schemaOf(t, m).Validate(m.Example); err != nil {
			t.Errorf("%s: its example: %v", at, err)
		}
	}
	if len(c.operations) < 15 {
		t.Errorf("%d operations", len(c.operations))
	}
}

// A client can send the examples of the bodies unchanged.
func TestTheDocumentsExamplesCanBeSent(t *testing.T) {
	c, p := openAPI(t), open(serve(t))
	p.post("/moves", p.player, body{"move": "check", "character": p.vex, "dice": []int{1}, "args": body{}}).want(202)
	question := p.get("", p.gm).want(200).text(t, "questions", 0, "id")
	secret := p.post("/characters", p.gm, body{"name": "Watcher", "kind": "character"}).want(201).text(t, "id")
	shown := p.post("/moves", p.gm,
		body{"move": "no-roll", "character": secret, "args": body{"text": "waits"}, "secret": true}).want(200).text(t,
		"move")
	for at, op := range c.operations {
		if op.Body == nil || slices.Contains([]string{
			"answer-question", "take-offer", "undo", "cancel-move",
			"end-session", "withdraw-call", "take-edition", "show-picture", "hide-picture", "share-note", "hide-note",
			"put-x-card-away", "take-x-card-back", "set-scene", "recover-seat",
			"delete-table", "call-table-back",
		}, op.ID) {
			continue
		}
		method, path, _ := strings.Cut(at, " ")
		if op.ID == "show-character" {
			path = strings.ReplaceAll(path, "{cid}",
				p.post("/characters", p.gm, body{
					"name": "Unseen", "kind": "character",
					"hidden": true,
				}).want(201).text(t, "id"))
		}
		if strings.Contains(path, "{clock}") {
			clock := p.post("/clocks", p.gm, body{"name": op.ID}).want(200).text(t, "lines", 0, "data", "id")
			path = strings.ReplaceAll(path, "{clock}", clock)
		}
		if strings.Contains(path, "{scene}") {
			scene := p.post("/scenes", p.gm, body{"title": op.ID}).want(200).text(t, "lines", 0, "data", "id")
			path = strings.ReplaceAll(path, "{scene}", scene)
		}
		if strings.Contains(path, "{list}") {
			list := p.post("/lists", p.gm, body{"name": op.ID, "kind": "character", "rows": "Name\nOrla"}).want(200)
			path = strings.ReplaceAll(path, "{list}", list.text(t, "lines", 0, "data", "id"))
		}
		path = strings.NewReplacer("{id}", strings.TrimPrefix(p.base, "/api/v1/tables/"), "{sid}", p.playerSeat,
			"{cid}", p.vex, "{mid}", shown, "{game}", "spire", "{move}", "check").Replace(path)
		sent := op.Body.Content["application/json"].Example
		if op.ID == "import-character" { // its file is of another game than this table's
			sent.(map[string]any)["file"].(map[string]any)["game"] = "spire"
		}
		got := p.send(method, path, p.gm, sent)
		busy := got.status == http.StatusConflict &&
			strings.Contains(string(got.body), `"busy"`) // Vex has an open move
		if got.status >= 300 && !busy {
			t.Errorf("%s: %d %s", at, got.status, got.body)
		}
	}
	example := c.operations["POST /api/v1/tables/{id}/answers"].Body.Content["application/json"].Example.(map[string]any)
	example["question"] = question
	open := p.post("/answers", p.gm, example).want(202)
	example = c.operations["POST /api/v1/tables/{id}/cancel"].Body.Content["application/json"].Example.(map[string]any)
	example["move"] = open.text(t, "move")
	p.post("/cancel", p.gm, example).want(200)
	example = c.operations["POST /api/v1/tables/{id}/undo"].Body.Content["application/json"].Example.(map[string]any)
	example["seq"] = p.post("/moves", p.gm,
		body{"move": "no-roll", "character": secret, "args": body{"text": "waits"}}).want(200).at(t, "seq")
	p.post("/undo", p.gm, example).want(200)
	p.post("/session", p.gm, c.operations["POST /api/v1/tables/{id}/session"].Body.Content["application/json"].Example).want(200)
	p.post("/moves", p.gm, body{"move": "check", "character": secret, "args": body{}, "dice": []int{10}}).want(200)
	example = c.operations["POST /api/v1/tables/{id}/offers"].Body.Content["application/json"].Example.(map[string]any)
	example["offer"] = p.get("", p.gm).want(200).text(t, "offers", 0, "id")
	p.post("/offers", p.gm, example).want(202)
	example = c.operations["POST /api/v1/tables/{id}/recover"].Body.Content["application/json"].Example.(map[string]any)
	example["code"] = p.post("/recovery", p.gm, body{}).want(201).text(t, "code")
	p.post("/recover", "", example).want(201)
}
