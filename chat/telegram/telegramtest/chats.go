package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Message is what stands in a chat.
type Message struct {
	ID       int
	Topic    int
	From     string // a person's name, or the bot's
	Text     string // or a picture's caption
	Entities []Entity
	Buttons  [][]Button
	Photo    []byte
	Silent   bool
	Edited   int // how often
	ReplyTo  int
	Force    bool // the reader's keyboard is opened for a reply

	from  map[string]any
	own   bool
	topic bool
}

// Entity is how a part of a text looks.
type Entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	URL    string `json:"url,omitempty"`
	User   *struct {
		ID int64 `json:"id"`
	} `json:"user,omitempty"`
}

// Button is one below a message.
type Button struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
	Style string `json:"style,omitempty"`
}

// Part is the text that an entity covers.
func (m *Message) Part(e Entity) string {
	all := utf16.Encode([]rune(m.Text))
	return string(utf16.Decode(all[e.Offset : e.Offset+e.Length]))
}

// Looks are the parts of a text that look in a way, "bold" for instance.
func (m *Message) Looks(kind string) (parts []string) {
	for _, e := range m.Entities {
		if e.Type == kind {
			parts = append(parts, m.Part(e))
		}
	}
	return parts
}

// Labels are the words on the buttons.
func (m *Message) Labels() (labels []string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			labels = append(labels, b.Text)
		}
	}
	return labels
}

// Result is what an inline query offers.
type Result struct {
	ID, Title, Description string
	Text                   string
	Entities               []Entity
}

// Person is somebody in Telegram.
type Person struct {
	ID   int64
	Name string
	Lang string

	s *Server
}

// Person makes somebody, whose chat with the bot is open.
func (s *Server) Person(id int64, name, lang string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &Person{ID: id, Name: name, Lang: lang, s: s}
	s.people[id] = p
	s.chats[id] = &chat{id: id}
	return p
}

// Group makes a group of an id below 0, with topics where it's a forum.
func (s *Server) Group(id int64, title string, topics ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &chat{id: id, title: title, forum: len(topics) > 0, topics: map[int]string{}}
	for _, t := range topics {
		c.topics[t] = "topic " + strconv.Itoa(t)
	}
	s.chats[id] = c
}

// Supergroup makes a supergroup of a group: all that stands there goes with it, and the old id is no more.
func (s *Server) Supergroup(from, to int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chats[from]
	moved := &chat{id: to, title: c.title, messages: c.messages}
	s.chats[to], s.moved[from] = moved, to
	c.gone = true
	s.message++
	s.tell("message", map[string]any{"message_id": s.message, "date": time.Now().Unix(), "chat": moved.json(), "migrate_from_chat_id": from})
}

// Leave ends a group for the bot.
func (s *Server) Leave(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chats[id].gone = true
}

// Blocks shuts a person's own chat to the bot, or opens it.
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
		j["photo"] = []map[string]any{{"file_id": strconv.Itoa(m.ID), "file_unique_id": strconv.Itoa(m.ID), "width": 1, "height": 1}}
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

// Shows is what a chat, or a topic of it, shows now.
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

// Last is the newest message of the bot in a chat, nil for none.
func (s *Server) Last(id int64) *Message {
	all := s.Shows(id)
	for _, m := range slices.Backward(all) {
		if m.own {
			return m
		}
	}
	return nil
}

// Own are the bot's messages in a chat.
func (s *Server) Own(id int64, topic ...int) (own []*Message) {
	for _, m := range s.Shows(id, topic...) {
		if m.own {
			own = append(own, m)
		}
	}
	return own
}

// Writes has a person write into a chat, their own with the bot where it's their id; the id of the message.
func (p *Person) Writes(chat int64, text string) int { return p.writes(chat, 0, 0, text, false) }

// WritesIn does that in a topic.
func (p *Person) WritesIn(chat int64, topic int, text string) int {
	return p.writes(chat, topic, 0, text, false)
}

// Replies answers a message.
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

