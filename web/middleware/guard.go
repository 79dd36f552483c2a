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
	"runtime/debug"
	"strings"
	"time"

	"norn/limit"
	"norn/odds"
)

// Bounds of a request.
const (
	maxBody    = 1 << 20  // bytes
	maxAddress = 16 << 10 // bytes of its address
)

// hookTime is how long a platform's call may take, from its head to its answer: what it asks for is
// done meanwhile, and is posted to the platform.
const hookTime = 2 * time.Minute

// policy lets a page load what is ours and nothing else; what has no part of its own goes by the first.
const policy = "default-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

// permissions are those that norn has no use for.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), " +
	"midi=(), payment=(), usb=()"

// strictTransport is how long browsers that came over TLS shall come no other way: 30 days.
const strictTransport = "max-age=2592000"

// ofPages stand on each answer but those of the API, ofData on these. Whoever wants another value
// sets it anew: they are shared.
var ofPages = http.Header{
	"X-Content-Type-Options":       {"nosniff"},
	"Content-Security-Policy":      {policy},
	"Permissions-Policy":           {permissions},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	// Nothing goes to other sites. To our own it does: with no-referrer, browsers send forms with the
	// origin "null", which over plain HTTP can't be told from another site's.
	"Referrer-Policy": {"same-origin"},
}

var ofData = http.Header{
	"X-Content-Type-Options": {"nosniff"},
	// should it ever be taken for a page
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
}

// Guard gives each request an id, bounds and safe headers, logs and counts it
// without its secrets, and turns a panic into a page.
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
				k.Log.ErrorContext(r.Context(), "request panicked", "route", r.Pattern, "panic", broken, "stack",
					string(debug.Stack()))
				if seen.status == 0 {
					k.Fail(seen, r, http.StatusInternalServerError, "broken")
				}
			}
			took := time.Since(began)
			if k.Log.Enabled(r.Context(), slog.LevelDebug) {
				k.Log.DebugContext(r.Context(), "request", "method", methodName(r.Method), "route", r.Pattern, "status",
					seen.status, "bytes", seen.bytes, "took", took)
			}
			if h.Get("Content-Type") == "text/event-stream" {
				took = 0 // how long a stream was open says nothing
			}
			k.Meter.Answered(r.Pattern, seen.status, took)
		}()
		if hook != nil {
			r.Pattern = hookRoute
			k.count(hook, false, seen, r)
			return
		}
		switch {
		case !below:
			k.count(http.HandlerFunc(k.NotFound), false, seen, r)
		case r.URL.Path == "": // the base alone
			http.Redirect(seen, r, "/", http.StatusPermanentRedirect)
		default:
			k.admit(next, seen, r)
		}
	})
}

// methodName is a method as the log names it: what is none may be any word, a secret too.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "other"
}

// admit lets a request on that isn't too long and of somebody who doesn't come
// too often, nor with too much at once. The API says for itself who does. What a
// request is, its route says, and one with a body is none that lasts or is light.
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

// count lets a request on among those of its address. One that lasts takes no place there.
func (k *Keeper) count(next http.Handler, lasts bool, w http.ResponseWriter, r *http.Request) {
	leave, err := k.Limits.Request(odds.Asker(r.RemoteAddr), lasts)
	if often := limit.As(err); often != nil {
		k.Often(w, r, often)
		return
	}
	defer leave()
	next.ServeHTTP(w, r)
}

// bound gives a request's body a most, room among all bodies that are under way, and its reading and the answer's
// writing a time. A live stream sets its own, event by event. leave must be called when the request is answered.
func (k *Keeper) bound(w http.ResponseWriter, r *http.Request) (leave func()) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(k.Write)) // not every writer knows deadlines
	leave = func() {}
	most, within := int64(maxBody), k.Read
	if uploads(r) {
		most, within = maxUpload, uploadTimes*k.Read
		_ = control.SetWriteDeadline(time.Now().Add(within + k.Write)) // by then it's decoded, too
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

// timed is a body that must be there in time, and has to find room. Once it is, the time is lifted, since what
// waits for the end of the connection reads on.
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

// watched remembers what was answered.
type watched struct {
	http.ResponseWriter
	base   Base
	status int
	bytes  int
}

// WriteHeader begins the answer, once: of a reader who goes while the answer is
// written, the API's library sets another status afterwards.
func (w *watched) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	if status >= http.StatusOK { // what comes before is no answer yet
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

// Hijack gives a live stream its connection; its answer begins there.
func (w *watched) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil {
		w.status = http.StatusOK
	}
	return conn, buffers, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Random is a text of n random bytes.
func Random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
