// Package guide shows the guide to norn, in a language that the address names, so that a browser
// keeps it for when there's no connection.
//
// Promised: the pages are alike for everybody and need neither table nor seat. It may import what
// stands before every page and what draws them, and the guide itself.
package guide

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"norn/docs/guide"
	"norn/lang"
	"norn/web/html"
	"norn/web/middleware"
)

// Pages are those of the guide.
type Pages struct {
	*middleware.Keeper
	drawn sync.Map // "en/players" to its drawn
}

// Routes are where they stand.
func (p *Pages) Routes() middleware.Routes {
	return middleware.Routes{"GET /guide": p.index, "GET /guide/{lang}/{page}": p.of}
}

// index leads to the guide in the reader's language.
func (p *Pages) index(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept-Language, Cookie")
	http.Redirect(w, r, html.GuideIn(p.ReaderOf(r).Lang(), "index"), http.StatusSeeOther)
}

func (p *Pages) of(w http.ResponseWriter, r *http.Request) {
	l, ok := lang.Parse(r.PathValue("lang"))
	d, there := p.find(r.PathValue("lang") + "/" + r.PathValue("page"))
	if !ok || !there {
		p.NotFound(w, r)
		return
	}
	read := p.ReaderOf(r)
	read.Speaker = p.Words.In(l)
	p.Show(w, r, http.StatusOK, p.page(read, r, d, r.PathValue("page") == "index"))
}

// drawn is a page of the guide as HTML.
type drawn struct{ Title, Text string }

// What of the guide's Markdown stands otherwise on a page: pictures are left out, links to other
// pages lead to these, and what is no part of the guide isn't linked.
var (
	picture = regexp.MustCompile(`(?m)^!\[[^\]]*\]\([^)]*\)\n+`)
	abroad  = regexp.MustCompile(`\[([^\]]*)\]\((?:\.\./){3}[^)]*\)`)
	inside  = regexp.MustCompile(`\]\(([^):]+)\.md(#[^)]*)?\)`)
	title   = regexp.MustCompile(`(?m)^# (.*)$`)
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// find draws a page once.
func (p *Pages) find(name string) (drawn, bool) {
	if d, ok := p.drawn.Load(name); ok {
		return d.(drawn), true
	}
	data, err := guide.Pages.ReadFile(name + ".md")
	if err != nil || strings.Contains(name, "..") {
		return drawn{}, false
	}
	text := picture.ReplaceAllString(string(data), "")
	text = abroad.ReplaceAllString(text, "$1")
	text = inside.ReplaceAllString(text, "]($1$2)")
	var out bytes.Buffer
	if err := markdown.Convert([]byte(text), &out); err != nil {
		panic("web/guide: " + name + ": " + err.Error()) // it is norn's own text
	}
	d := drawn{Text: out.String()}
	if found := title.FindStringSubmatch(text); found != nil {
		d.Title = found[1]
	}
	p.drawn.Store(name, d)
	return d, true
}