// command finds what Telegram shows as a command.
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
		m.Entities = append(m.Entities, Entity{Type: "bot_command", Offset: units(text[:at[1]-len(found)]), Length: units(found)})
	}
	c.messages = append(c.messages, m)
	j := m.json(c)
	if anonymously {
		j["from"] = map[string]any{"id": 1087968824, "is_bot": true, "first_name": "Group", "username": "GroupAnonymousBot"}
		j["sender_chat"] = c.json()
	}
	meant := c.id > 0 || strings.HasPrefix(text, "/") || c.message(to) != nil && c.message(to).own
	if meant { // else privacy keeps it from bots
		s.tell("message", j)
	}
	return m.ID
}

// Presses has a person press the button with these words below a message; what it does is awaited by Heard.
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
				s.tell("callback_query", map[string]any{"id": query, "from": p.json(), "message": m.json(c), "chat_instance": "1", "data": b.Data})
				return query
			}
		}
	}
	panic(fmt.Sprintf("no button %q below %q: %q", label, m.Text, m.Labels()))
}

// Heard is the word on the screen of who pressed, and whether the press was answered at all.
func (s *Server) Heard(query string) (text string, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.presses[query]
	return q.text, q.answered
}

// Asks writes behind the bot's name, in any chat.
func (p *Person) Asks(query string) (id string) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	id = "i" + strconv.Itoa(len(s.queries)+1)
	s.queries[id] = nil
	s.tell("inline_query", map[string]any{"id": id, "from": p.json(), "query": query, "offset": ""})
	return id
}

// Offered are the answers to what was written behind the bot's name.
func (s *Server) Offered(query string) (results []Result, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queries[query], s.answered[query]
}

// Chooses shows an answer in a chat, by way of the bot, which is told what was written.
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

// place finds the chat and topic of a call.
func (s *Server) place(c *call) (*chat, int, *refusal) {
	id := c.number("chat_id")
	if to, ok := s.moved[id]; ok {
		return nil, 0, &refusal{code: 400, says: "Bad Request: group chat was upgraded to a supergroup chat", parameters: map[string]any{"migrate_to_chat_id": to}}
	}
	at := s.chats[id]
	switch {
	case at == nil:
		return nil, 0, bad("chat not found")
	case at.gone:
		return nil, 0, &refusal{code: 403, says: "Forbidden: bot was kicked from the group chat"}
	case s.blocked[id]:
		return nil, 0, &refusal{code: 403, says: "Forbidden: bot was blocked by the user"}
	}
	topic := int(c.number("message_thread_id"))
	if topic != 0 && at.topics[topic] == "" {
		return nil, 0, bad("message thread not found")
	}
	return at, topic, nil
}

