package odds

import (
	"cmp"
	"net/http"

	"norn/odds"
	"norn/web/middleware"
)

// Routes lists the pages' routes.
func (all *Pages) Routes() middleware.Routes {
	return middleware.Routes{
		"GET /odds":                      all.index,
		"GET /odds/rule":                 all.rule,
		"GET /odds/frame":                all.frame,
		"GET /odds/dice":                 all.of,
		"GET /odds/dice/{file}":          all.of,
		"GET /odds/{game}/{move}":        all.of,
		"GET /odds/{game}/{move}/{file}": all.of,
	}
}

// index lists all moves that have odds without a table.
func (p *Pages) index(w http.ResponseWriter, r *http.Request) {
	read, tongue := p.reader(r)
	p.Show(w, r, http.StatusOK, p.oddsList(read, r, tongue))
}

// of responds with the page of a move's odds, with the result part of it, or with a file.
func (all *Pages) of(w http.ResponseWriter, r *http.Request) {
	p, ok := all.readQuery(r)
	file := r.PathValue("file")
	if !ok || file != "" && file != "odds.csv" && file != "odds.svg" {
		all.NotFound(w, r)
		return
	}
	if !middleware.HX(r) && r.URL.Query().Has(atForm) && p.throw.Form != nil && file == "" {
		http.Redirect(w, r, p.link(p.throw, p.kept), http.StatusSeeOther) // to a short address that can be shared
		return
	}
	p.work(r.Context(), odds.Asker(r.RemoteAddr), file)
	if p.status == http.StatusTooManyRequests || p.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "2")
	}
	switch {
	case file == "" && middleware.HX(r):
		all.Show(w, r, p.status, p.oddsResult())
	case file == "":
		all.Show(w, r, p.status, p.oddsPage(r))
	case p.report == nil:
		all.Show(w, r, cmp.Or(max(p.status, http.StatusUnprocessableEntity)), p.oddsPage(r))
	case file == "odds.csv":
		p.send(w, "text/csv; charset=utf-8", "csv")
	default:
		// The file has its own style and loads nothing else.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		p.send(w, "image/svg+xml; charset=utf-8", "svg")
	}
}
