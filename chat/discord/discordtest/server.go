package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Waits bounds how long a test waits, on a busy machine.
const Waits = 3 * time.Minute

// epoch is the beginning of time in Discord's ids.
const epoch = 1420070400000

// Token is the bot's token.
const Token = "MTE4MDAwMDAwMDAwMDAwMDAx.GdiscT.a-token-that-nobody-may-ever-see-in-a-log"

const (
	application = "1180000000000000001"
	guild       = "1180000000000000002"
)

// Server is a Discord with one server, whose bot norn is.
type Server struct {
	URL       string // of the API
	PublicKey string // checks calls over HTTP, in hex

	*Gateway

	t       Test
	http    *httptest.Server
	private ed25519.PrivateKey

	mu       sync.Mutex
	changed  chan struct{} // closed with each change
	ids      int64
	channels map[string]*Channel
	people   map[string]*Person
	pending  map[string]*Interaction // by token
	commands []string                // names
	endpoint string                  // address for calls, "" for the gateway

	held     []*Interaction // delivered when the test says so
	holding  bool
	limited  int // number of requests that are still to be asked to wait
	patience time.Duration
	cut      int // number of responses that are still to be cut
	broken   int
	refusals []string
	Requests []string // "POST /channels/1/messages", in order
}

// Test is who runs a Server: a test, or a program that shows it.
type Test interface {
	Helper()
	Cleanup(end func())
	Errorf(format string, data ...any)
	Fatal(what ...any)
	Fatalf(format string, data ...any)
}

// New starts a Discord. A test fails at its end if something was refused that it didn't ask for
// with Refusals.
func New(t Test) *Server {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{
		t: t, PublicKey: hex.EncodeToString(public), private: private, changed: make(chan struct{}),
		channels: map[string]*Channel{},
		people:   map[string]*Person{}, pending: map[string]*Interaction{},
	}
	s.Gateway = &Gateway{
		sessions: map[string]*session{}, woke: func() {
			s.do(func() {})
		}, refuse: func(what string) {
			s.do(func() { s.refusals = append(s.refusals, what) })
		},
	}
	s.http = httptest.NewServer(s.routes())
	s.URL, s.Gateway.address = s.http.URL+"/api", "ws"+strings.TrimPrefix(s.http.URL, "http")+"/gateway"
	t.Cleanup(func() {
		s.Gateway.close()
		s.http.CloseClientConnections()
		s.http.Close()
		for _, refused := range s.Refusals() {
			t.Errorf("Discord refused: %s", refused)
		}
	})
	return s
}

// Refusals returns what was refused since the last call.
func (s *Server) Refusals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	refusals := s.refusals
	s.refusals = nil
	return refusals
}

// Calls makes interactions arrive by HTTP, at an address; "" for the gateway.
func (s *Server) Calls(address string) { s.do(func() { s.endpoint = address }) }

// Limit asks a number of requests to wait.
func (s *Server) Limit(requests int, after time.Duration) {
	s.do(func() { s.limited, s.patience = requests, after })
}

// Cut cuts the connection of a number of requests after accepting them, before the response.
func (s *Server) Cut(requests int) { s.do(func() { s.cut = requests }) }

// Break makes a number of requests fail.
func (s *Server) Break(requests int) { s.do(func() { s.broken = requests }) }

// Hold delays interactions until Tell delivers them, in an order that the test chooses.
func (s *Server) Hold() { s.do(func() { s.holding = true }) }

// Tell delivers delayed interactions by index: Tell(1, 0, 1) the second, the first, the second
// again.
func (s *Server) Tell(order ...int) {
	s.mu.Lock()
	held := s.held
	s.held, s.holding = nil, false
	s.mu.Unlock()
	for _, n := range order {
		s.tell(held[n])
	}
}

// do makes a change that tests may wait for.
func (s *Server) do(change func()) {
	s.mu.Lock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
}

// Changed returns a channel that is closed with the next change.
func (s *Server) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Until waits until is holds.
func (s *Server) Until(what string, is func() bool) {
	s.t.Helper()
	end := time.After(Waits)
	for {
		changed := s.Changed()
		if is() {
			return
		}
		select {
		case <-changed:
		case <-time.After(50 * time.Millisecond): // is may depend on more than this server
		case <-end:
			s.t.Fatalf("waited for %s; refused: %q; channels: %s", what, s.Refusals(), s.dump())
		}
	}
}

