package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// answerTime limits Discord's wait for the first response.
const answerTime = 3 * time.Second

// Interaction is an action of a person: a command, a press or a sent form.
type Interaction struct {
	ID, Token string
	By        *Person
	In        *Channel

	server   *Server
	payload  map[string]any
	from     *message // the message on which something was pressed
	made     time.Time
	kind     int
	answered bool
	pressed  bool // a control, or a dialog of one
	original *message
	deferred bool // "thinking", which the first response replaces

	modal   *Modal
	choices []Choice
	status  int // of the call over HTTP
}

const (
	isCommand  = 2
	isPress    = 3
	isComplete = 4
	isDialog   = 5
)

// begin makes an interaction and sends it.
func (p *Person) begin(c *Channel, kind int, data map[string]any, from *message) *Interaction {
	s := p.server
	i := &Interaction{server: s, By: p, In: c, kind: kind, made: time.Now(), from: from, pressed: from != nil}
	var told bool
	s.do(func() {
		i.ID = s.newID()
		i.Token = "aW50ZXJhY3Rpb24tdG9rZW4-" + i.ID
		s.pending[i.Token] = i
		i.payload = map[string]any{
			"id": i.ID, "application_id": application, "type": kind, "token": i.Token, "version": 1, "channel_id": c.ID,
			"channel": c.json(),
			"locale":  p.Locale, "entitlements": []any{}, "attachment_size_limit": 10 << 20,
			"app_permissions": "2147483647", "data": data,
			"authorizing_integration_owners": map[string]any{"0": guild},
		}
		if c.With != nil {
			i.payload["user"], i.payload["context"] = p.json(), 1
		} else {
			i.payload["guild_id"], i.payload["context"], i.payload["guild_locale"] = guild, 0, "en-US"
			i.payload["guild"] = map[string]any{"id": guild, "locale": "en-US", "features": []any{}}
			i.payload["member"] = map[string]any{
				"user": p.json(), "nick": nil, "roles": []any{},
				"permissions": "2147483647", "joined_at": "2026-01-01T00:00:00+00:00", "deaf": false, "mute": false,
			}
		}
		if from != nil {
			i.payload["message"] = from.json()
		}
		told = !s.holding
		if !told {
			s.held = append(s.held, i)
		}
	})
	if told {
		s.tell(i)
	}
	return i
}

// Command sends /norn with a line.
func (p *Person) Command(c *Channel, line string) *Interaction {
	return p.begin(c, isCommand, lineData(line, false), nil)
}

func lineData(line string, focused bool) map[string]any {
	option := map[string]any{"name": "line", "type": 3, "value": line}
	if focused {
		option["focused"] = true
	}
	return map[string]any{"id": "1180000000000000009", "name": "norn", "type": 1, "options": []any{option}}
}

// Types types a line and waits for suggestions.
func (p *Person) Types(c *Channel, line string) []Choice {
	p.server.t.Helper()
	i := p.begin(c, isComplete, lineData(line, true), nil)
	p.server.Until("suggestions for "+line, i.IsAnswered)
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	return i.choices
}

// Press presses a button, or chooses in a select.
func (p *Person) Press(m Message, id string, values ...string) *Interaction {
	p.server.t.Helper()
	there := slices.ContainsFunc(m.Controls, func(row []Control) bool {
		return slices.ContainsFunc(row, func(c Control) bool {
			return c.ID == id && (len(c.Options) == 0) == (len(values) == 0) &&
				!slices.ContainsFunc(values, func(v string) bool {
					return !slices.ContainsFunc(c.Options, func(o Option) bool { return o.Value == v })
				})
		})
	})
	if !there {
		p.server.t.Fatalf("%s can't press %q %q on %q: %+v", p.Name, id, values, m.Text, m.Controls)
	}
	data := map[string]any{"custom_id": id, "component_type": 2}
	if len(values) > 0 {
		data["component_type"], data["values"] = 3, values
	}
	return p.begin(m.in, isPress, data, m.ephemeral)
}

// Modal waits for the dialog that an interaction opens.
func (i *Interaction) Modal() *Modal {
	i.server.t.Helper()
	i.server.Until("a dialog", i.IsAnswered)
	m := i.Opened()
	if m == nil {
		i.server.t.Fatal("no dialog was opened")
	}
	return m
}

