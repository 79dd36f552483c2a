package discordtest

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
)

// session is what a gateway knows of who was connected.
type session struct {
	id     string
	events []frame // told so far, to tell again what was missed
	link   *link   // nil while nobody is connected
	over   bool
}

type frame struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int            `json:"s,omitempty"`
	Type string          `json:"t,omitempty"`
}

// link is one connection.
type link struct {
	conn  *websocket.Conn
	write sync.Mutex
}

func (l *link) send(f frame) {
	l.write.Lock()
	defer l.write.Unlock()
	_ = l.conn.WriteJSON(f)
}

func (l *link) end(code int, text string) {
	l.write.Lock()
	defer l.write.Unlock()
	_ = l.conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, text))
	_ = l.conn.Close()
}

const (
	opDispatch  = 0
	opHeartbeat = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
	opBeaten    = 11
)

// gateway speaks with one connection.
func (s *Server) gateway(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	l := &link{conn: conn}
	s.do(func() { s.links = append(s.links, l) })
	defer conn.Close()
	if r.URL.Query().Get("v") != "10" || r.URL.Query().Get("encoding") != "json" {
		l.end(4012, "Invalid API version")
		return
	}
	l.send(frame{Op: opHello, Data: json.RawMessage(`{"heartbeat_interval":500}`)})
	for {
		var f frame
		if err := conn.ReadJSON(&f); err != nil {
			s.do(func() {
				for _, session := range s.sessions {
					if session.link == l {
						session.link = nil
						session.over = websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway)
					}
				}
			})
			return
		}
		var d struct {
			Token   string `json:"token"`
			Session string `json:"session_id"`
			Seq     int    `json:"seq"`
			Intents int    `json:"intents"`
		}
		if f.Op != opHeartbeat {
			_ = json.Unmarshal(f.Data, &d)
		}
		switch f.Op {
		case opHeartbeat:
			l.send(frame{Op: opBeaten})
		case opIdentify, opResume:
			if d.Token != Token {
				l.end(4004, "Authentication failed.")
				return
			}
			if f.Op == opIdentify {
				s.identify(l, d.Intents)
				break
			}
			if !s.resume(l, d.Session, d.Seq) {
				l.send(frame{Op: opInvalid, Data: json.RawMessage("false")})
			}
		default:
			l.end(4001, "Unknown opcode")
			return
		}
	}
}

func (s *Server) identify(l *link, intents int) {
	s.do(func() {
		if intents != 0 {
			s.refusals = append(s.refusals, "a test's own rule: norn reads no messages, and asks for no right to")
		}
		s.Identified++
		id := "session-" + s.newID()
		session := &session{id: id, link: l}
		s.sessions[id] = session
		ready, _ := json.Marshal(map[string]any{
			"v": 10, "user": map[string]any{"id": application, "username": "norn", "bot": true, "discriminator": "0"}, "guilds": []any{},
			"session_id": id, "resume_gateway_url": "ws" + s.http.URL[len("http"):] + "/gateway", "application": map[string]any{"id": application, "flags": 0},
		})
		session.tell("READY", ready)
	})
}

func (s *Server) resume(l *link, id string, seq int) (resumed bool) {
	s.do(func() {
		session := s.sessions[id]
		if session == nil || session.over {
			return
		}
		resumed = true
		s.Resumed++
		session.link = l
		for _, f := range session.events {
			if *f.Seq > seq {
				l.send(f)
			}
		}
		session.tell("RESUMED", json.RawMessage(`{}`))
	})
	return resumed
}

// tell tells an event; the lock of the server is held.
func (s *session) tell(kind string, data json.RawMessage) {
	seq := len(s.events) + 1
	f := frame{Op: opDispatch, Data: data, Seq: &seq, Type: kind}
	s.events = append(s.events, f)
	if s.link != nil {
		s.link.send(f)
	}
}

// dispatch tells every session of an event, and those that come back.
func (s *Server) dispatch(kind string, data json.RawMessage) {
	s.do(func() {
		for _, session := range s.sessions {
			if !session.over {
				session.tell(kind, data)
			}
		}
	})
}

// each does something to each session that is connected.
func (s *Server) each(do func(*session)) {
	s.do(func() {
		for _, session := range s.sessions {
			if session.link != nil {
				do(session)
			}
		}
	})
}

// Drop cuts every connection to the gateway without a word.
func (s *Server) Drop() {
	s.each(func(session *session) {
		session.link.conn.NetConn().Close()
		session.link = nil
	})
}

// Reconnect asks to connect anew and go on with the session.
func (s *Server) Reconnect() {
	s.each(func(session *session) { session.link.send(frame{Op: opReconnect}) })
}

// Invalidate ends the sessions: who was connected begins a new one.
func (s *Server) Invalidate() {
	s.each(func(session *session) {
		session.over = true
		session.link.send(frame{Op: opInvalid, Data: json.RawMessage("false")})
	})
}

// Connected tells whether somebody is connected to the gateway.
func (s *Server) Connected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		if session.link != nil && !session.over {
			return true
		}
	}
	return false
}

// Sessions are how many sessions began, and how many were gone on with.
func (s *Server) Sessions() (identified, resumed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Identified, s.Resumed
}
