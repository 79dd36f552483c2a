package telegramtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Message is a message in a chat.
type Message struct {
	ID       int
	Topic    int
	From     string // a person's name, or the bot's
	Text     string // or a picture's caption
	Entities []Entity
	Buttons  [][]Button
	Photo    []byte
	Silent   bool
	Edited   int // number of edits
	ReplyTo  int
	Force    bool // opens the reader's keyboard for a reply

	from  map[string]any
	own   bool
	topic bool
}

// Entity is the format of a part of a text.
type Entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	URL    string `json:"url,omitempty"`
	User   *struct {
		ID int64 `json:"id"`
	} `json:"user,omitempty"`
}

// Button is a button of a message.
type Button struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
	Style string `json:"style,omitempty"`
}

// Part returns the text that an entity covers.
func (m *Message) Part(e Entity) string {
	all := utf16.Encode([]rune(m.Text))
	return string(utf16.Decode(all[e.Offset : e.Offset+e.Length]))
}

// Looks returns the parts of a text with a format, such as "bold".
func (m *Message) Looks(kind string) (parts []string) {
	for _, e := range m.Entities {
		if e.Type == kind {
			parts = append(parts, m.Part(e))
		}
	}
	return parts
}

// Labels returns the texts of the buttons.
func (m *Message) Labels() (labels []string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			labels = append(labels, b.Text)
		}
	}
	return labels
}

// Result is a result of an inline query.
type Result struct {
	ID, Title, Description string
	Text                   string
	Entities               []Entity
}

// Person is a person in Telegram.
type Person struct {
	ID   int64
	Name string
	Lang string

	s *Server
}

// Person adds a person, whose chat with the bot is open.
func (s *Server) Person(id int64, name, lang string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &Person{ID: id, Name: name, Lang: lang, s: s}
	s.people[id] = p
	s.chats[id] = &chat{id: id}
	return p
}

// Group makes a group with a negative id; with topics it's a forum.
func (s *Server) Group(id int64, title string, topics ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &chat{id: id, title: title, forum: len(topics) > 0, topics: map[int]string{}}
	for _, t := range topics {
		c.topics[t] = "topic " + strconv.Itoa(t)
	}
	s.chats[id] = c
}

// Supergroup turns a group into a supergroup: its messages move there, and the old id stops
// working.
func (s *Server) Supergroup(from, to int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[from]
	moved := &chat{id: to, title: c.title, messages: c.messages}
	s.chats[to], s.moved[from] = moved, to
	c.gone = true
	s.message++
	s.tell("message", map[string]any{
		"message_id": s.message, "date": time.Now().Unix(), "chat": moved.json(),
		"migrate_from_chat_id": from,
	})
}

// Leave removes the bot from a group.
func (s *Server) Leave(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chats[id].gone = true
}

// Blocks closes a person's private chat to the bot, or opens it.
func (p *Person) Blocks(so bool) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.s.blocked[p.ID] = so
}

func (p *Person) json() map[string]any {
	return map[string]any{"id": p.ID, "is_bot": false, "first_name": p.Name, "language_code": p.Lang}
}

func (c *chat) json() map[string]any {
	if c.id > 0 {
		return map[string]any{"id": c.id, "type": "private"}
	}
	kind := "group"
	if c.forum || c.id < -1_000_000_000_000 {
		kind = "supergroup"
	}
	return map[string]any{"id": c.id, "type": kind, "title": c.title, "is_forum": c.forum}
}

func (c *chat) message(id int) *Message {
	i := slices.IndexFunc(c.messages, func(m *Message) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return c.messages[i]
}

func (m *Message) json(c *chat) map[string]any {
	j := map[string]any{"message_id": m.ID, "date": time.Now().Unix(), "chat": c.json(), "from": m.from}
	text, entities := "text", "entities"
	if m.Photo != nil {
		text, entities = "caption", "caption_entities"
		j["photo"] = []map[string]any{{
			"file_id": strconv.Itoa(m.ID), "file_unique_id": strconv.Itoa(m.ID), "width": 1,
			"height": 1,
		}}
	}
	j[text] = m.Text
	if len(m.Entities) > 0 {
		j[entities] = m.Entities
	}
	if len(m.Buttons) > 0 {
		j["reply_markup"] = map[string]any{"inline_keyboard": m.Buttons}
	}
	if m.topic {
		j["is_topic_message"], j["message_thread_id"] = true, m.Topic
	}
	if to := c.message(m.ReplyTo); to != nil {
		inner := to.json(c)
		delete(inner, "reply_to_message")
		j["reply_to_message"] = inner
	}
	return j
}

// Shows returns what a chat, or a topic of it, shows now.
func (s *Server) Shows(id int64, topic ...int) []*Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, ok := s.moved[id]; ok {
		id = now
	}
	c := s.chats[id]
	if c == nil {
		return nil
	}
	var shown []*Message
	for _, m := range c.messages {
		if len(topic) == 0 || m.Topic == topic[0] {
			stands := *m
			shown = append(shown, &stands)
		}
	}
	return shown
}

