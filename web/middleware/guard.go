package middleware

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"strings"
	"time"

	"norn/internal/limit"
	"norn/internal/rescue"
	"norn/odds"
)

// Limits of a request.
const (
	maxBody    = 1 << 20  // bytes
	maxAddress = 16 << 10 // bytes
)

// hookTime bounds a webhook call of a chat platform, from its headers to the response: its work is
// done before that, and the result posted to the platform.
const hookTime = 2 * time.Minute

// policy lets a page load only files of this server; directives that it doesn't name follow the
// first.
const policy = "default-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

// permissions turns off browser features that norn doesn't use.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), " +
	"midi=(), payment=(), usb=()"

// strictTransport makes browsers that came over TLS use nothing else for 30 days.
const strictTransport = "max-age=2592000"

// ofPages has the headers of all responses but the API's, ofData of those. To change a value set a
// new slice: these are shared.
var ofPages = http.Header{
	"X-Content-Type-Options":       {"nosniff"},
	"Content-Security-Policy":      {policy},
	"Permissions-Policy":           {permissions},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	// Other sites get no referrer. This server does: with no-referrer, browsers post forms with the
	// origin "null", which over plain HTTP looks like another site's.
	"Referrer-Policy": {"same-origin"},
}

var ofData = http.Header{
	"X-Content-Type-Options": {"nosniff"},
	// in case a browser shows it as a page
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
}

// Guard gives each request an id, limits and security headers, logs and counts it without its
// secrets, and turns a panic into an error page.
func (k *Keeper) Guard(next *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		id := Random(8)
		ctx := context.WithValue(r.Context(), idKey{}, id)
		address, encrypted := k.from(r)
		r = r.WithContext(context.WithValue(ctx, secureKey{}, encrypted))
		r.RemoteAddr = address
		hook := k.Hooks[r.URL.Path]
		r, below := k.Base.strip(r)
		r = as(r)
		defer k.bound(w, r)()

		h := w.Header()
		h.Set("X-Request-Id", id)
		if hook != nil {
			_ = http.NewResponseController(w).SetWriteDeadline(began.Add(hookTime))
		}
		if hook != nil || strings.HasPrefix(r.URL.Path, APIRoutes) {
			maps.Copy(h, ofData)
		} else {
			maps.Copy(h, ofPages)
		}
		if encrypted {
			h.Set("Strict-Transport-Security", strictTransport)
		}

		seen := &watched{ResponseWriter: w, base: k.Base}
		defer func() {
			if broken := recover(); broken != nil {
				if broken == http.ErrAbortHandler {
					panic(broken)
				}
				rescue.Note(k.Log, "request", broken, "route", r.Pattern, "id", id)
				if seen.status == 0 {
					k.Fail(seen, r, http.StatusInternalServerError, "broken")
				}
			}
			took := time.Since(began)
			if k.Log.Enabled(r.Context(), slog.LevelDebug) {
				k.Log.DebugContext(r.Context(), "request", "method", methodName(r.Method), "route", r.Pattern, "status",
					seen.status, "bytes", seen.bytes, "took_ms", float64(took.Microseconds())/1000, "client", k.client(address))
			}
			if h.Get("Content-Type") == "text/event-stream" {
				took = 0 // the time of a stream would distort the statistics
			}
			k.Meter.CountRequest(r.Pattern, seen.status, took)
		}()
		if hook != nil {
			r.Pattern = hookRoute
			k.count(hook, false, seen, r)
			return
		}
		switch {
		case !below:
			k.count(http.HandlerFunc(k.NotFound), false, seen, r)
		case r.URL.Path == "": // the base without a slash
			http.Redirect(seen, r, "/", http.StatusPermanentRedirect)
		default:
			k.admit(next, seen, r)
		}
	})
}

// methodName returns a method for the log. An unknown one could be any text, even a secret.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "other"
}

// admit passes a request on if its address isn't too long and the client hasn't too many requests,
// in total or at once. The API does this itself. The route decides whether a request is a live
// stream or a bundled file; one with a body is neither.
func (k *Keeper) admit(next *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	_, route := next.Handler(r)
	if route == APIRoutes || route == BundleRoute && r.ContentLength == 0 {
		next.ServeHTTP(w, r)
		return
	}
	if len(r.RequestURI) > maxAddress {
		k.Fail(w, r, http.StatusRequestURITooLong, "too-long")
		return
	}
	k.count(next, route == LiveRoute && r.ContentLength == 0, w, r)
}

// count passes a request on if its address hasn't too many. A live stream doesn't occupy a place
// among them.
func (k *Keeper) count(next http.Handler, lasts bool, w http.ResponseWriter, r *http.Request) {
	leave, err := k.Limits.Request(odds.Asker(r.RemoteAddr), lasts)
	if often := limit.As(err); often != nil {
		k.Often(w, r, often)
		return
	}
	defer leave()
	next.ServeHTTP(w, r)
}

// bound limits a request's body, by itself and together with all other bodies in progress, and the
// time to read it and to write the response. A live stream sets its own time for each event. leave
// must be called after the response.
func (k *Keeper) bound(w http.ResponseWriter, r *http.Request) (leave func()) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(k.Write)) // some writers don't support deadlines
	leave = func() {}
	most, within := int64(maxBody), k.Read
	if uploads(r) {
		most, within = maxUpload, uploadTimes*k.Read
		_ = control.SetWriteDeadline(time.Now().Add(within + k.Write)) // includes the time to decode a picture
	}
	if r.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Now().Add(within))
		room := k.Limits.Body(odds.Asker(r.RemoteAddr))
		leave = room.Leave
		r.Body = &timed{r.Body, control, room}
	}
	r.Body = http.MaxBytesReader(w, r.Body, most)
	return leave
}

// timed is a body that must arrive in time and fit into the space for bodies. After it's read the
// deadline is lifted, since net/http reads on to notice a disconnect.
type timed struct {
	io.ReadCloser
	control *http.ResponseController
	room    *limit.Body
}

func (t *timed) Read(data []byte) (int, error) {
	n, err := t.ReadCloser.Read(data)
	if err == io.EOF {
		_ = t.control.SetReadDeadline(time.Time{})
	}
	if full := t.room.Grow(n); full != nil {
		return 0, full
	}
	return n, err
}

// watched remembers the status and size of a response.
type watched struct {
	http.ResponseWriter
	base   Base
	status int
	bytes  int
}

// WriteHeader starts the response. It ignores a second status, which the API's library sets if the
// client disconnects meanwhile.
func (w *watched) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	if status >= http.StatusOK { // informational responses come before the real one
		w.status = status
	}
	w.base.lead(w.Header())
	w.ResponseWriter.WriteHeader(status)
}

func (w *watched) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(data)
	w.bytes += n
	return n, err
}

// Hijack takes over the connection for a live stream, which counts as a successful response.
func (w *watched) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil {
		w.status = http.StatusOK
	}
	return conn, buffers, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Random returns a text of n random bytes.
func Random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
