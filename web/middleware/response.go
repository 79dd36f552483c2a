package middleware

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/limit"
	"norn/web/html"
)

// OfLinks is the Referrer-Policy of a page at an address with a secret: what it loads isn't told
// it, and its forms still work.
const OfLinks = "origin"

// StatusGone is counted where who asked has gone before there was an answer: as
// proxies do, and no failure of ours.
const StatusGone = 499

// HX tells whether script asks, and so wants a piece instead of a page.
func HX(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// idKey is under what a request says its id.
type idKey struct{}

// FrameOf is of a page that a request asks for.
func (k *Keeper) FrameOf(read html.Reader, r *http.Request, title, game string) html.Frame {
	return html.Frame{Reader: read, Site: k.Site, Title: title, Game: game, Path: r.URL.RequestURI()}
}

// Show answers with a page or a piece of one. It is made whole before it is
// sent, so that one that can't be made becomes an error page.
func (k *Keeper) Show(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var b bytes.Buffer
	// who sent too slowly is told so, though the request is over
	if err := c.Render(context.WithoutCancel(r.Context()), &b); err != nil {
		k.Log.ErrorContext(r.Context(), "page can't be made", "route", r.Pattern, "error", err)
		http.Error(w, "norn: this page can't be made", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "HX-Request, Accept-Encoding, Accept-Language, Cookie")
	body := bytes.ToValidUTF8(k.Base.Pages(b.Bytes()), []byte("\uFFFD")) // what was sent may be no text at all
	coding, body := pack(r, body)
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
	k.FailSaying(w, r, status, code)
}

// FailSaying is Fail with what its words speak of.
func (k *Keeper) FailSaying(w http.ResponseWriter, r *http.Request, status int, code string, data ...any) {
	// a seat's secret may stand there, in a link that is mistyped or comes too often
	if strings.HasPrefix(r.URL.Path, "/t/") {
		w.Header().Set("Referrer-Policy", OfLinks)
	}
	read := k.ReaderOf(r)
	what := read.Say("web.error."+code+"-what", data...)
	if HX(r) {
		if status == http.StatusNotFound { // the page that asks is no longer the reader's: show that
			w.Header().Set("HX-Refresh", "true")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		text := read.Say("web.error." + code)
		// say what to do
		if status >= http.StatusInternalServerError || status == http.StatusTooManyRequests || code == "other-host" {
			text += ". " + what
		}
		k.Show(w, r, status, html.Toast(text))
		return
	}
	id, _ := r.Context().Value(idKey{}).(string)
	if status != http.StatusInternalServerError {
		id = ""
	}
	back := ""
	if table := r.PathValue("table"); table != "" && r.PathValue("secret") == "" && code != "not-found" &&
		code != "no-cookies" {
		back = SeatAt(table, AskedSeat(r))
	}
	k.Show(w, r, status, html.ErrorPage(k.FrameOf(read, r, read.Say("web.error."+code), ""), code, what, id, back))
}

// NotFound is the one answer to an address that opens nothing, whatever the
// reason.
func (k *Keeper) NotFound(w http.ResponseWriter, r *http.Request) {
	k.Fail(w, r, http.StatusNotFound, "not-found")
}

// Often answers to somebody who comes too often.
func (k *Keeper) Often(w http.ResponseWriter, r *http.Request, e *limit.Error) {
	w.Header().Set("Retry-After", strconv.Itoa(e.Seconds()))
	k.Fail(w, r, http.StatusTooManyRequests, "too-often")
}
