package discordtest

import (
	"fmt"
	"slices"
	"strings"
)

// Channel is a place with messages.
type Channel struct {
	ID, Name string
	With     *Person // the only reader of a private channel

	server        *Server
	messages      []*message
	deleted, shut bool
}

// Place returns the channel's name in norn.
func (c *Channel) Place() string { return "discord:" + c.ID }

// Delete deletes a channel.
func (c *Channel) Delete() { c.server.do(func() { c.deleted = true }) }

// Shut removes the bot's access to a channel.
func (c *Channel) Shut() { c.server.do(func() { c.shut = true }) }

func (c *Channel) json() map[string]any {
	j := map[string]any{
		"id": c.ID, "type": 0, "name": c.Name, "guild_id": guild, "permissions": "2147483647",
		"position": 1,
	}
	if c.With != nil {
		j = map[string]any{"id": c.ID, "type": 1, "recipients": []any{c.With.json()}, "permissions": "2147483647"}
	}
	return j
}

func (c *Channel) add(m *message) {
	m.in, m.id = c, c.server.newID()
	c.messages = append(c.messages, m)
}

// message is a message as Discord stores it.
type message struct {
	id, content string
	in          *Channel
	embeds      []string
	rows        [][]Control
	files       []File
	mentions    []string // ids of notified people
	only        *Person  // the only person who sees it, if it's ephemeral
	loading     bool     // "norn is thinking"
	quiet       bool
	edits       int
	deleted     bool
	nonce       string
}

// Control is a button or a select.
type Control struct {
	ID, Label   string
	Main        bool
	Options     []Option // of a select
	Least, Most int
}

// Option is an option of a select.
type Option struct {
	Value, Label, About string
	Chosen              bool
}

func (m *message) json() map[string]any {
	return map[string]any{
		"id": m.id, "channel_id": m.in.ID, "content": m.content,
		"author": map[string]any{"id": application, "username": "norn", "bot": true},
		"embeds": []any{}, "attachments": []any{}, "mentions": []any{}, "mention_roles": []any{}, "components": []any{},
		"type": 0, "flags": m.flags(),
		"timestamp": "2026-01-01T00:00:00.000000+00:00",
	}
}

func (m *message) flags() int {
	if m.only != nil {
		return 64
	}
	return 0
}

// Message is a message as a person sees it.
type Message struct {
	ID        string
	Text      string   // as people read it, without markup
	Marked    []string // what is marked, and how: "bold Anna", "struck 3", "link table http://…", "mention Anna"
	Alone     bool     // only you can see this
	Loading   bool
	Edits     int
	Quiet     bool
	Called    []string // names of notified people
	Controls  [][]Control
	Files     []File
	Source    string // as it was sent
	in        *Channel
	ephemeral *message
}

// Control returns a control by its label.
func (m Message) Control(label string) (Control, bool) {
	for _, row := range m.Controls {
		for _, c := range row {
			if c.Label == label {
				return c, true
			}
		}
	}
	return Control{}, false
}

// Person is a person in Discord.
type Person struct {
	ID, Name, Locale string
	server           *Server
	dm               *Channel
}

// Who returns the person's name in norn.
func (p *Person) Who() string { return "discord:" + p.ID }

func (p *Person) json() map[string]any {
	return map[string]any{
		"id": p.ID, "username": strings.ToLower(p.Name), "global_name": p.Name, "discriminator": "0",
		"avatar": nil,
	}
}

// Channel makes a channel, which everybody reads.
func (s *Server) Channel(name string) *Channel {
	c := &Channel{server: s, Name: name}
	s.do(func() {
		c.ID = s.newID()
		s.channels[c.ID] = c
	})
	return c
}

// Person adds a person.
func (s *Server) Person(name, locale string) *Person {
	p := &Person{server: s, Name: name, Locale: locale}
	s.do(func() {
		p.ID = s.newID()
		s.people[p.ID] = p
	})
	return p
}

// DM returns the person's private channel with norn.
func (p *Person) DM() *Channel {
	var c *Channel
	p.server.do(func() { c = p.server.dm(p) })
	return c
}

// Sees returns what a person sees in a channel, top to bottom.
func (p *Person) Sees(c *Channel) []Message {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	var seen []Message
	if c.With != nil && c.With != p || c.deleted {
		return nil
	}
	for _, m := range c.messages {
		if m.deleted || m.only != nil && m.only != p {
			continue
		}
		seen = append(seen, m.snapshot())
	}
	return seen
}

// Last returns the newest message that a person sees in a channel.
func (p *Person) Last(c *Channel) Message {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	for _, m := range slices.Backward(c.messages) {
		if !m.deleted && (m.only == nil || m.only == p) {
			return m.snapshot()
		}
	}
	return Message{}
}

// Reads returns the text that a person sees in a channel.
func (p *Person) Reads(c *Channel) string {
	var texts []string
	for _, m := range p.Sees(c) {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}

// snapshot returns a message for display. The caller holds the lock.
func (m *message) snapshot() Message {
	name := func(id string) string {
		if p := m.in.server.people[id]; p != nil {
			return p.Name
		}
		return "unknown-user"
	}
	out := Message{
		ID: m.id, Alone: m.only != nil, Loading: m.loading, Edits: m.edits, Quiet: m.quiet, Controls: m.rows,
		Files: m.files, in: m.in, ephemeral: m,
		Source: strings.Join(append([]string{m.content}, m.embeds...), "\n"),
	}
	for _, id := range m.mentions {
		out.Called = append(out.Called, name(id))
	}
	if m.loading {
		out.Text = "norn is thinking…"
		return out
	}
	var texts []string
	for _, source := range append([]string{m.content}, m.embeds...) {
		if source == "" {
			continue
		}
		text, marked := draw(source, func(id string) string { return name(id) })
		texts = append(texts, text)
		out.Marked = append(out.Marked, marked...)
	}
	out.Text = strings.Join(texts, "\n")
	return out
}

// Find waits for a message with a text that a person sees.
func (p *Person) Find(c *Channel, part string) Message {
	p.server.t.Helper()
	var found Message
	p.server.Until(fmt.Sprintf("%s to see %q in %s", p.Name, part, c.Name), func() bool {
		all := p.Sees(c)
		slices.Reverse(all)
		i := slices.IndexFunc(all, func(m Message) bool { return strings.Contains(m.Text, part) })
		if i >= 0 {
			found = all[i]
		}
		return i >= 0
	})
	return found
}
