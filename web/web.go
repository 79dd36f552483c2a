// Package web serves the pages of norn: the start page, the table's page with
// its live stream, and beside them the API that it is given.
//
// Promised: every page works by plain forms; script only makes it quicker. No
// page has inline script or style, so the content security policy forbids
// them. A page, a fragment and a live frame hold what the reader's seat may
// see and nothing else, since all of it comes from table.Seat. A link that
// doesn't open a table shows the same page whatever the reason. No secret
// stands in an address but where its link arrives, in a log line, or in a page
// but the one that hands it out. What another site does in a reader's browser
// takes no seat and gives none up. Nobody can hold a connection by sending or reading
// slowly, but for a live stream that is read.
//
// The package may import table, games' common packages (game, form, odds,
// page, lang) and no single game or driver. The only goroutine it starts is
// one for each live stream, which ends with the stream's request.
package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"norn/web/html"

	"github.com/a-h/templ"

	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/odds"
	"norn/table"
)

// Config is what the pages are made of.
type Config struct {
	Host  *table.Host
	Words *lang.Words
	Games []*game.Game // as they are offered
	// Demo gives the paths of the links that open a game's demo table in the
	// speaker's language; nil for no demos.
	Demo   func(ctx context.Context, g *game.Game, s lang.Speaker) (gm, player string, err error)
	Origin string       // "https://norn.example", for links that people send; "" takes it from the request
	Gate   *odds.Gate   // to where odds are worked out; nil for one of the pages' own
	API    http.Handler // serves /api/; nil for none
	Log    *slog.Logger

	Door    *limit.Door                     // turns away who comes too often; nil for nobody
	Proxies []netip.Prefix                  // whose word counts for where a request comes from, and that it came over TLS
	Ready   func(ctx context.Context) error // tells why this server can't serve tables now; nil for always ready
	Meter   Meter                           // hears what there is to count; nil for nobody
}

type server struct {
	Config
	assets *assets
	site   *html.Site
	games  map[string]*game.Game
	times

	crowds  crowds
	stands  stands
	drawn   drawnOnce
	chooses sync.Map // "edda.act" to whether there's something to choose in its middle
}

// New makes the handler of all pages. It panics on a bundle that can't be read.
func New(c Config) http.Handler {
	return handler(c, times{slow: slowAfter, read: readTime, write: writeTime})
}

// times are how long others may take.
type times struct {
	slow  time.Duration // for one event of a live stream
	read  time.Duration // to send a body
	write time.Duration // to take an answer
}

func handler(c Config, most times) http.Handler {
	if c.Gate == nil {
		c.Gate = odds.UsualGate()
	}
	if c.Door == nil {
		c.Door = limit.New(limit.Limits{}, time.Now, nil)
	}
	if c.Meter == nil {
		c.Meter = uncounted{}
	}
	s := &server{Config: c, assets: readAssets(), games: map[string]*game.Game{}, times: most}
	s.site = &html.Site{File: s.assets.url, Worker: s.worker(), OwnHeads: s.assets.ownHeads, Name: c.Words.Name}
	for _, g := range c.Games {
		s.games[g.ID] = g
		s.site.Games = append(s.site.Games, g.ID)
	}

	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusForbidden, "cross-origin")
	}))

	all := http.NewServeMux()
	for _, at := range s.pages() {
		all.Handle(at.pattern, protection.Handler(at.serve))
	}
	for _, at := range s.files() {
		all.HandleFunc(at.pattern, at.serve)
	}
	if c.API != nil {
		all.Handle(apiRoutes, c.API) // it takes a bearer, no cookie, so another site can't borrow it
	}
	return s.guard(all)
}

// parse reads a posted form; false means that an error was answered.
func (s *server) parse(w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	if err == nil && bytes.Count(body, []byte("&")) >= mostFields { // before each of them becomes much more than it was
		s.fail(w, r, http.StatusRequestEntityTooLarge, "too-many-fields")
		return false
	}
	if err == nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
		err = r.ParseForm()
	}
	if err == nil {
		return true
	}
	if often := limit.As(err); often != nil {
		s.often(w, r, often)
		return false
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		s.fail(w, r, http.StatusRequestTimeout, "too-slow")
		return false
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		s.fail(w, r, http.StatusRequestEntityTooLarge, "too-large")
	} else {
		s.fail(w, r, http.StatusBadRequest, "unreadable")
	}
	return false
}

// frame is of a page that a request asks for.
func (s *server) frame(read html.Reader, r *http.Request, title, game string) html.Frame {
	return html.Frame{Reader: read, Site: s.site, Title: title, Game: game, Path: r.URL.RequestURI()}
}

// hx tells whether script asks, and so wants a piece instead of a page.
func hx(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// statusGone is counted where who asked has gone before there was an answer: as
// proxies do, and no failure of ours.
const statusGone = 499

// show answers with a page or a piece of one. It is made whole before it is
// sent, so that one that can't be made becomes an error page.
func (s *server) show(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var b bytes.Buffer
	if err := c.Render(context.WithoutCancel(r.Context()), &b); err != nil { // who sent too slowly is told so, though the request is over
		s.Log.ErrorContext(r.Context(), "page can't be made", "route", r.Pattern, "error", err)
		http.Error(w, "norn: this page can't be made", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "HX-Request, Accept-Encoding, Accept-Language, Cookie")
	body := bytes.ToValidUTF8(b.Bytes(), []byte("\uFFFD")) // what was sent may be no text at all
	coding, body := packed(r, body)
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a reader that went away is no failure of ours
}

// fail answers with an error page in the reader's language. code names its
// words.
func (s *server) fail(w http.ResponseWriter, r *http.Request, status int, code string) {
	if strings.HasPrefix(r.URL.Path, "/t/") { // a seat's secret may stand there, in a link that is mistyped or comes too often
		w.Header().Set("Referrer-Policy", ofLinks)
	}
	read := s.reader(r)
	if hx(r) {
		if status == http.StatusNotFound { // the page that asks is no longer the reader's: show that
			w.Header().Set("HX-Refresh", "true")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		text := read.Say("web.error." + code)
		if status >= http.StatusInternalServerError || status == http.StatusTooManyRequests { // say what to do
			text += ". " + read.Say("web.error."+code+"-what")
		}
		s.show(w, r, status, html.Toast(text))
		return
	}
	id, _ := r.Context().Value(idKey{}).(string)
	if status != http.StatusInternalServerError {
		id = ""
	}
	back := ""
	if table := r.PathValue("table"); table != "" && r.PathValue("secret") == "" && code != "not-found" && code != "no-cookies" {
		back = seatAt(table, asked(r))
	}
	s.show(w, r, status, html.ErrorPage(s.frame(read, r, read.Say("web.error."+code), ""), code, id, back))
}

// notFound is the one answer to an address that opens nothing, whatever the
// reason.
func (s *server) notFound(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, http.StatusNotFound, "not-found")
}
