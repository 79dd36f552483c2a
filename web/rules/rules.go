// Package rules shows a game's rules, each by its id, in the reader's language: every "SP-16" on a page leads there.
//
// Promised: the pages are alike for everybody and need neither table nor seat. It may import what
// stands before every page and what draws them, and no table.
package rules

import (
	"net/http"
	"strings"

	"norn/web/middleware"
	"norn/widget"
)

// maxQuery bounds the letters of a search.
const maxQuery = 100

// Pages are those of the rules.
type Pages struct{ *middleware.Keeper }

// Routes are where they stand.
func (p *Pages) Routes() middleware.Routes {
	return middleware.Routes{"GET " + widget.RulesOf("{game}"): p.of}
}

func (p *Pages) of(w http.ResponseWriter, r *http.Request) {
	g := p.Game(r.PathValue("game"))
	if g == nil || len(g.Rules) == 0 {
		p.NotFound(w, r)
		return
	}
	read := p.ReaderOf(r)
	read.Speaker = g.Speak(read.Speaker)
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	if letters := []rune(query); len(letters) > maxQuery {
		query = string(letters[:maxQuery])
	}
	p.Show(w, r, http.StatusOK, p.page(read, r, g, query))
}
