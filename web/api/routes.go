package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"norn/game"
)

// New returns the handler of everything below /api/. Requests keep their full path.
func New(c Config) http.Handler { return newServer(c, quietAfter, slowAfter).handler() }

func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	api := s.routes(mux)
	s.elsewhere(mux, api.OpenAPI())
	s.serveDocument(mux)
	return s.admit(mux)
}

// routes registers every operation.
func (s *server) routes(mux *http.ServeMux) huma.API {
	config := huma.Config{
		OpenAPI: document(s.schemas),
		Formats: map[string]huma.Format{ // "json" is huma's name for application/problem+json
			"application/json": format, "json": format,
		},
		DefaultFormat: "application/json",
	}
	// for responses, which may gain members; bodies are strict by their own schemas
	config.AllowAdditionalPropertiesByDefault = true
	api := described{humago.New(mux, config)}
	api.UseMiddleware(s.readCall)
	for _, register := range []func(*server, huma.API){
		registerGames, registerTables, registerActs, registerMoves, registerHooks, registerPictures, registerHandouts,
		registerXCard, registerDice, registerBare, registerLog, registerExport, registerCharacterFiles, registerHeroes,
		registerLists, registerBetween, registerLive,
	} {
		register(s, api)
	}
	return api
}

// document returns the OpenAPI document without its operations: a description of the API, the
// authentication, and the schemas of all games.
func document(of gameSchemas) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	for name, schema := range of.named {
		schemas.Map()[name] = &huma.Schema{Extensions: schema}
	}
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title:   "norn",
			Version: "1",
			Description: "A game table that knows the rules. A seat's secret, as a link holds it, is the bearer token. " +
				"Texts come in English, Russian or Ukrainian, by Accept-Language, and without it in the table's language. An error means that nothing was written.",
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

// written returns the OpenAPI document of some games.
func (s *server) written(games []*game.Game) ([]byte, error) {
	of := *s
	of.schemas = schemasOf(games)
	api := of.routes(http.NewServeMux()).OpenAPI()
	if s.Base != "" {
		api.Servers = []*huma.Server{{URL: s.Base}}
	}
	schemas := api.Components.Schemas
	schemas.Schema(reflect.TypeFor[Problem](), true, "")
	for _, unused := range []string{"ErrorModel", "ErrorDetail"} { // huma's own
		delete(schemas.Map(), unused)
	}
	return json.Marshal(api)
}

// serveDocument serves the OpenAPI document of the offered games, which is made on the first
// request and again when the games change; with version=3.0 as generators of clients read it that
// don't know 3.1.
func (s *server) serveDocument(mux *http.ServeMux) {
	var turn sync.Mutex
	var of, text, old []byte
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		games := game.CurrentGames(s.Games)
		var now []byte
		for _, g := range games {
			now = fmt.Appendln(now, g.ID, g.EditionID())
		}
		turn.Lock()
		if !bytes.Equal(now, of) {
			written, err := s.written(games)
			if err != nil {
				panic(err) // can't happen: schemas are plain values
			}
			before, err := older(written)
			if err != nil {
				panic(err) // can't happen: it was written just now
			}
			of, text, old = now, written, before
		}
		text := text
		if r.URL.Query().Get("version") == olderVersion {
			text = old
		}
		turn.Unlock()
		s.greet(w, r)
		w.Header().Set("Cache-Control", "public, max-age=300")
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(text) // the client may have disconnected
	})
}
