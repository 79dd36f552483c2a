package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Token is the bot's, and Username its name.
const (
	Token    = "4711:AAE-a_secret_that_nobody_may_see"
	Username = "norn_bot"
	botID    = 4711
)

// Server is a Telegram.
type Server struct {
	URL string // of its API

	http *httptest.Server
	mu   sync.Mutex
	woke chan struct{} // closed when something happened

	chats    map[int64]*chat
	people   map[int64]*Person
	blocked  map[int64]bool // people who opened no chat with the bot, or closed it
	moved    map[int64]int64
	pending  []*update
	newest   *update
	nextID   int64
	message  int
	presses  map[string]*press
	queries  map[string][]Result
	answered map[string]bool // queries
	commands map[string][]string
	faults   map[string][]Fault
	calls    map[string]int
	polling  int // generation of the newest getUpdates
	webhook  struct{ url, secret string }
	perChat  int // messages that a chat takes a minute, 0 for no bound
	sent     map[int64][]time.Time
	closed   bool
}

type update struct {
	id    int64
	data  map[string]any
	twice bool
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

// Fault is something that goes wrong.
type Fault struct {
	Code       int           // of the answer; 0 with Cut
	Says       string        // its description
	RetryAfter int           // seconds, of 429
	Cut        bool          // the connection breaks in mid-answer
	Done       bool          // though what was asked for is done
	Wait       time.Duration // before the answer
}

// New starts a Telegram. Tests close it.
func New() *Server {
	s := &Server{
		woke: make(chan struct{}), chats: map[int64]*chat{}, people: map[int64]*Person{}, blocked: map[int64]bool{}, moved: map[int64]int64{}, nextID: 100,
		presses: map[string]*press{}, queries: map[string][]Result{}, answered: map[string]bool{}, commands: map[string][]string{}, faults: map[string][]Fault{}, calls: map[string]int{},
		sent: map[int64][]time.Time{},
	}
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	return s
}

// Close ends it, and whatever waits for it.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.wake()
	s.mu.Unlock()
	s.http.CloseClientConnections()
	s.http.Close()
}

// Fail has the next calls of a method go wrong, one for each fault.
func (s *Server) Fail(method string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[method] = append(s.faults[method], faults...)
}

// Bound is how many messages each chat takes a minute from now on.
func (s *Server) Bound(perMinute int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.perChat = perMinute
}

// Calls are how often a method was called.
func (s *Server) Calls(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[method]
}

// Commands are those that the bot offers, by scope and language: "all_private_chats ru".
func (s *Server) Commands(scope string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[scope]
}

// Unconfirmed is how many updates norn hasn't said it's done with.
func (s *Server) Unconfirmed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pending)
}

// Until waits until something is true of what stands there, or fails by returning false when that takes too long.
func (s *Server) Until(within time.Duration, is func() bool) bool {
	end := time.Now().Add(within)
	for {
		s.mu.Lock()
		woke := s.woke
		s.mu.Unlock()
		if is() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
		select {
		case <-woke:
		case <-time.After(20 * time.Millisecond): // not all that is waited for happens here
		}
	}
}

// wake tells whoever waits that something happened.
func (s *Server) wake() {
	close(s.woke)
	s.woke = make(chan struct{})
}

// refusal is an answer that isn't ok.
type refusal struct {
	code       int
	says       string
	parameters map[string]any
}

func (r *refusal) Error() string { return r.says }

func bad(format string, args ...any) *refusal {
	return &refusal{code: 400, says: "Bad Request: " + fmt.Sprintf(format, args...)}
}

// call is what a method was called with.
type call struct {
	fields map[string]string
	files  map[string][]byte
}

func (c *call) number(name string) int64 {
	n, _ := strconv.ParseInt(c.fields[name], 10, 64)
	return n
}

func (c *call) is(name string) bool { return c.fields[name] == "true" }

