// Package rules shows a game's rules by id, in the reader's language: every "SP-16" on a page links
// there.
//
// The pages are the same for everybody and need neither table nor seat. The package imports only
// web/middleware and web/html, and no table.
package rules

import (
	"net/http"
	"strings"

	"norn/internal/widget"
	"norn/web/middleware"
)

// maxQuery limits the letters of a search.
const maxQuery = 100

// Pages serves the rules.
type Pages struct{ *middleware.Keeper }

// Routes lists the pages' routes.
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
