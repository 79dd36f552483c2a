package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"norn/bare"
	"norn/form"
	"norn/game"
)

// document is the OpenAPI document before its operations: what the API is, how a seat shows itself, and the schemas of
// all games.
func document(games []*game.Game) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	for name, schema := range gameSchemas(games) {
		schemas.Map()[name] = &huma.Schema{Extensions: schema}
	}
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title:   "norn",
			Version: "1",
			Description: "A game table that knows the rules. A seat's secret, as a link holds it, is the bearer token. " +
				"Texts come in English, Russian or Ukrainian, by Accept-Language. Whoever gets an error knows that nothing was written.",
			License: &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
		},
		Components: &huma.Components{
			Schemas: schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"seat": {Type: "http", Scheme: "bearer", Description: "the secret of a seat at the table"},
			},
		},
		Tags: []*huma.Tag{
			{Name: "games", Description: "what can be played"},
			{Name: "tables", Description: "a table as a seat sees it"},
			{Name: "seats", Description: "who sits there"},
			{Name: "characters", Description: "sheets"},
			{Name: "moves", Description: "moves, the questions they ask, and their odds"},
			{Name: "dice", Description: "their sessions: shares, and the secret at the end"},
			{Name: "odds", Description: "odds without a table"},
			{Name: "pictures", Description: "pictures, portraits, shared notes and the X-card"},
			{Name: "log", Description: "what happened, and what happens now"},
		},
	}
}

// gameSchemas are the schemas of every game's sheets, settings and arguments, and of the bodies that hold them, by their
// name among the components.
func gameSchemas(games []*game.Game) map[string]map[string]any {
	schemas := map[string]map[string]any{}
	var moves, priced, sheets, settings, throws []any
	for _, g := range append(slices.Clone(games), bare.Dice) {
		for i := range g.Moves {
			m := &g.Moves[i]
			if m.Bare && m.Price != nil {
				schemas[bareName(g, m)] = schema(m.Form.For(form.Bare))
				throws = append(throws, reference(bareName(g, m)))
			}
			if !m.AtTable {
				continue
			}
			name := g.Word(m.ID, "args")
			schemas[name] = schema(argsForm(m))
			choice := way(g.ID+" "+m.ID, "move", m.ID, "args", name, schemas[name])
			moves = append(moves, choice)
			if m.Price != nil {
				priced = append(priced, choice)
			}
		}
		for _, k := range g.Kinds {
			name := g.Word(k.ID, "sheet")
			schemas[name] = schema(k.Form)
			sheets = append(sheets, way(g.ID+" "+k.ID, "kind", k.ID, "sheet", name, schemas[name]))
		}
		if g == bare.Dice { // it has no table
			continue
		}
		name := g.Word("settings")
		schemas[name] = schema(g.Settings.Form)
		settings = append(settings, map[string]any{
			"title": g.ID, "properties": map[string]any{"settings": reference(name)},
		})
	}
	plain := game.PlainDice + ".args"
	schemas[plain] = schema(argsForm(&game.Plain))
	choice := way("any game, plain dice", "move", game.PlainDice, "args", plain, schemas[plain])
	moves, priced = append(moves, choice), append(priced, choice)
	schemas["NewTable"] = schema(newTableForm(games))
	schemas["NewSeat"] = schema(newSeatForm)
	schemas["SeatChange"] = schema(seatChangeForm)
	schemas["KeyOnly"] = schema(keyForm)
	schemas["CallRequest"] = also(schema(callForm), nil, map[string]any{
		"args": map[string]any{"type": "object", "default": map[string]any{}, "description": "any of the move's arguments: these are fixed"},
	})
	schemas["WithdrawRequest"] = schema(withdrawForm)
	schemas["NoteRequest"] = schema(noteForm)
	schemas["HookRequest"] = schema(hookForm)
	schemas["StarRequest"] = schema(starForm)
	schemas["UndoRequest"] = schema(undoForm)
	schemas["TalkRequest"] = schema(talkForm)
	seats := map[string]any{"to": map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "default": []any{}, "description": "ids of seats; none for all that there are and will be"}}
	schemas["PictureRequest"] = also(schema(uploadForm), nil, map[string]any{
		"data": map[string]any{"type": "string", "contentEncoding": "base64", "description": "the file"},
	}, "data")
	schemas["ShowRequest"] = also(schema(showingForm), nil, seats)
	schemas["PortraitRequest"] = schema(portraitForm)
	schemas["HandoutRequest"] = also(schema(handoutForm), nil, seats)
	schemas["HideRequest"] = schema(handoutForm)
	schemas["CancelRequest"] = schema(cancelForm)
	schemas["ShareRequest"] = schema(shareForm)
	schemas["NewCharacter"] = also(schema(newCharacterForm), sheets, nil)
	schemas["CharacterChange"] = also(schema(characterChangeForm), nil, map[string]any{
		"sheet": map[string]any{
			"type": "object", "description": "a JSON merge patch (RFC 7396) of the sheet: members given replace, null takes back to the default, lists are replaced whole",
		},
	})
	schemas["MoveRequest"] = also(schema(moveForm), moves, map[string]any{
		"args":   map[string]any{"type": "object", "default": map[string]any{}},
		"byHand": map[string]any{"type": "boolean", "default": false, "description": "ask for the faces of every throw, to be typed in as answers"},
	})
	schemas["OddsRequest"] = also(schema(oddsForm), priced, map[string]any{
		"args": map[string]any{"type": "object", "default": map[string]any{}},
		"choices": map[string]any{
			"type": "object", "default": map[string]any{}, "additionalProperties": map[string]any{"type": "object"},
			"description": "answers by the question's id, as its own schema says",
		},
	})
	arguments := map[string]any{"type": "object", "description": "the arguments of the move in the address", "anyOf": throws}
	schemas["BareOdds"] = also(schema(throwForm), nil, map[string]any{"args": arguments})
	schemas["BareComparison"] = also(schema(compareForm), nil, map[string]any{
		"settings": map[string]any{"type": "array", "items": arguments, "minItems": 2, "maxItems": bare.MostCompared},
	}, "settings")
	schemas["AnswerRequest"] = also(schema(answerForm), nil, map[string]any{
		"answer": map[string]any{
			"type": "object", "description": "as the question's own schema says; for dice thrown by hand {\"faces\": [3, 10]}",
		},
	}, "answer")
	schemas["SettingsChange"] = also(schema(keyForm), settings, map[string]any{
		"settings": map[string]any{"type": "object"},
	}, "settings")
	return schemas
}