// Opened returns the dialog that an interaction has opened, nil for none.
func (i *Interaction) Opened() *Modal {
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.modal
}

// Submit fills in the dialog that an interaction opened: a text, a select's value, or true and
// false. Other fields keep their values.
func (i *Interaction) Submit(fields map[string]string) *Interaction {
	i.server.t.Helper()
	m := i.Modal()
	var components []any
	for n, f := range m.Fields {
		value, given := fields[f.ID]
		if !given {
			value = f.Value
		}
		c := map[string]any{"id": 2*n + 2, "custom_id": f.ID}
		switch f.Kind {
		case "select":
			var values []string
			for _, o := range f.Options {
				if given && o.Value == value || !given && o.Chosen {
					values = append(values, o.Value)
				}
			}
			if given && value != "" && len(values) == 0 || f.Required && len(values) == 0 {
				i.server.t.Fatalf("%q can't be chosen in %s: %+v", value, f.Label, f.Options)
			}
			c["type"], c["values"] = 3, append([]string{}, values...)
		case "checkbox":
			c["type"], c["value"] = 23, value == "true"
		default:
			if n := long(value); n > f.Most || n < f.Least && (f.Required || n > 0) || f.Required && n == 0 {
				i.server.t.Fatalf("%q can't be written into %s", value, f.Label)
			}
			c["type"], c["value"] = 4, value
		}
		components = append(components, map[string]any{"type": 18, "id": 2*n + 1, "component": c})
	}
	return i.By.begin(i.In, isDialog, map[string]any{"custom_id": m.ID, "components": components}, i.from)
}

// IsAnswered reports whether an interaction was answered.
func (i *Interaction) IsAnswered() bool {
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.answered
}

// Again sends an interaction once more.
func (i *Interaction) Again() { i.server.tell(i) }

// Age makes an interaction older, as one that is delivered late.
func (i *Interaction) Age(by time.Duration) {
	i.server.do(func() {
		i.made = i.made.Add(-by)
		delete(i.server.pending, i.Token)
		n, _ := strconv.ParseInt(i.ID, 10, 64)
		i.ID = strconv.FormatInt(n-by.Milliseconds()<<22, 10)
		i.payload["id"] = i.ID
		i.server.pending[i.Token] = i
	})
}

// tell sends an interaction to norn.
func (s *Server) tell(i *Interaction) {
	s.mu.Lock()
	endpoint := s.endpoint
	payload, err := json.Marshal(i.payload)
	s.mu.Unlock()
	if err != nil {
		s.t.Fatal(err)
	}
	if endpoint == "" {
		s.dispatch("INTERACTION_CREATE", payload)
		return
	}
	go func() {
		status, answer := s.Call(payload, s.private, time.Now())
		s.do(func() {
			i.status = status
			if status != http.StatusOK {
				return
			}
			b, err := readAnswer(answer)
			if err != nil {
				s.refusals = append(s.refusals, err.Error())
				return
			}
			if _, wrong := s.take(i, b); wrong != nil && !wrong.usual() {
				s.refusals = append(s.refusals, fmt.Sprintf("answer over HTTP: %s %s", wrong.text, b.raw))
			}
		})
	}()
}

// Status returns norn's status for the call over HTTP.
func (i *Interaction) Status() int {
	i.server.mu.Lock()
	defer i.server.mu.Unlock()
	return i.status
}

type httpAnswer struct {
	header http.Header
	body   []byte
}

func readAnswer(a httpAnswer) (body, error) {
	r, err := http.NewRequest(http.MethodPost, "/", bytes.NewReader(a.body))
	if err != nil {
		return body{}, err
	}
	r.Header = a.header
	return read(r)
}