func (s *Server) dump() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out strings.Builder
	for _, c := range s.channels {
		fmt.Fprintf(&out, "\n#%s", c.Name)
		for _, m := range c.messages {
			fmt.Fprintf(&out, "\n  %s %q", m.id, m.content)
		}
	}
	return out.String()
}

// newID returns an id for the current time. The caller holds the lock.
func (s *Server) newID() string {
	s.ids++
	return strconv.FormatInt((time.Now().UnixMilli()-epoch)<<22|s.ids&0x3fffff, 10)
}

// refusal is an error response of Discord.
type refusal struct {
	status int
	code   int
	text   string
}

func invalid(format string, data ...any) *refusal {
	return &refusal{http.StatusBadRequest, 50035, "Invalid Form Body: " + fmt.Sprintf(format, data...)}
}

var (
	unknownInteraction = &refusal{http.StatusNotFound, 10062, "Unknown interaction"}
	acknowledged       = &refusal{http.StatusBadRequest, 40060, "Interaction has already been acknowledged."}
	unknownWebhook     = &refusal{http.StatusNotFound, 10015, "Unknown Webhook"}
	unknownMessage     = &refusal{http.StatusNotFound, 10008, "Unknown Message"}
	unknownChannel     = &refusal{http.StatusNotFound, 10003, "Unknown Channel"}
	missingAccess      = &refusal{http.StatusForbidden, 50001, "Missing Access"}
	unauthorized       = &refusal{http.StatusUnauthorized, 0, "401: Unauthorized"}
)

// usual reports whether a refusal is about the moment, not about a wrong request.
func (r *refusal) usual() bool { return r.status != http.StatusBadRequest || r == acknowledged }

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/gateway", s.Gateway)
	handle := func(pattern string, bot bool, answer func(*http.Request, body) (any, *refusal)) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /api/v10"+path, func(w http.ResponseWriter, r *http.Request) {
			s.serve(w, r, bot, answer)
		})
	}
	handle("GET /oauth2/applications/@me", true, func(*http.Request, body) (any, *refusal) {
		return map[string]any{"id": application, "name": "norn", "flags": 0}, nil
	})
	handle("GET /gateway/bot", true, func(*http.Request, body) (any, *refusal) {
		return map[string]any{
			"url": s.address, "shards": 1,
			"session_start_limit": map[string]int{
				"total": 1000, "remaining": 999, "reset_after": 1000,
				"max_concurrency": 1,
			},
		}, nil
	})
	handle("POST /applications/{app}/commands", true, s.register)
	handle("POST /users/@me/channels", true, s.openDM)
	handle("POST /channels/{channel}/messages", true, s.post)
	handle("PATCH /channels/{channel}/messages/{message}", true, s.edit)
	handle("POST /interactions/{interaction}/{token}/callback", false, s.callback)
	handle("POST /webhooks/{app}/{token}", false, s.followup)
	handle("PATCH /webhooks/{app}/{token}/messages/@original", false, s.editOriginal)
	handle("DELETE /webhooks/{app}/{token}/messages/@original", false, s.deleteOriginal)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.do(func() { s.refusals = append(s.refusals, "nothing is at "+r.Method+" "+r.URL.Path) })
		http.NotFound(w, r)
	})
	return mux
}

// body is the body of a request.
type body struct {
	fields map[string]any
	raw    json.RawMessage
	files  []File
}

// File is an attachment.
type File struct {
	Name, Alt string
	Data      []byte
}

// serve handles a request, or breaks it as the test wants.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, bot bool,
	answer func(*http.Request, body) (any, *refusal),
) {
	path := strings.TrimPrefix(r.URL.Path, "/api/v10")
	b, err := read(r)
	var limited, cut, broken bool
	var patience time.Duration
	var out any
	var refused *refusal
	s.do(func() {
		s.Requests = append(s.Requests, r.Method+" "+path)
		switch {
		case s.limited > 0:
			s.limited--
			limited, patience = true, s.patience
			return
		case s.broken > 0:
			s.broken--
			broken = true
			return
		}
		if s.cut > 0 {
			s.cut--
			cut = true
		}
		switch {
		case bot && r.Header.Get("Authorization") != "Bot "+Token:
			refused = unauthorized
		case err != nil:
			refused = invalid("%v", err)
		default:
			out, refused = answer(r, b)
		}
		if refused != nil && !refused.usual() {
			s.refusals = append(s.refusals, fmt.Sprintf("%s %s: %s %s", r.Method, path, refused.text, b.raw))
		}
	})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Via", "1.1 google")
	switch {
	case limited:
		w.Header().Set("X-RateLimit-Bucket", "b"+path)
		w.Header().Set("X-RateLimit-Scope", "user")
		w.Header().Set("Retry-After", strconv.Itoa(int((patience+time.Second-1)/time.Second)))
		w.WriteHeader(http.StatusTooManyRequests)
		_ = json.NewEncoder(w).Encode(map[string]any{
			"message":     "You are being rate limited.",
			"retry_after": patience.Seconds(), "global": false,
		})
	case broken:
		http.Error(w, "upstream connect error", http.StatusServiceUnavailable)
	case cut:
		panic(http.ErrAbortHandler)
	case refused != nil:
		w.WriteHeader(refused.status)
		_ = json.NewEncoder(w).Encode(map[string]any{"code": refused.code, "message": refused.text})
	case out == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		_ = json.NewEncoder(w).Encode(out)
	}
}

