package agent

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostCalled is how many bytes a call may have: the API takes as much.
const mostCalled = 1 << 20

// Handler serves /mcp/{table} over HTTP, with the seat's secret as bearer, out of the same process as the API. Each request
// stands for itself, so any node answers any.
func Handler(api http.Handler, version string) http.Handler {
	served := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			secret = ""
		}
		s := &Seat{
			API: inside{api}, Base: &url.URL{Scheme: "http", Host: "norn", Path: "/"}, Table: r.PathValue("table"), Secret: strings.TrimSpace(secret),
			Lang: r.Header.Get("Accept-Language"), From: r.RemoteAddr,
		}
		return s.Server(version)
	}, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: mostCalled, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // which would shut out who comes through a proxy; without the secret nobody gets in
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the seat's secret is missing: Authorization: Bearer SECRET", http.StatusUnauthorized)
			return
		}
		served.ServeHTTP(w, r)
	})
}

// inside carries requests to a handler of this process.
type inside struct{ handler http.Handler }

func (i inside) RoundTrip(r *http.Request) (*http.Response, error) {
	r.RequestURI = r.URL.RequestURI()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := &written{head: http.Header{}, status: http.StatusOK}
	i.handler.ServeHTTP(w, r)
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Header: w.head, Request: r,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()),
	}, nil
}

// written is an answer that is kept.
type written struct {
	head   http.Header
	status int
	wrote  bool
	body   bytes.Buffer
}

func (w *written) Header() http.Header { return w.head }

func (w *written) WriteHeader(status int) {
	if !w.wrote {
		w.status, w.wrote = status, true
	}
}

func (w *written) Write(data []byte) (int, error) {
	w.wrote = true
	return w.body.Write(data)
}
