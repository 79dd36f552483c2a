package middleware

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"norn/internal/limit"
	"norn/web/html"
)

// OfLinks is the Referrer-Policy of a page with a secret in its address: other sites don't get the
// path, and its forms still work.
const OfLinks = "origin"

// StatusGone is the status for a client that disconnected before the response: proxies use it too,
// and it isn't a failure of norn.
const StatusGone = 499

// HX reports whether the script makes the request, and so needs a part of a page.
func HX(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// idKey is the context key of a request's id.
type idKey struct{}

// FrameOf returns the frame of the page at the request's address.
func (k *Keeper) FrameOf(read html.Reader, r *http.Request, title, game string) html.Frame {
	return html.Frame{Reader: read, Site: k.Site, Title: title, Game: game, Path: r.URL.RequestURI()}
}

// Show responds with a page or a part of one. It renders everything first, so that a failure
// becomes an error page.
func (k *Keeper) Show(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var b bytes.Buffer
	// without cancelling, so that a client whose request timed out gets the error page
	if err := c.Render(context.WithoutCancel(r.Context()), &b); err != nil {
		k.Log.ErrorContext(r.Context(), "page can't be made", "route", r.Pattern, "error", err)
		http.Error(w, "norn: this page can't be made", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "HX-Request, Accept-Encoding, Accept-Language, Cookie")
	coding, body := pack(r, readable(k.Base.Pages(b.Bytes())))
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have disconnected
}

// controls lists the control characters that can't stand in a page.
const controls = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"

// readable returns a page with U+FFFD for what can't stand in one, as a page that keeps what was posted
// may have: bytes that are no text, control characters and what is no character.
func readable(page []byte) []byte {
	if utf8.Valid(page) && !bytes.ContainsAny(page, controls) && !bytes.Contains(page, []byte("\uFFFE")) &&
		!bytes.Contains(page, []byte("\uFFFF")) {
		return page
	}
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, page)
}

// Fail responds with an error page in the reader's language. code names its words.
func (k *Keeper) Fail(w http.ResponseWriter, r *http.Request, status int, code string) {
	k.FailSaying(w, r, status, code)
}

// FailSaying is Fail with data for the words.
func (k *Keeper) FailSaying(w http.ResponseWriter, r *http.Request, status int, code string, data ...any) {
	// the address may contain a seat's secret, in a mistyped link or one that is opened too often
	if strings.HasPrefix(r.URL.Path, "/t/") {
		w.Header().Set("Referrer-Policy", OfLinks)
	}
	read := k.ReaderOf(r)
	what := read.Say("web.error."+code+"-what", data...)
	if HX(r) {
		if status == http.StatusNotFound { // the page isn't the reader's any more: show that
			w.Header().Set("HX-Refresh", "true")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		text := read.Say("web.error." + code)
		// these need advice
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
	back, recovery := "", ""
	if table := r.PathValue("table"); table != "" {
		switch {
		case code == "not-found":
			recovery = SeatAt(table, "") + "/recover"
		case r.PathValue("secret") == "" && code != "no-cookies":
			back = SeatAt(table, AskedSeat(r))
		}
	}
	f := k.FrameOf(read, r, read.Say("web.error."+code), "")
	k.Show(w, r, status, html.ErrorPage(f, code, what, id, back, recovery))
}

// NotFound responds to every address that doesn't exist, whatever the reason.
func (k *Keeper) NotFound(w http.ResponseWriter, r *http.Request) {
	k.Fail(w, r, http.StatusNotFound, "not-found")
}

// Often responds to a client with too many requests.
func (k *Keeper) Often(w http.ResponseWriter, r *http.Request, e *limit.Error) {
	w.Header().Set("Retry-After", strconv.Itoa(e.Seconds()))
	k.Fail(w, r, http.StatusTooManyRequests, "too-often")
}