// Call posts to norn, signed with a key at a time; nil is the server's own.
func (s *Server) Call(payload []byte, key ed25519.PrivateKey, at time.Time) (int, httpAnswer) {
	if key == nil {
		key = s.private
	}
	s.mu.Lock()
	endpoint := s.endpoint
	s.mu.Unlock()
	stamp := strconv.FormatInt(at.Unix(), 10)
	r, err := http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(payload))
	if err != nil {
		return 0, httpAnswer{}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Signature-Timestamp", stamp)
	r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(key, append([]byte(stamp), payload...))))
	answer, err := (&http.Client{Timeout: answerTime + time.Second}).Do(r)
	if err != nil {
		return 0, httpAnswer{}
	}
	defer answer.Body.Close()
	var data bytes.Buffer
	_, _ = data.ReadFrom(answer.Body)
	return answer.StatusCode, httpAnswer{answer.Header, data.Bytes()}
}

// Body returns the response.
func (a httpAnswer) Body() string { return string(a.body) }

func (s *Server) callback(r *http.Request, b body) (any, *refusal) {
	i := s.pending[r.PathValue("token")]
	if i == nil || i.ID != r.PathValue("interaction") || time.Since(i.made) > answerTime && !i.answered {
		return nil, unknownInteraction
	}
	return s.take(i, b)
}

// take accepts the first response to an interaction. The caller holds the lock.
func (s *Server) take(i *Interaction, b body) (any, *refusal) {
	if i.answered {
		return nil, acknowledged
	}
	data, _ := b.fields["data"].(map[string]any)
	kind := number(b.fields, "type", 0)
	if (kind == 8) != (i.kind == isComplete) {
		return nil, invalid("type: %d to an interaction %d", kind, i.kind)
	}
	switch kind {
	case 4, 5:
		b.fields = data
		m := &message{loading: kind == 5}
		if kind == 4 {
			var wrong *refusal
			if m, wrong = draftMessage(b, nil); wrong != nil {
				return nil, wrong
			}
		}
		if number(data, "flags", 0)&64 != 0 {
			m.only = i.By
		}
		i.original, i.deferred = m, kind == 5
		i.In.add(m)
	case 6:
		if !i.pressed {
			return nil, invalid("type: 6 answers controls alone")
		}
		i.original = i.from
	case 8:
		choices, wrong := checkChoices(data)
		if wrong != nil {
			return nil, wrong
		}
		i.choices = choices
	case 9:
		if i.kind == isDialog {
			return nil, invalid("type: no dialog follows a dialog")
		}
		modal, wrong := checkModal(data)
		if wrong != nil {
			return nil, wrong
		}
		i.modal = modal
	default:
		return nil, invalid("type: %d", kind)
	}
	i.answered = true
	return nil, nil
}

func (s *Server) answeredBy(r *http.Request) (*Interaction, *refusal) {
	i := s.pending[r.PathValue("token")]
	if r.PathValue("app") != application || i == nil || !i.answered || time.Since(i.made) > 15*time.Minute {
		return nil, unknownWebhook
	}
	return i, nil
}

func (s *Server) followup(r *http.Request, b body) (any, *refusal) {
	i, wrong := s.answeredBy(r)
	if wrong != nil {
		return nil, wrong
	}
	// it replaces the waiting message, with the same audience
	if i.deferred && i.original.loading && !i.original.deleted {
		m, wrong := draftMessage(b, i.original)
		if wrong != nil {
			return nil, wrong
		}
		return m.json(), nil
	}
	m, wrong := draftMessage(b, nil)
	if wrong != nil {
		return nil, wrong
	}
	if number(b.fields, "flags", 0)&64 != 0 {
		m.only = i.By
	}
	i.In.add(m)
	return m.json(), nil
}

func (s *Server) editOriginal(r *http.Request, b body) (any, *refusal) {
	i, wrong := s.answeredBy(r)
	if wrong != nil {
		return nil, wrong
	}
	if i.original == nil || i.original.deleted {
		return nil, unknownMessage
	}
	if _, wrong := draftMessage(b, i.original); wrong != nil {
		return nil, wrong
	}
	return i.original.json(), nil
}

func (s *Server) deleteOriginal(r *http.Request, _ body) (any, *refusal) {
	i, wrong := s.answeredBy(r)
	if wrong != nil {
		return nil, wrong
	}
	if i.original == nil || i.original.deleted {
		return nil, unknownMessage
	}
	i.original.deleted = true
	return nil, nil
}

// Log has what norn logs, which must not contain a token.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *Log) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
