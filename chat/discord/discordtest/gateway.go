package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/gorilla/websocket"
)

// Gateway sends norn what people do.
type Gateway struct {
	address string
	refuse  func(what string)
	woke    func()

	mu         sync.Mutex
	sessions   map[string]*session
	links      []*link
	identified int // sessions begun
	resumed    int // sessions resumed
}

// do makes a change that tests may wait for.
func (g *Gateway) do(change func()) {
	g.mu.Lock()
	change()
	g.mu.Unlock()
	g.woke()
}

// session is a gateway's session.
type session struct {
	id     string
	events []frame // events so far, to resume
	link   *link   // nil while not connected
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

// ServeHTTP serves one connection.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	l := &link{conn: conn}
	g.do(func() { g.links = append(g.links, l) })
	defer conn.Close()
	if r.URL.Query().Get("v") != "10" || r.URL.Query().Get("encoding") != "json" {
		l.end(4012, "Invalid API version")
		return
	}
	l.send(frame{Op: opHello, Data: json.RawMessage(`{"heartbeat_interval":500}`)})
	for {
		var f frame
		if err := conn.ReadJSON(&f); err != nil {
			g.do(func() {
				for _, session := range g.sessions {
					if session.link == l {
						session.link = nil
						session.over = websocket.IsCloseError(err, websocket.CloseNormalClosure,
							websocket.CloseGoingAway)
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
				g.identify(l, d.Intents)
				break
			}
			if !g.resume(l, d.Session, d.Seq) {
				l.send(frame{Op: opInvalid, Data: json.RawMessage("false")})
			}
		default:
			l.end(4001, "Unknown opcode")
			return
		}
	}
}

func (g *Gateway) identify(l *link, intents int) {
	g.do(func() {
		if intents != 0 {
			g.refuse("a test's own rule: norn reads no messages, and asks for no right to")
		}
		g.identified++
		id := fmt.Sprint("session-", g.identified)
		session := &session{id: id, link: l}
		g.sessions[id] = session
		ready, _ := json.Marshal(map[string]any{
			"v": 10, "user": map[string]any{"id": application, "username": "norn", "bot": true, "discriminator": "0"},
			"guilds":     []any{},
			"session_id": id, "resume_gateway_url": g.address,
			"application": map[string]any{"id": application, "flags": 0},
		})
		session.tell("READY", ready)
	})
}

func (g *Gateway) resume(l *link, id string, seq int) (resumed bool) {
	g.do(func() {
		session := g.sessions[id]
		if session == nil || session.over {
			return
		}
		resumed = true
		g.resumed++
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

// tell sends an event. The caller holds the gateway's lock.
func (s *session) tell(kind string, data json.RawMessage) {
	seq := len(s.events) + 1
	f := frame{Op: opDispatch, Data: data, Seq: &seq, Type: kind}
	s.events = append(s.events, f)
	if s.link != nil {
		s.link.send(f)
	}
}

// dispatch sends an event to every session, and to those that resume later.
func (g *Gateway) dispatch(kind string, data json.RawMessage) {
	g.do(func() {
		for _, session := range g.sessions {
			if !session.over {
				session.tell(kind, data)
			}
		}
	})
}

// each calls do for each connected session.
func (g *Gateway) each(do func(*session)) {
	g.do(func() {
		for _, session := range g.sessions {
			if session.link != nil {
				do(session)
			}
		}
	})
}

// Drop cuts every connection to the gateway without a message.
func (g *Gateway) Drop() {
	g.each(func(session *session) {
		session.link.conn.NetConn().Close()
		session.link = nil
	})
}

// Reconnect asks clients to reconnect and resume.
func (g *Gateway) Reconnect() {
	g.each(func(session *session) { session.link.send(frame{Op: opReconnect}) })
}

// Invalidate ends the sessions: clients must begin new ones.
func (g *Gateway) Invalidate() {
	g.each(func(session *session) {
		session.over = true
		session.link.send(frame{Op: opInvalid, Data: json.RawMessage("false")})
	})
}

// IsConnected reports whether a client is connected to the gateway.
func (g *Gateway) IsConnected() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, session := range g.sessions {
		if session.link != nil && !session.over {
			return true
		}
	}
	return false
}

// close ends all connections.
func (g *Gateway) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, l := range g.links {
		l.conn.Close()
	}
}

// Sessions returns how many sessions began, and how many were resumed.
func (g *Gateway) Sessions() (identified, resumed int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.identified, g.resumed
}