// Last returns the newest message of the bot in a chat, nil for none.
func (s *Server) Last(id int64) *Message {
	all := s.Shows(id)
	for _, m := range slices.Backward(all) {
		if m.own {
			return m
		}
	}
	return nil
}

// Own returns the bot's messages in a chat.
func (s *Server) Own(id int64, topic ...int) (own []*Message) {
	for _, m := range s.Shows(id, topic...) {
		if m.own {
			own = append(own, m)
		}
	}
	return own
}

// Writes writes a person's message in a chat; their own id is their private chat. It returns the
// message's id.
func (p *Person) Writes(chat int64, text string) int { return p.writes(chat, 0, 0, text, false) }

// WritesIn writes in a topic.
func (p *Person) WritesIn(chat int64, topic int, text string) int {
	return p.writes(chat, topic, 0, text, false)
}

// Replies replies to a message.
func (p *Person) Replies(chat int64, to int, text string) int {
	return p.writes(chat, 0, to, text, false)
}

// Anonymously writes as the group.
func (p *Person) Anonymously(chat int64, text string) int { return p.writes(chat, 0, 0, text, true) }

// Starts opens the bot's chat by a link with a parameter.
func (p *Person) Starts(parameter string) int {
	p.Blocks(false)
	return p.Writes(p.ID, strings.TrimSpace("/start "+parameter))
}

// command matches what Telegram shows as a command.
var command = regexp.MustCompile(`(^|\s)/[A-Za-z0-9_]+(@[A-Za-z0-9_]+)?`)

func (p *Person) writes(id int64, topic, to int, text string, anonymously bool) int {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, ok := s.moved[id]; ok {
		id = now
	}
	c := s.chats[id]
	s.message++
	m := &Message{ID: s.message, Topic: topic, From: p.Name, Text: text, ReplyTo: to, from: p.json(), topic: topic != 0}
	if before := c.message(to); before != nil && before.topic {
		m.Topic, m.topic = before.Topic, true
	}
	for _, at := range command.FindAllStringIndex(text, -1) {
		found := strings.TrimLeft(text[at[0]:at[1]], " \n\t")
		m.Entities = append(m.Entities,
			Entity{Type: "bot_command", Offset: units(text[:at[1]-len(found)]), Length: units(found)})
	}
	c.messages = append(c.messages, m)
	j := m.json(c)
	if anonymously {
		j["from"] = map[string]any{
			"id": 1087968824, "is_bot": true, "first_name": "Group",
			"username": "GroupAnonymousBot",
		}
		j["sender_chat"] = c.json()
	}
	meant := c.id > 0 || strings.HasPrefix(text, "/") || c.message(to) != nil && c.message(to).own
	if meant { // privacy mode hides other messages from bots
		s.tell("message", j)
	}
	return m.ID
}

// Presses presses the button with a label on a message; Heard waits for its effect.
func (p *Person) Presses(chat int64, message int, label string) (query string) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if now, ok := s.moved[chat]; ok {
		chat = now
	}
	c := s.chats[chat]
	m := c.message(message)
	if m == nil {
		panic(fmt.Sprintf("no message %d in %d", message, chat))
	}
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Text == label && b.Data != "" {
				query = "q" + strconv.Itoa(len(s.presses)+1)
				s.presses[query] = &press{}
				s.tell("callback_query", map[string]any{
					"id": query, "from": p.json(), "message": m.json(c),
					"chat_instance": "1", "data": b.Data,
				})
				return query
			}
		}
	}
	panic(fmt.Sprintf("no button %q below %q: %q", label, m.Text, m.Labels()))
}

// PressAnswer returns the popup after a press, and whether the press was answered at all.
func (s *Server) PressAnswer(query string) (text string, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.presses[query]
	return q.text, q.answered
}

// Asks writes after the bot's name, in any chat.
func (p *Person) Asks(query string) (id string) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	id = "i" + strconv.Itoa(len(s.queries)+1)
	s.queries[id] = nil
	s.tell("inline_query", map[string]any{"id": id, "from": p.json(), "query": query, "offset": ""})
	return id
}

// InlineResults returns the results of an inline query.
func (s *Server) InlineResults(query string) (results []Result, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queries[query], s.answered[query]
}

// Chooses posts a result in a chat, via the bot, which gets the query.
func (p *Person) Chooses(chat int64, r Result) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[chat]
	s.message++
	m := &Message{ID: s.message, From: p.Name, Text: r.Text, Entities: r.Entities, from: p.json()}
	c.messages = append(c.messages, m)
	j := m.json(c)
	j["via_bot"] = map[string]any{"id": botID, "is_bot": true, "first_name": "Norn", "username": Username}
	s.tell("message", j)
}

func units(text string) int { return len(utf16.Encode([]rune(text))) }