// read reads JSON, or a form with JSON and files.
func read(r *http.Request) (body, error) {
	var b body
	if r.Method == http.MethodGet || r.Method == http.MethodDelete {
		return b, nil
	}
	if kind := r.Header.Get("Content-Type"); strings.HasPrefix(kind, "multipart/form-data") {
		if err := r.ParseMultipartForm(32 << 20); err != nil {
			return b, err
		}
		b.raw = json.RawMessage(r.FormValue("payload_json"))
		for n := 0; ; n++ {
			heads := r.MultipartForm.File[fmt.Sprintf("files[%d]", n)]
			if len(heads) == 0 {
				break
			}
			f, err := heads[0].Open()
			if err != nil {
				return b, err
			}
			data, err := io.ReadAll(f)
			if err != nil {
				return b, err
			}
			b.files = append(b.files, File{Name: heads[0].Filename, Data: data})
		}
	} else {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return b, err
		}
		b.raw = data
	}
	err := json.NewDecoder(bytes.NewReader(b.raw)).Decode(&b.fields)
	return b, err
}

func (s *Server) register(_ *http.Request, b body) (any, *refusal) {
	if wrong := checkCommand(b.fields); wrong != nil {
		return nil, wrong
	}
	if name := text(b.fields, "name"); !slices.Contains(s.commands, name) {
		s.commands = append(s.commands, name)
	}
	b.fields["id"], b.fields["application_id"], b.fields["version"] = s.newID(), application, s.newID()
	return b.fields, nil
}

// Commands returns the names of registered commands.
func (s *Server) Commands() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands)
}

func (s *Server) openDM(_ *http.Request, b body) (any, *refusal) {
	p := s.people[fmt.Sprint(b.fields["recipient_id"])]
	if p == nil {
		return nil, &refusal{http.StatusNotFound, 10013, "Unknown User"}
	}
	return s.dm(p).json(), nil
}

// dm returns a person's private channel. The caller holds the lock.
func (s *Server) dm(p *Person) *Channel {
	if p.dm == nil {
		p.dm = &Channel{server: s, ID: s.newID(), Name: "@" + p.Name, With: p}
		s.channels[p.dm.ID] = p.dm
	}
	return p.dm
}

func (s *Server) post(r *http.Request, b body) (any, *refusal) {
	c, wrong := s.open(r.PathValue("channel"))
	if wrong != nil {
		return nil, wrong
	}
	if flags, _ := b.fields["flags"].(float64); int(flags)&64 != 0 {
		return nil, invalid("flags: only answers to interactions are ephemeral")
	}
	m, wrong := draftMessage(b, nil)
	if wrong != nil {
		return nil, wrong
	}
	if nonce, _ := b.fields["nonce"].(string); nonce != "" && b.fields["enforce_nonce"] == true {
		for _, before := range c.messages {
			if before.nonce == nonce {
				return before.json(), nil
			}
		}
		m.nonce = nonce
	}
	c.add(m)
	return m.json(), nil
}

func (s *Server) open(id string) (*Channel, *refusal) {
	switch c := s.channels[id]; {
	case c == nil || c.deleted:
		return nil, unknownChannel
	case c.shut:
		return nil, missingAccess
	default:
		return c, nil
	}
}

func (s *Server) edit(r *http.Request, b body) (any, *refusal) {
	c, wrong := s.open(r.PathValue("channel"))
	if wrong != nil {
		return nil, wrong
	}
	for _, m := range c.messages {
		if m.id == r.PathValue("message") && m.only == nil && !m.deleted {
			if _, wrong := draftMessage(b, m); wrong != nil {
				return nil, wrong
			}
			return m.json(), nil
		}
	}
	return nil, unknownMessage
}