// bareName is the name of the schema of a move's arguments without a table.
func bareName(g *game.Game, m *game.Move) string { return g.Word(m.ID, "bare") }

// also adds members to an object's schema, and the ways in which some of them fit together.
func also(object map[string]any, ways []any, members map[string]any, required ...string) map[string]any {
	properties := object["properties"].(map[string]any)
	for _, way := range ways {
		for name := range way.(map[string]any)["properties"].(map[string]any) {
			if properties[name] == nil {
				properties[name] = map[string]any{"type": "object"}
			}
		}
	}
	maps.Copy(properties, members)
	if len(required) > 0 {
		known, _ := object["required"].([]string)
		object["required"] = append(slices.Clone(known), required...)
	}
	if len(ways) > 0 {
		object["anyOf"] = ways
	}
	return object
}

// way is one way in which a body's members fit together: by is id, and then member is as the named schema says.
func way(title, by, id, member, name string, schema map[string]any) map[string]any {
	w := map[string]any{
		"title": title, "properties": map[string]any{by: map[string]any{"const": id}, member: reference(name)},
	}
	if schema["required"] != nil {
		w["required"] = []string{member}
	}
	return w
}

func reference(name string) map[string]any {
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

// doc is what the document says of an operation beside its types.
type doc struct {
	summary string
	text    string
	tag     string
	open    bool // needs no seat
	status  int  // of a good answer; 200 unless set
	more    map[int]string
	body    string // schema of its body, "" for none
	example any    // of its body
	errors  []int  // besides those that every operation has
}

const bodyOfOperation = "body"

// operation puts together what huma needs to know. Parameters and bodies are checked here and not by huma, so that all
// errors are alike.
func operation(method, path, id string, d doc) huma.Operation {
	op := huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: d.summary, Description: d.text, Tags: []string{d.tag},
		DefaultStatus: d.status, SkipValidateParams: true, SkipValidateBody: true,
		Responses: map[string]*huma.Response{},
		Security:  []map[string][]string{{"seat": {}}},
	}
	failures := append([]int{http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusRequestURITooLong, http.StatusInternalServerError}, d.errors...)
	if d.open {
		op.Security = []map[string][]string{}
	} else {
		failures = append(failures, http.StatusNotFound, http.StatusServiceUnavailable)
	}
	if d.body != "" {
		failures = append(failures, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusServiceUnavailable)
		op.Metadata = map[string]any{bodyOfOperation: &huma.RequestBody{
			Required: true,
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: &huma.Schema{Ref: "#/components/schemas/" + d.body}, Example: d.example,
			}},
		}}
	}
	for status, text := range d.more {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Description: text}
	}
	for _, status := range failures {
		op.Responses[strconv.Itoa(status)] = failure(status)
	}
	return op
}

// failure describes the answer with an error status.
func failure(status int) *huma.Response {
	r := &huma.Response{
		Description: http.StatusText(status),
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}}},
	}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		r.Headers = map[string]*huma.Header{"Retry-After": {
			Description: "seconds", Schema: &huma.Schema{Type: huma.TypeInteger},
		}}
	}
	return r
}

// described is huma's API, but for the bodies, which huma would read itself if it knew of them sooner.
type described struct{ huma.API }

// DocumentOperation implements huma.OperationDocumenter.
func (d described) DocumentOperation(op *huma.Operation) {
	if body, ok := op.Metadata[bodyOfOperation].(*huma.RequestBody); ok {
		op.RequestBody = body
	}
	// A second good status answers with the same body as the first.
	standard := op.Responses[strconv.Itoa(op.DefaultStatus)]
	for _, r := range op.Responses {
		if r.Content == nil && standard != nil {
			r.Content = standard.Content
		}
	}
	d.OpenAPI().AddOperation(op)
}

// serveDocument serves the OpenAPI document.
func (s *server) serveDocument(mux *http.ServeMux, api *huma.OpenAPI) {
	schemas := api.Components.Schemas
	schemas.Schema(reflect.TypeFor[Problem](), true, "")
	for _, unused := range []string{"ErrorModel", "ErrorDetail"} { // huma's own
		delete(schemas.Map(), unused)
	}
	text, err := json.Marshal(api)
	if err != nil {
		panic(err) // the document is made of the games, which are known at start-up
	}
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		s.greet(w, r)
		w.Header().Set("Cache-Control", "public, max-age=300")
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(text) // the reader may have gone
	})
}
