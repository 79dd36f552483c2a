package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"norn/games"
	"norn/web"
	"norn/web/api"
)

// once is a response that notices when it's started twice.
type once struct {
	*httptest.ResponseRecorder
	begun bool
	again string // where it was started again
	gone  func() // called when anything is written, as the client disconnects; nil for a client that stays
}

func (o *once) WriteHeader(status int) {
	if o.begun {
		o.again = string(debug.Stack())
	}
	o.begun = o.begun || status >= 200
	o.ResponseRecorder.WriteHeader(status)
}

func (o *once) Write(data []byte) (int, error) {
	o.begun = true
	if o.gone != nil {
		o.gone()
		return 0, errors.New("the reader has gone")
	}
	return o.ResponseRecorder.Write(data)
}

// broken is a body that ends in an error.
type broken struct {
	io.Reader
	err error
}

func (b broken) Read(data []byte) (int, error) {
	n, err := b.Reader.Read(data)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func text(sent string) func() io.Reader {
	return func() io.Reader { return strings.NewReader(sent) }
}

// Any request gets exactly one response, however it breaks off.
func TestEveryRequestGetsExactlyOneResponse(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	h := open(t)
	c := web.Config{Host: h.host, Words: guardWords(), Games: games.All(), Log: h.log}
	c.API = api.New(api.Config{Host: h.host, Words: guardWords(), Games: games.All(), Log: h.log})
	pages := web.New(c)
	answered := func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				t.Error(p)
			}
		}()
		pages.ServeHTTP(w, r)
	}
	paths := append([]string{
		"POST /tables", "POST /join", "POST /look", "GET /", "PUT /", "POST /api/v1/tables",
		"POST /api/v1/tables/{table}/moves", "POST /api/v1/odds/spire/check",
		"PATCH /api/v1/tables/{table}/settings", "GET /api/v1/tables/{table}", "HEAD /api/v1/tables/{table}/export",
		"GET /api/v1/tables/{table}/export", "GET /api/v1/tables/{table}/seen",
		"HEAD /t/{table}", "HEAD /t/{table}/seen.jsonl", "HEAD /t/{table}/export.jsonl",
	}, routes...)
	for _, route := range paths {
		method, path, _ := strings.Cut(route, " ")
		path = strings.Replace(path, "{table}", h.table, 1)
		if strings.HasSuffix(path, "/live") {
			continue
		}
		for _, who := range []string{"gm", "watcher", ""} {
			for what, body := range map[string]func() io.Reader{
				"nothing":  text(""),
				"gone":     text(""),
				"too much": text("a=" + strings.Repeat("x", 2<<20)),
				"no form":  text("%zz"),
				"no JSON":  text(`{"a"`),
				"no end":   text(`{"a":` + strings.Repeat("[", 1<<19)),
				"fields":   text(strings.Repeat("a=1&", 3000) + "b"),
				"cut off":  func() io.Reader { return broken{strings.NewReader("a=1"), io.ErrUnexpectedEOF} },
				"too slow": func() io.Reader { return broken{strings.NewReader("a=1"), os.ErrDeadlineExceeded} },
				"reset":    func() io.Reader { return broken{strings.NewReader("{"), errors.New("connection reset")} },
			} {
				for _, media := range []string{
					"application/x-www-form-urlencoded", "application/json",
					"multipart/form-data; boundary=x", "?",
				} {
					r := httptest.NewRequestWithContext(t.Context(), method, path, body())
					r.Header.Set("Content-Type", media)
					r.Header.Set("Sec-Fetch-Site", "same-origin")
					if who != "" {
						secret := h.links[who][strings.LastIndex(h.links[who], "/")+1:]
						r.AddCookie(&http.Cookie{Name: "seat_" + h.table, Value: secret})
						r.Header.Set("Authorization", "Bearer "+secret)
					}
					w := &once{ResponseRecorder: httptest.NewRecorder()}
					if what == "gone" {
						ctx, cancel := context.WithCancel(r.Context())
						r, w.gone = r.WithContext(ctx), cancel
					}
					answered(w, r)
					if w.again != "" {
						t.Errorf("%s with %s as %s by %q is answered again:\n%s", route, what, media, who, w.again)
						return
					}
				}
			}
		}
	}
}
