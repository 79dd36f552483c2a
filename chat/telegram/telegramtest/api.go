package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// refusal is an error response.
type refusal struct {
	code       int
	says       string
	parameters map[string]any
}

func bad(format string, args ...any) *refusal {
	return &refusal{code: 400, says: "Bad Request: " + fmt.Sprintf(format, args...)}
}

// call has the parameters of a method.
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
			cutConnection(w)
			return
		}
	}
	result, refused := s.call(r, method, c)
	s.mu.Lock()
	s.wake()
	s.mu.Unlock()
	if fault != nil && fault.Cut {
		cutConnection(w)
		return
	}
	reply(w, result, refused)
}

// cutConnection breaks a connection in the middle of a response.
func cutConnection(w http.ResponseWriter) {
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

// read reads a call's parameters, from JSON, a form or a multipart form.
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

// call runs a method.
func (s *Server) call(r *http.Request, method string, c *call) (any, *refusal) {
	if method == "getUpdates" {
		told, conflict := s.get(r.Context(), c.number("offset"), time.Duration(c.number("timeout"))*time.Second)
		if conflict != "" {
			return nil, &refusal{code: 409, says: "Conflict: " + conflict}
		}
		return told, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case "getMe":
		return map[string]any{
			"id": botID, "is_bot": true, "first_name": "Norn", "username": Username,
			"can_join_groups": true, "supports_inline_queries": true,
		}, nil
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
	case "editMessageText", "editMessageReplyMarkup":
		return s.edit(method, c)
	case "answerCallbackQuery":
		return s.answerPress(c)
	case "answerInlineQuery":
		return s.answerInline(c)
	}
	return nil, &refusal{code: 404, says: "Not Found: method not found"}
}

func (s *Server) setMyCommands(c *call) (any, *refusal) {
	var scope struct{ Type string }
	var commands []struct{ Command, Description string }
	if json.Unmarshal([]byte(c.fields["commands"]), &commands) != nil || c.fields["scope"] != "" &&
		json.Unmarshal([]byte(c.fields["scope"]), &scope) != nil {
		return nil, bad("can't parse commands")
	}
	var names []string
	for _, one := range commands {
		if one.Description == "" || len(one.Description) > 256 || strings.ToLower(one.Command) != one.Command ||
			len(one.Command) > 32 {
			return nil, bad("BOT_COMMAND_INVALID")
		}
		names = append(names, one.Command)
	}
	s.commands[strings.TrimSpace(scope.Type+" "+c.fields["language_code"])] = names
	return true, nil
}

// place returns the chat and topic of a call.
func (s *Server) place(c *call) (*chat, int, *refusal) {
	id := c.number("chat_id")
	if to, ok := s.moved[id]; ok {
		return nil, 0, &refusal{
			code: 400, says: "Bad Request: group chat was upgraded to a supergroup chat",
			parameters: map[string]any{"migrate_to_chat_id": to},
		}
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

// proven refuses a text or entities that Telegram wouldn't accept.
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
		if utf16.IsSurrogate(rune(part[0])) && part[0] >= 0xDC00 || utf16.IsSurrogate(rune(part[len(part)-1])) &&
			part[len(part)-1] < 0xDC00 {
			return nil, bad("entity %d–%d parts a character", e.Offset, e.Offset+e.Length)
		}
		if strings.TrimSpace(string(utf16.Decode(part))) == "" {
			return nil, bad("entity at %d covers nothing", e.Offset)
		}
		known := []string{
			"bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "code", "pre",
			"text_link", "text_mention",
		}
		if !slices.Contains(known, e.Type) || e.Type == "text_link" && e.URL == "" || e.Type == "text_mention" &&
			e.User == nil {
			return nil, bad("can't parse MessageEntity of type %q", e.Type)
		}
	}
	// Telegram trims and shifts them; norn must not rely on that
	if strings.TrimSpace(text) != text && len(entities) > 0 {
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

// send adds a message of the bot.
func (s *Server) send(c *call, photo []byte) (any, *refusal) {
	at, topic, refused := s.place(c)
	if refused != nil {
		return nil, refused
	}
	if s.perChat > 0 {
		minute := slices.DeleteFunc(s.sent[at.id], func(t time.Time) bool { return time.Since(t) > time.Minute })
		if s.sent[at.id] = minute; len(minute) >= s.perChat {
			wait := int(time.Until(minute[0].Add(time.Minute)).Seconds()) + 1
			return nil, &refusal{
				code: 429, says: fmt.Sprintf("Too Many Requests: retry after %d", wait),
				parameters: map[string]any{"retry_after": wait},
			}
		}
	}
	m := &Message{
		From: "Norn", Topic: topic, topic: topic != 0, own: true, Photo: photo,
		Silent: c.is("disable_notification"),
		from:   map[string]any{"id": botID, "is_bot": true, "first_name": "Norn", "username": Username},
	}
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

// edit changes a message of the bot.
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
	if method == "editMessageText" {
		if m.Photo != nil {
			return nil, bad("there is no text in the message to edit")
		}
		changed.Text = c.fields["text"]
		changed.Entities, refused = proven(changed.Text, c.fields["entities"], 4096, "message")
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

// written encodes everything that a reader sees of a message.
func written(m *Message) []byte {
	data, err := json.Marshal([]any{
		m.Text, append([]Entity{}, m.Entities...), append([][]Button{}, m.Buttons...),
		m.Photo,
	})
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
