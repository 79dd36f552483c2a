package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// New is the handler of everything below /api/. Requests keep their whole path.
func New(c Config) http.Handler { return newServer(c, quietAfter, slowAfter).handler() }

func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	api := s.routes(mux)
	s.elsewhere(mux, api.OpenAPI())
	s.serveDocument(mux, api.OpenAPI())
	return s.admit(mux)
}

// routes registers every operation.
func (s *server) routes(mux *http.ServeMux) huma.API {
	config := huma.Config{
		OpenAPI: document(s.Games),
		Formats: map[string]huma.Format{ // "json" is what huma makes of application/problem+json
			"application/json": format, "json": format,
		},
		DefaultFormat: "application/json",
	}
	config.AllowAdditionalPropertiesByDefault = true // of answers, which may grow; bodies are strict by their own schemas
	api := described{humago.New(mux, config)}
	api.UseMiddleware(s.hear)
	s.registerGames(api)
	s.registerTables(api)
	seats{s}.register(api)
	characters{s}.register(api)
	moves{s}.register(api)
	calls{s}.register(api)
	hookDesk{s}.register(api)
	s.registerUndo(api)
	s.registerTalk(api)
	s.registerPictures(api)
	s.registerDice(api)
	s.registerEdition(api)
	s.registerLuck(api)
	bareOdds{s}.register(api)
	s.registerLog(api)
	s.registerExport(api)
	s.registerLive(api)
	return api
}
