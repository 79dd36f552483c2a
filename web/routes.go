package web

import (
	"maps"
	"net/http"
	"slices"

	"norn/web/middleware"
)

// Routes returns the routes of all pages, without the API, in the syntax of http.ServeMux.
func Routes() []string {
	s := new(server)
	all := s.pages()
	maps.Copy(all, s.files())
	return slices.Sorted(maps.Keys(all))
}

// pages returns the routes of links and forms. Other sites can't post there.
func (s *server) pages() middleware.Routes {
	all := middleware.Routes{
		"POST /look": s.keeper.Look, "GET /offline/{lang}": s.keeper.Offline,
		"/": s.keeper.NotFound,
	}
	maps.Copy(all, s.odds.Routes())
	maps.Copy(all, s.rules.Routes())
	maps.Copy(all, s.guide.Routes())
	maps.Copy(all, s.tables.Routes())
	return all
}

// files returns the routes that are the same for everybody.
func (s *server) files() middleware.Routes {
	return middleware.Routes{
		middleware.BundleRoute:      s.keeper.ServeAsset,
		"GET /worker.js":            s.keeper.ServeWorker,
		"GET /manifest.webmanifest": s.keeper.Manifest,
		"GET /favicon.ico": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/assets/favicon.svg", http.StatusMovedPermanently)
		},
		"/healthz": middleware.Health(nil).ServeHTTP,
		"/readyz":  middleware.Health(s.ready).ServeHTTP,
	}
}
