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

	"norn/internal/nesting"
)

// Limits of one call over HTTP.
const (
	maxCall    = 1 << 20 // bytes: as much as the API accepts
	maxBatch   = 16      // messages in one call; newer versions of the protocol have no batches
	maxAnswers = 8 << 20 // bytes of the API's answers to all messages of one call
)

// Room is the memory that the answers to a call use until it is answered. Its address and the whole
// server share it.
type Room interface {
	Grow(bytes int) error // fails when there is no more room
	Leave()               // releases all of it
}

// room limits the answers to one call.
type room struct {
	mu     sync.Mutex
	taken  int
	shared Room // nil for none
	over   bool // the call is answered: later answers are discarded
}

// takes reports whether there is room for one more answer.
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

// leave releases the room.
func (r *room) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.shared != nil {
		r.shared.Leave()
	}
}

type roomKey struct{}

// Handler serves /mcp/{table} over HTTP in the process of the API, with the seat's secret as a
// bearer token. Requests are independent, so any node can answer any of them.
//
// Before it reads a call, it asks the API whether the secret opens a seat, and once more for each
// further message of a batch. So a wrong secret counts as a failed attempt there, and each message
// as a request. Refusals are passed on in the API's words. share returns the room for the answers
// to an address; nil limits only each single call.
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
		// it would block clients that come through a proxy; the secret protects the seat
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
		if nesting.TooDeep(body) {
			http.Error(w, nesting.ErrTooDeep.Error(), http.StatusBadRequest)
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

// admit asks the API whether the seat's secret is valid, and passes on a refusal.
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
	_, _ = io.Copy(w, answer.Body) // the client may have disconnected
	return false
}

// countMessages counts the messages of a batch, up to one more than allowed. Anything else counts
// as one, and the server rejects what isn't JSON.
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

// inside sends requests to a handler of this process.
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

// written records an answer.
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
