package telegramtest

import (
	"net/http/httptest"
	"time"
)

// Token is the bot's token, and Username its name.
const (
	Token    = "4711:AAE-a_secret_that_nobody_may_see"
	Username = "norn_bot"
	botID    = 4711
)

// Server is a Telegram.
type Server struct {
	URL string // of its API
	Updates

	http     *httptest.Server
	chats    map[int64]*chat
	people   map[int64]*Person
	blocked  map[int64]bool // people who haven't opened a chat with the bot, or have closed it
	moved    map[int64]int64
	message  int
	presses  map[string]*press
	queries  map[string][]Result
	answered map[string]bool // queries
	commands map[string][]string
	faults   map[string][]Fault
	calls    map[string]int
	perChat  int // messages that a chat accepts in a minute, 0 for no limit
	sent     map[int64][]time.Time
}

type press struct {
	answered bool
	text     string
	alert    bool
}

type chat struct {
	id       int64
	title    string
	forum    bool
	topics   map[int]string
	messages []*Message
	gone     bool
}

// Fault is a failure of a call.
type Fault struct {
	Code       int           // of the response; 0 with Cut
	Says       string        // its description
	RetryAfter int           // seconds, for 429
	Cut        bool          // the connection breaks during the response
	Done       bool          // the method runs nevertheless
	Wait       time.Duration // before the response
}

// New starts a Telegram. Tests close it.
func New() *Server {
	s := &Server{
		Updates: Updates{woke: make(chan struct{}), nextID: 100}, chats: map[int64]*chat{}, people: map[int64]*Person{},
		blocked: map[int64]bool{}, moved: map[int64]int64{},
		presses: map[string]*press{}, queries: map[string][]Result{}, answered: map[string]bool{},
		commands: map[string][]string{}, faults: map[string][]Fault{}, calls: map[string]int{},
		sent: map[int64][]time.Time{},
	}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	return s
}

// Close ends it and everything that waits for it.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.wake()
	s.mu.Unlock()
	s.http.CloseClientConnections()
	s.http.Close()
}

// Fail makes the next calls of a method fail, one for each fault.
func (s *Server) Fail(method string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[method] = append(s.faults[method], faults...)
}

// Mend removes the faults of a method.
func (s *Server) Mend(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.faults, method)
}

// Bound limits the messages that each chat accepts in a minute from now on.
func (s *Server) Bound(perMinute int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.perChat = perMinute
}

// Calls returns how often a method was called.
func (s *Server) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// Commands returns the bot's commands, by scope and language: "all_private_chats ru".
func (s *Server) Commands(scope string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[scope]
}
