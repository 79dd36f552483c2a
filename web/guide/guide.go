// Package guide shows the guide to norn. The address names the language, so that a browser can
// cache it for use without a connection.
//
// The pages are the same for everybody and need neither table nor seat. It imports only
// web/middleware, web/html and the guide itself.
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

// Pages serves the guide.
type Pages struct {
	*middleware.Keeper
	drawn sync.Map // HTML of pages by names such as "en/players"
}

// Routes lists the pages' routes.
func (p *Pages) Routes() middleware.Routes {
	return middleware.Routes{"GET /guide": p.index, "GET /guide/{lang}/{page}": p.of}
}

// index redirects to the guide in the reader's language.
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

// Changes of the guide's Markdown for a web page: images are removed, links to other pages of the
// guide are adapted, and other relative links become text.
var (
	picture = regexp.MustCompile(`(?m)^!\[[^\]]*\]\([^)]*\)\n+`)
	abroad  = regexp.MustCompile(`\[([^\]]*)\]\((?:\.\./){3}[^)]*\)`)
	inside  = regexp.MustCompile(`\]\(([^):]+)\.md(#[^)]*)?\)`)
	title   = regexp.MustCompile(`(?m)^# (.*)$`)
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// find returns a page as HTML, converted once.
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
		panic("web/guide: " + name + ": " + err.Error()) // norn's own text is valid
	}
	d := drawn{Text: out.String()}
	if found := title.FindStringSubmatch(text); found != nil {
		d.Title = found[1]
	}
	p.drawn.Store(name, d)
	return d, true
}