// ServeHTTP implements the Bot API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method, ok := strings.CutPrefix(r.URL.Path, "/bot"+Token+"/")
	if !ok {
		reply(w, nil, &refusal{code: 401, says: "Unauthorized"})
		return
	}
	c, err := read(r)
	if err != nil {
		reply(w, nil, bad("%v", err))
		return
	}
	s.mu.Lock()
	s.calls[method]++
	var fault *Fault
	if waiting := s.faults[method]; len(waiting) > 0 {
		fault, s.faults[method] = &waiting[0], waiting[1:]
	}
	s.wake()
	s.mu.Unlock()
	if fault != nil {
		time.Sleep(fault.Wait)
		if !fault.Cut && fault.Code != 0 {
			refused := &refusal{code: fault.Code, says: fault.Says, parameters: map[string]any{}}
			if fault.RetryAfter > 0 {
				refused.parameters["retry_after"] = fault.RetryAfter
			}
			reply(w, nil, refused)
			return
		}
		if fault.Cut && !fault.Done {
			severed(w)
			return
		}
	}
	result, refused := s.call(r, method, c)
	s.mu.Lock()
	s.wake()
	s.mu.Unlock()
	if fault != nil && fault.Cut {
		severed(w)
		return
	}
	reply(w, result, refused)
}

// severed breaks a connection within an answer.
func severed(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, `{"ok":true,"resu`)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	panic(http.ErrAbortHandler)
}

func reply(w http.ResponseWriter, result any, refused *refusal) {
	w.Header().Set("Content-Type", "application/json")
	answer := map[string]any{"ok": true, "result": result}
	if refused != nil {
		answer = map[string]any{"ok": false, "error_code": refused.code, "description": refused.says}
		if len(refused.parameters) > 0 {
			answer["parameters"] = refused.parameters
		}
		w.WriteHeader(refused.code)
	}
	json.NewEncoder(w).Encode(answer)
}

// read takes a call's parameters, as JSON, a form or a form of several parts.
func read(r *http.Request) (*call, error) {
	c := &call{fields: map[string]string{}, files: map[string][]byte{}}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) == 0 {
		return c, err
	}
	switch kind {
	case "application/json":
		var all map[string]json.RawMessage
		if err := json.Unmarshal(body, &all); err != nil {
			return nil, fmt.Errorf("can't parse JSON: %w", err)
		}
		for name, value := range all {
			var text string
			if json.Unmarshal(value, &text) != nil {
				text = string(value)
			}
			c.fields[name] = text
		}
	case "multipart/form-data":
		parts, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(20 << 20)
		if err != nil {
			return nil, err
		}
		for name, values := range parts.Value {
			c.fields[name] = values[0]
		}
		for name, files := range parts.File {
			f, err := files[0].Open()
			if err != nil {
				return nil, err
			}
			if c.files[name], err = io.ReadAll(f); err != nil {
				return nil, err
			}
		}
	default:
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, err
		}
		for name := range values {
			c.fields[name] = values.Get(name)
		}
	}
	return c, nil
}

