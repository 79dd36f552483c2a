package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// document holds the parts of the API's document that tools are built from.
type document struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID          string `json:"operationId"`
	Summary     string `json:"summary"`
	Description string `json:"description"`
	Agent       struct {
		Tool string `json:"tool"`
	} `json:"x-agent"`
	Parameters []struct {
		Name     string         `json:"name"`
		In       string         `json:"in"`
		Required bool           `json:"required"`
		Schema   map[string]any `json:"schema"`
	} `json:"parameters"`
	Body struct {
		Content map[string]struct {
			Schema schemaRef `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]struct {
			Schema schemaRef `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

type schemaRef struct {
	Ref string `json:"$ref"`
}

// unmarked names the tools for a document that marks none, by the ids of their operations.
var unmarked = map[string]string{
	"show-table": "look", "show-odds": "odds", "make-move": "make_move", "take-offer": "take_offer",
	"answer-question": "answer", "talk": "talk",
	"undo": "undo", "read-log": "log", "cancel-move": "cancel", "add-character": "make_hero",
	"change-character": "edit_sheet",
}

// atTable is the prefix of the paths of a seat's operations.
const atTable = "/api/v1/tables/{id}"

// tools returns the tools that the document marks, and the agent's own.
func (d document) tools() ([]*tool, error) {
	all := slices.Clone(ownTools)
	for path, operations := range d.Paths {
		for method, op := range operations {
			below, ok := strings.CutPrefix(path, atTable)
			name := op.Agent.Tool
			if name == "" || !ok {
				continue
			}
			t, err := d.tool(name, strings.ToUpper(method), below, op)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// mark marks the operations of a document that marks none.
func (d document) mark() {
	for _, operations := range d.Paths {
		for _, op := range operations {
			if op.Agent.Tool != "" {
				return
			}
		}
	}
	for _, operations := range d.Paths {
		for method, op := range operations {
			op.Agent.Tool = unmarked[op.ID]
			operations[method] = op
		}
	}
}

// tool builds the tool for an operation.
func (d document) tool(name, method, path string, op operation) (*tool, error) {
	t := &tool{
		name: name, about: strings.TrimSpace(op.Summary + ". " + op.Description),
		writes: method != http.MethodGet && name != "odds", takes: map[string]any{},
	}
	var named, asked []string // parameters of the path, and of the query or body
	for _, p := range op.Parameters {
		switch {
		case p.In == "path" && p.Name != "id":
			named = append(named, p.Name)
		case p.In == "query":
			asked = append(asked, p.Name)
		default:
			continue
		}
		shorten(p.Schema)
		t.takes[p.Name] = p.Schema
		if p.Required {
			t.needs = append(t.needs, p.Name)
		}
	}
	if body := op.Body.Content["application/json"].Schema.Ref; body != "" {
		var schema struct {
			Properties map[string]map[string]any `json:"properties"`
			Required   []string                  `json:"required"`
		}
		if err := json.Unmarshal(d.Components.Schemas[schemaName(body)], &schema); err != nil {
			return nil, fmt.Errorf("the body of %s: %w", op.ID, err)
		}
		for name, property := range schema.Properties {
			shorten(property)
			t.takes[name] = property
		}
		t.needs = append(t.needs, schema.Required...)
	}
	for _, answer := range op.Responses {
		t.asks = t.asks || strings.HasSuffix(answer.Content["application/json"].Schema.Ref, "/Made")
	}
	t.do = func(ctx context.Context, s *Seat, args arguments) (told, error) {
		at, query, rest := path, url.Values{}, maps.Clone(args)
		for _, name := range named {
			at = strings.ReplaceAll(at, "{"+name+"}", url.PathEscape(plain(args[name])))
			delete(rest, name)
		}
		for _, name := range asked {
			if args[name] != nil {
				query.Set(name, plain(args[name]))
			}
		}
		if method == http.MethodGet {
			return s.here(ctx, method, at, query, nil)
		}
		return s.here(ctx, method, at, nil, rest)
	}
	return t, nil
}

// shorten removes from a property's schema what its call would say anyway, or what says nothing.
func shorten(property map[string]any) {
	delete(property, "maxLength") // refusals name it
	delete(property, "minLength")
	switch value := property["default"].(type) {
	case string:
		if value == "" {
			delete(property, "default")
		}
	case bool:
		if !value {
			delete(property, "default")
		}
	case map[string]any:
		if len(value) == 0 {
			delete(property, "default")
		}
	}
}

// schemaName returns the name of the schema that a reference points to.
func schemaName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// toolbox holds the tools of one norn, once its document was read.
type toolbox struct {
	mu  sync.Mutex
	all []*tool
}

// read reads the document, unless that was done before.
func (b *toolbox) read(ctx context.Context, s *Seat) ([]*tool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all != nil {
		return b.all, nil
	}
	norn := &Seat{API: s.API, Base: s.Base} // without room: the document isn't an answer to the call
	answer, err := norn.ask(ctx, http.MethodGet, "../openapi.json", nil, nil)
	if err != nil {
		return nil, err
	}
	var d document
	if err := json.Unmarshal(answer.body, &d); err != nil {
		return nil, err
	}
	d.mark()
	b.all, err = d.tools()
	return b.all, err
}
