package web

import (
	"maps"
	"net/http"
	"slices"

	"norn/web/door"
)

// Routes are the addresses of all that the pages serve, the API aside, in the
// syntax of http.ServeMux.
func Routes() []string {
	s := new(server)
	all := s.pages()
	maps.Copy(all, s.files())
	return slices.Sorted(maps.Keys(all))
}

// pages are what links and forms lead to. No other site may send forms there.
func (s *server) pages() door.Routes {
	all := door.Routes{"POST /look": s.door.Look, "GET /offline/{lang}": s.door.Offline, "/": s.door.NotFound}
	maps.Copy(all, s.odds.Routes())
	maps.Copy(all, s.rules.Routes())
	maps.Copy(all, s.guide.Routes())
	maps.Copy(all, s.tables.Routes())
	return all
}

// files are the same for everybody.
func (s *server) files() door.Routes {
	return door.Routes{
		door.BundleRoute:            s.door.ServeAsset,
		"GET /worker.js":            s.door.ServeWorker,
		"GET /manifest.webmanifest": s.door.Manifest,
		"GET /favicon.ico": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/assets/favicon.svg", http.StatusMovedPermanently)
		},
		"/healthz": door.Health(nil).ServeHTTP,
		"/readyz":  door.Health(s.ready).ServeHTTP,
	}
}
