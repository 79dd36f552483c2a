// Package door is what stands before every page: it guards requests, knows who reads and over what they came, keeps their
// cookies, serves what is bundled, and sends pages, errors among them.
//
// It knows no table: who may sit down is asked elsewhere.
package door

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/web/html"
)

// Config is what stands before the pages.
type Config struct {
	Words   *lang.Words
	Games   []*game.Game // as they are offered
	Origin  string       // "https://norn.example", for links that people send; "" takes it from the request
	Log     *slog.Logger
	Limits  *limit.Door    // turns away who comes too often
	Proxies []netip.Prefix // whose word counts for where a request comes from, and that it came over TLS
	Meter   Meter          // hears what there is to count
	Bundle  fs.FS          // what is bundled, in its folder dist
	Icon    []byte         // the site's
	Times
}

// Times are how long others may take.
type Times struct {
	Slow  time.Duration // for one event of a live stream
	Read  time.Duration // to send a body
	Write time.Duration // to take an answer
}

// slowAfter is how long a reader may take for one event of a stream. Who is slower loses the connection, holds nobody
// up meanwhile, and goes on where the last whole event ended.
const slowAfter = 15 * time.Second

// Routes are addresses, in the syntax of http.ServeMux, and what is served there.
type Routes map[string]http.HandlerFunc

// Usual are the times that anybody may take.
func Usual() Times { return Times{Slow: slowAfter, Read: readTime, Write: writeTime} }

// Keeper looks after all requests.
type Keeper struct {
	Config
	assets *assets
	Site   *html.Site
}

// New makes a keeper. It panics on a bundle that can't be read.
func New(c Config) *Keeper {
	k := &Keeper{Config: c, assets: readAssets(c.Bundle, c.Icon)}
	k.Site = &html.Site{File: k.assets.URL, Worker: k.Worker(), OwnHeads: k.assets.OwnHeads, Name: c.Words.Name}
	k.Site.Painted = func(id string) string {
		g := k.Game(id)
		if g == nil {
			return ""
		}
		return PaintAt(g.Now())
	}
	for _, g := range c.Games {
		k.Site.Games = append(k.Site.Games, g.ID)
	}
	return k
}

// Game finds a game that is offered, nil for none.
func (k *Keeper) Game(id string) *game.Game {
	for _, g := range k.Games {
		if g.ID == id {
			return g
		}
	}
	return nil
}

// Parse reads a posted form; false means that an error was answered.
func (k *Keeper) Parse(w http.ResponseWriter, r *http.Request) bool {
	if bound, files := boundary(r); files {
		return k.parsed(w, r, parts(r, bound))
	}
	body, err := io.ReadAll(r.Body)
	if err == nil && bytes.Count(body, []byte("&")) >= mostFields { // before each of them becomes much more than it was
		k.Fail(w, r, http.StatusRequestEntityTooLarge, "too-many-fields")
		return false
	}
	if err == nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
		err = r.ParseForm()
	}
	return k.parsed(w, r, err)
}

// parsed answers with why a form couldn't be read; true is for one that could.
func (k *Keeper) parsed(w http.ResponseWriter, r *http.Request, err error) bool {
	if err == nil {
		return true
	}
	if often := limit.As(err); often != nil {
		k.Often(w, r, often)
		return false
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		k.Fail(w, r, http.StatusRequestTimeout, "too-slow")
		return false
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		k.Fail(w, r, http.StatusRequestEntityTooLarge, "too-large")
	} else {
		k.Fail(w, r, http.StatusBadRequest, "unreadable")
	}
	return false
}

// FrameOf is of a page that a request asks for.
func (k *Keeper) FrameOf(read html.Reader, r *http.Request, title, game string) html.Frame {
	return html.Frame{Reader: read, Site: k.Site, Title: title, Game: game, Path: r.URL.RequestURI()}
}

// HX tells whether script asks, and so wants a piece instead of a page.
func HX(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// StatusGone is counted where who asked has gone before there was an answer: as
// proxies do, and no failure of ours.
const StatusGone = 499

// Show answers with a page or a piece of one. It is made whole before it is
// sent, so that one that can't be made becomes an error page.
func (k *Keeper) Show(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var b bytes.Buffer
	if err := c.Render(context.WithoutCancel(r.Context()), &b); err != nil { // who sent too slowly is told so, though the request is over
		k.Log.ErrorContext(r.Context(), "page can't be made", "route", r.Pattern, "error", err)
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

// Fail answers with an error page in the reader's language. code names its
// words.
func (k *Keeper) Fail(w http.ResponseWriter, r *http.Request, status int, code string) {
	if strings.HasPrefix(r.URL.Path, "/t/") { // a seat's secret may stand there, in a link that is mistyped or comes too often
		w.Header().Set("Referrer-Policy", OfLinks)
	}
	read := k.ReaderOf(r)
	if HX(r) {
		if status == http.StatusNotFound { // the page that asks is no longer the reader's: show that
			w.Header().Set("HX-Refresh", "true")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		text := read.Say("web.error." + code)
		if status >= http.StatusInternalServerError || status == http.StatusTooManyRequests { // say what to do
			text += ". " + read.Say("web.error."+code+"-what")
		}
		k.Show(w, r, status, html.Toast(text))
		return
	}
	id, _ := r.Context().Value(idKey{}).(string)
	if status != http.StatusInternalServerError {
		id = ""
	}
	back := ""
	if table := r.PathValue("table"); table != "" && r.PathValue("secret") == "" && code != "not-found" && code != "no-cookies" {
		back = SeatAt(table, Asked(r))
	}
	k.Show(w, r, status, html.ErrorPage(k.FrameOf(read, r, read.Say("web.error."+code), ""), code, id, back))
}

// NotFound is the one answer to an address that opens nothing, whatever the
// reason.
func (k *Keeper) NotFound(w http.ResponseWriter, r *http.Request) {
	k.Fail(w, r, http.StatusNotFound, "not-found")
}

// OriginOf is where links that people send lead to.
func (k *Keeper) OriginOf(r *http.Request) string {
	if k.Origin != "" {
		return strings.TrimSuffix(k.Origin, "/")
	}
	if Secure(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// What routes the limits of requests look at: a live stream lasts, and bundled files are light and many.
const (
	LiveRoute   = "GET /t/{table}/live"
	BundleRoute = "GET /assets/{file}"
	APIRoutes   = "/api/"
	AgentRoute  = "/mcp/{table}"
)
