package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of one call over HTTP.
const (
	maxCall    = 1 << 20 // bytes: the API takes as much
	maxBatch   = 16      // messages in one call; newer versions of the protocol have no batches
	maxAnswers = 8 << 20 // bytes that the API may answer to all messages of one call
)

// Room is what the answers of a call take in memory until it's answered, among those of its address and all others.
type Room interface {
	Grow(bytes int) error // refuses what there is no room for
	Leave()               // gives all of it back
}

// room bounds the answers to one call.
type room struct {
	mu     sync.Mutex
	taken  int
	shared Room // nil for none
	over   bool // the call is answered: what still runs of it is told to nobody
}

// takes tells whether there is room for one answer more.
func (r *room) takes(bytes int) bool {
	if r == nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.taken += bytes; r.over || r.taken > maxAnswers {
		return false
	}
	return r.shared == nil || r.shared.Grow(bytes) == nil
}

// leave gives the room back.
func (r *room) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.shared != nil {
		r.shared.Leave()
	}
}

type roomKey struct{}

// Handler serves /mcp/{table} over HTTP, with the seat's secret as bearer, out of the same process
// as the API. Each request stands for itself, so any node answers any.
//
// Before anything else of a call is read, the API is asked whether the secret opens a seat, and once
// more for each further message of a batch: so a wrong secret is a failed try there, and each message
// counts as a request does. What the API refuses is answered as the API words it. share gives the
// answers of an address their room; nil bounds only those of each call.
func Handler(api http.Handler, version string, share func(address string) Room) http.Handler {
	seatOf := func(r *http.Request) *Seat {
		scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			secret = ""
		}
		return &Seat{
			API: inside{api}, Base: &url.URL{Scheme: "http", Host: "norn", Path: "/"}, Table: r.PathValue("table"),
			Secret: strings.TrimSpace(secret),
			Lang:   r.Header.Get("Accept-Language"), From: r.RemoteAddr,
		}
	}
	tools := &toolbox{}
	served := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		s := seatOf(r)
		s.tools = tools
		s.room, _ = r.Context().Value(roomKey{}).(*room)
		return s.Server(version)
	}, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxCall, PropagateRequestCancellation: true,
		// which would shut out who comes through a proxy; without the secret nobody gets in
		DisableLocalhostProtection: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the seat's secret is missing: Authorization: Bearer SECRET", http.StatusUnauthorized)
			return
		}
		seat := seatOf(r)
		if !seat.admit(w, r) {
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCall))
		if err != nil {
			http.Error(w, fmt.Sprintf("the call can't be read, or has more than %d bytes", maxCall),
				http.StatusRequestEntityTooLarge)
			return
		}
		messages := countMessages(body)
		if messages > maxBatch {
			http.Error(w, fmt.Sprintf("a batch has at most %d messages", maxBatch), http.StatusRequestEntityTooLarge)
			return
		}
		for range messages - 1 {
			if !seat.admit(w, r) {
				return
			}
		}
		answers := &room{}
		if share != nil {
			answers.shared = share(r.RemoteAddr)
		}
		defer answers.leave()
		r = r.WithContext(context.WithValue(r.Context(), roomKey{}, answers))
		r.Body = io.NopCloser(bytes.NewReader(body))
		served.ServeHTTP(w, r)
	})
}

// admit asks the API whether the seat may come in, and answers what it refuses.
func (s *Seat) admit(w http.ResponseWriter, r *http.Request) bool {
	answer, err := s.request(r.Context(), http.MethodGet, s.path(seatAt), atSeat, nil)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return false
	}
	defer answer.Body.Close()
	if answer.StatusCode < http.StatusBadRequest {
		return true
	}
	for _, name := range []string{"Content-Type", "Content-Language", "Retry-After"} {
		if value := answer.Header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body) // the reader may have gone
	return false
}

// countMessages counts the messages of a batch, no further than one too many; what is no batch is
// one. What isn't JSON is left to whoever serves it.
func countMessages(body []byte) int {
	d := json.NewDecoder(bytes.NewReader(body))
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		return 1
	}
	n := 0
	for ; d.More() && n <= maxBatch; n++ {
		var message json.RawMessage
		if d.Decode(&message) != nil {
			break
		}
	}
	return max(n, 1)
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