// call does what a method does.
func (s *Server) call(r *http.Request, method string, c *call) (any, *refusal) {
	if method == "getUpdates" {
		return s.getUpdates(r, c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case "getMe":
		return map[string]any{"id": botID, "is_bot": true, "first_name": "Norn", "username": Username, "can_join_groups": true, "supports_inline_queries": true}, nil
	case "setWebhook":
		if !strings.HasPrefix(c.fields["url"], "https://") && c.fields["url"] != "" {
			return nil, bad("bad webhook: An HTTPS URL must be provided for webhook")
		}
		s.webhook.url, s.webhook.secret = c.fields["url"], c.fields["secret_token"]
		return true, nil
	case "deleteWebhook":
		s.webhook.url, s.webhook.secret = "", ""
		return true, nil
	case "setMyCommands":
		return s.setMyCommands(c)
	case "sendMessage":
		return s.send(c, nil)
	case "sendPhoto":
		photo := c.files["photo"]
		if !bytes.HasPrefix(photo, []byte("\x89PNG\r\n")) {
			return nil, bad("IMAGE_PROCESS_FAILED")
		}
		return s.send(c, photo)
	case "editMessageText", "editMessageCaption", "editMessageMedia", "editMessageReplyMarkup":
		return s.edit(method, c)
	case "answerCallbackQuery":
		return s.answerPress(c)
	case "answerInlineQuery":
		return s.answerInline(c)
	case "getChatMember":
		p := s.people[c.number("user_id")]
		if p == nil {
			return nil, bad("PARTICIPANT_ID_INVALID")
		}
		return map[string]any{"status": "member", "user": p.json()}, nil
	}
	return nil, &refusal{code: 404, says: "Not Found: method not found"}
}

func (s *Server) setMyCommands(c *call) (any, *refusal) {
	var scope struct{ Type string }
	var commands []struct{ Command, Description string }
	if json.Unmarshal([]byte(c.fields["commands"]), &commands) != nil || c.fields["scope"] != "" && json.Unmarshal([]byte(c.fields["scope"]), &scope) != nil {
		return nil, bad("can't parse commands")
	}
	var names []string
	for _, one := range commands {
		if one.Description == "" || len(one.Description) > 256 || strings.ToLower(one.Command) != one.Command || len(one.Command) > 32 {
			return nil, bad("BOT_COMMAND_INVALID")
		}
		names = append(names, one.Command)
	}
	s.commands[strings.TrimSpace(scope.Type+" "+c.fields["language_code"])] = names
	return true, nil
}

// getUpdates tells what isn't confirmed, or waits for something. Who asks later ends the waiting of who asked before.
func (s *Server) getUpdates(r *http.Request, c *call) (any, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.webhook.url != "" {
		return nil, &refusal{code: 409, says: "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"}
	}
	s.polling++
	mine := s.polling
	s.wake()
	if offset := c.number("offset"); offset > 0 {
		s.pending = slices.DeleteFunc(s.pending, func(u *update) bool { return u.id < offset })
	}
	end := time.Now().Add(time.Duration(c.number("timeout")) * time.Second)
	for {
		if s.polling != mine {
			return nil, &refusal{code: 409, says: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"}
		}
		told := []map[string]any{}
		for _, u := range s.pending {
			told = append(told, u.data)
			if u.twice {
				told = append(told, u.data)
			}
			if len(told) >= 100 {
				break
			}
		}
		left := time.Until(end)
		if len(told) > 0 || left <= 0 || s.closed {
			return told, nil
		}
		woke := s.woke
		s.mu.Unlock()
		select {
		case <-woke:
		case <-time.After(left):
		case <-r.Context().Done():
		}
		s.mu.Lock()
		if r.Context().Err() != nil {
			return told, nil
		}
	}
}

// tell makes an update, and calls the webhook where there's one.
func (s *Server) tell(kind string, value map[string]any) *update {
	s.nextID++
	u := &update{id: s.nextID, data: map[string]any{"update_id": s.nextID, kind: value}}
	s.pending, s.newest = append(s.pending, u), u
	s.wake()
	return u
}

// Deliver calls the webhook with all that is unconfirmed, in its order or backwards, and returns the statuses of the answers. What isn't
// answered 200 stays. Through is who answers for the https address that norn gave.
func (s *Server) Deliver(through http.Handler, secret string, backwards bool) (statuses []int) {
	s.mu.Lock()
	waiting := slices.Clone(s.pending)
	if secret == "" {
		secret = s.webhook.secret
	}
	at := s.webhook.url
	s.mu.Unlock()
	if backwards {
		slices.Reverse(waiting)
	}
	for _, u := range waiting {
		for range map[bool]int{false: 1, true: 2}[u.twice] {
			body, err := json.Marshal(u.data)
			if err != nil {
				panic(err)
			}
			r := httptest.NewRequest(http.MethodPost, at, bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
			w := httptest.NewRecorder()
			through.ServeHTTP(w, r)
			statuses = append(statuses, w.Code)
			if w.Code == http.StatusOK {
				s.mu.Lock()
				s.pending = slices.DeleteFunc(s.pending, func(p *update) bool { return p == u })
				s.wake()
				s.mu.Unlock()
			}
		}
	}
	return statuses
}

// Webhook is the address that norn gave, "" for none.
func (s *Server) Webhook() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.webhook.url
}

// Twice has all updates that wait be told twice.
func (s *Server) Twice() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.pending {
		u.twice = true
	}
}

// Shuffled has what waits be told with the newest first.
func (s *Server) Shuffled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Reverse(s.pending)
}

// Again tells the newest update once more, though it was confirmed.
func (s *Server) Again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.newest; u != nil && !slices.Contains(s.pending, u) {
		s.pending = append(s.pending, u)
		s.wake()
	}
}