// proven holds a text and its entities to what Telegram takes.
func proven(text, list string, most int, name string) ([]Entity, *refusal) {
	if !utf8.ValidString(text) {
		return nil, bad("strings must be encoded in UTF-8")
	}
	if strings.TrimSpace(text) == "" && name == "message" {
		return nil, bad("message text is empty")
	}
	if units(text) > most {
		return nil, bad("%s is too long", name)
	}
	var entities []Entity
	if list != "" {
		if err := json.Unmarshal([]byte(list), &entities); err != nil {
			return nil, bad("can't parse entities: %v", err)
		}
	}
	all := utf16.Encode([]rune(text))
	for _, e := range entities {
		if e.Offset < 0 || e.Length < 1 || e.Offset+e.Length > len(all) {
			return nil, bad("entity at %d beyond the end of the text", e.Offset)
		}
		part := all[e.Offset : e.Offset+e.Length]
		if utf16.IsSurrogate(rune(part[0])) && part[0] >= 0xDC00 || utf16.IsSurrogate(rune(part[len(part)-1])) && part[len(part)-1] < 0xDC00 {
			return nil, bad("entity %d–%d parts a character", e.Offset, e.Offset+e.Length)
		}
		if strings.TrimSpace(string(utf16.Decode(part))) == "" {
			return nil, bad("entity at %d covers nothing", e.Offset)
		}
		known := []string{"bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "code", "pre", "text_link", "text_mention"}
		if !slices.Contains(known, e.Type) || e.Type == "text_link" && e.URL == "" || e.Type == "text_mention" && e.User == nil {
			return nil, bad("can't parse MessageEntity of type %q", e.Type)
		}
	}
	if strings.TrimSpace(text) != text && len(entities) > 0 { // Telegram trims, and shifts them; norn isn't to rely on that
		return nil, bad("spaces at the ends of %q", text)
	}
	return entities, nil
}

// keyboard reads a message's buttons.
func keyboard(c *call) (rows [][]Button, force bool, refused *refusal) {
	text := c.fields["reply_markup"]
	if text == "" {
		return nil, false, nil
	}
	var markup struct {
		Inline *[][]Button `json:"inline_keyboard"`
		Force  bool        `json:"force_reply"`
	}
	if err := json.Unmarshal([]byte(text), &markup); err != nil {
		return nil, false, bad("can't parse reply keyboard markup JSON object")
	}
	count := 0
	if markup.Inline != nil {
		rows = *markup.Inline
	}
	for _, row := range rows {
		if len(row) > 8 || len(row) == 0 {
			return nil, false, bad("BUTTON_ROW_INVALID: %d", len(row))
		}
		for _, b := range row {
			switch count++; {
			case strings.TrimSpace(b.Text) == "":
				return nil, false, bad("can't parse inline keyboard button: text must be non-empty")
			case len(b.Data) > 64 || b.Data == "" && b.URL == "":
				return nil, false, bad("BUTTON_DATA_INVALID")
			case b.Style != "" && !slices.Contains([]string{"primary", "success", "danger"}, b.Style):
				return nil, false, bad("BUTTON_STYLE_INVALID")
			}
		}
	}
	if count > 100 {
		return nil, false, bad("REPLY_MARKUP_TOO_LONG")
	}
	return rows, markup.Force, nil
}

// send is a new message of the bot's.
func (s *Server) send(c *call, photo []byte) (any, *refusal) {
	at, topic, refused := s.place(c)
	if refused != nil {
		return nil, refused
	}
	if s.perChat > 0 {
		minute := slices.DeleteFunc(s.sent[at.id], func(t time.Time) bool { return time.Since(t) > time.Minute })
		if s.sent[at.id] = minute; len(minute) >= s.perChat {
			wait := int(time.Until(minute[0].Add(time.Minute)).Seconds()) + 1
			return nil, &refusal{code: 429, says: fmt.Sprintf("Too Many Requests: retry after %d", wait), parameters: map[string]any{"retry_after": wait}}
		}
	}
	m := &Message{From: "Norn", Topic: topic, topic: topic != 0, own: true, Photo: photo, Silent: c.is("disable_notification"), from: map[string]any{"id": botID, "is_bot": true, "first_name": "Norn", "username": Username}}
	if photo == nil {
		m.Text = c.fields["text"]
		m.Entities, refused = proven(m.Text, c.fields["entities"], 4096, "message")
	} else {
		m.Text = c.fields["caption"]
		m.Entities, refused = proven(m.Text, c.fields["caption_entities"], 1024, "message caption")
	}
	if refused != nil {
		return nil, refused
	}
	if m.Buttons, m.Force, refused = keyboard(c); refused != nil {
		return nil, refused
	}
	var to struct {
		ID       int  `json:"message_id"`
		Tolerant bool `json:"allow_sending_without_reply"`
	}
	if text := c.fields["reply_parameters"]; text != "" && json.Unmarshal([]byte(text), &to) != nil {
		return nil, bad("can't parse reply parameters")
	}
	if to.ID != 0 && at.message(to.ID) == nil && !to.Tolerant {
		return nil, bad("message to be replied not found")
	}
	m.ReplyTo = to.ID
	s.message++
	m.ID = s.message
	at.messages = append(at.messages, m)
	s.sent[at.id] = append(s.sent[at.id], time.Now())
	return m.json(at), nil
}

// edit changes a message of the bot's.
func (s *Server) edit(method string, c *call) (any, *refusal) {
	at, _, refused := s.place(c)
	if refused != nil {
		return nil, refused
	}
	m := at.message(int(c.number("message_id")))
	switch {
	case m == nil:
		return nil, bad("message to edit not found")
	case !m.own:
		return nil, bad("message can't be edited")
	}
	changed := *m
	var rows [][]Button
	if rows, _, refused = keyboard(c); refused != nil {
		return nil, refused
	}
	changed.Buttons = rows
	switch method {
	case "editMessageText":
		if m.Photo != nil {
			return nil, bad("there is no text in the message to edit")
		}
		changed.Text = c.fields["text"]
		changed.Entities, refused = proven(changed.Text, c.fields["entities"], 4096, "message")
	case "editMessageCaption":
		if m.Photo == nil {
			return nil, bad("there is no caption in the message to edit")
		}
		changed.Text = c.fields["caption"]
		changed.Entities, refused = proven(changed.Text, c.fields["caption_entities"], 1024, "message caption")
	case "editMessageMedia":
		var media struct {
			Type, Media, Caption string
			Entities             json.RawMessage `json:"caption_entities"`
		}
		if json.Unmarshal([]byte(c.fields["media"]), &media) != nil || media.Type != "photo" {
			return nil, bad("can't parse InputMedia")
		}
		changed.Photo, changed.Text = c.files[strings.TrimPrefix(media.Media, "attach://")], media.Caption
		if len(changed.Photo) == 0 {
			return nil, bad("wrong file identifier/HTTP URL specified")
		}
		changed.Entities, refused = proven(changed.Text, string(media.Entities), 1024, "message caption")
	}
	if refused != nil {
		return nil, refused
	}
	if bytes.Equal(written(&changed), written(m)) {
		return nil, bad("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	changed.Edited++
	*m = changed
	return m.json(at), nil
}

// written is all that a reader sees of a message.
func written(m *Message) []byte {
	data, err := json.Marshal([]any{m.Text, append([]Entity{}, m.Entities...), append([][]Button{}, m.Buttons...), m.Photo})
	if err != nil {
		panic(err)
	}
	return data
}

func (s *Server) answerPress(c *call) (any, *refusal) {
	q := s.presses[c.fields["callback_query_id"]]
	if q == nil || q.answered {
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	if units(c.fields["text"]) > 200 {
		return nil, bad("MESSAGE_TOO_LONG")
	}
	q.answered, q.text, q.alert = true, c.fields["text"], c.is("show_alert")
	return true, nil
}

func (s *Server) answerInline(c *call) (any, *refusal) {
	id := c.fields["inline_query_id"]
	if _, ok := s.queries[id]; !ok || s.answered[id] {
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	var all []struct {
		Type, ID, Title, Description string
		Content                      struct {
			Text     string          `json:"message_text"`
			Entities json.RawMessage `json:"entities"`
		} `json:"input_message_content"`
	}
	if list := c.fields["results"]; list != "null" && json.Unmarshal([]byte(list), &all) != nil {
		return nil, bad("can't parse inline query results")
	}
	if len(all) > 50 {
		return nil, bad("RESULTS_TOO_MUCH")
	}
	var results []Result
	for _, one := range all {
		entities, refused := proven(one.Content.Text, string(one.Content.Entities), 4096, "message")
		switch {
		case refused != nil:
			return nil, refused
		case one.Type != "article" || one.Title == "" || len(one.ID) == 0 || len(one.ID) > 64:
			return nil, bad("RESULT_INVALID")
		case slices.ContainsFunc(results, func(r Result) bool { return r.ID == one.ID }):
			return nil, bad("RESULT_ID_DUPLICATE")
		}
		results = append(results, Result{one.ID, one.Title, one.Description, one.Content.Text, entities})
	}
	s.queries[id], s.answered[id] = results, true
	return true, nil
}
