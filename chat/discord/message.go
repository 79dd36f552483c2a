package discord

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/snowflake/v2"

	"norn/chat/bridge"
)

// Limits of Discord.
const (
	maxContent     = 2000
	maxEmbed       = 4096
	maxLabel       = 80  // of a button
	maxOption      = 100 // of an option's label, value or description
	maxPlaceholder = 150
	maxAlt         = 1024
	maxNonce       = 25
	maxCalls       = 100
)

// rendered is a message in Discord's form.
type rendered struct {
	content  string
	embeds   []disgo.Embed
	rows     []disgo.LayoutComponent
	picture  []byte
	alt      string
	mentions *disgo.AllowedMentions
	flags    disgo.MessageFlags
}

// nobody allows no mentions.
func nobody() disgo.AllowedMentions {
	return disgo.AllowedMentions{Parse: []disgo.AllowedMentionType{}, Roles: []snowflake.ID{}, Users: []snowflake.ID{}}
}

// render returns a message in Discord's form. Text that is too long for a message goes into an
// embed; if it's too long for that it's cut, and the link leads to the rest.
func render(m bridge.Message) rendered {
	mentions := nobody()
	var calls []string
	for _, p := range m.Calls {
		id, ok := idOf(p.ID)
		if ok && len(mentions.Users) < maxCalls {
			mentions.Users = append(mentions.Users, id)
			calls = append(calls, "<@"+id.String()+">")
		}
	}
	s := rendered{mentions: &mentions, rows: rows(m.Controls), picture: m.Picture, alt: bridge.Cut(m.Alt, maxAlt)}
	called := strings.Join(calls, " ")
	body, link := paragraphs(m), linkOf(m)
	whole := joinParts("\n", body, called, link)
	if bridge.Units(whole) > maxContent {
		description := body
		if room := maxEmbed - bridge.Units(link) - 1; bridge.Units(body) > room {
			description = cut(m, room)
		}
		s.embeds = []disgo.Embed{{Description: joinParts("\n", description, link)}}
		whole = bridge.Cut(called, maxContent)
	}
	s.content = whole
	if m.Quiet {
		s.flags = s.flags.Add(disgo.MessageFlagSuppressNotifications)
	}
	if s.content == "" && len(s.embeds)+len(s.picture)+len(s.rows) == 0 {
		s.content = "…"
	}
	return s
}

func joinParts(by string, parts ...string) string {
	var some []string
	for _, part := range parts {
		if part != "" {
			some = append(some, part)
		}
	}
	return strings.Join(some, by)
}

// paragraphs returns the heading and the lines.
func paragraphs(m bridge.Message) string {
	var parts []string
	if head := oneLine(m.Head); head != "" {
		parts = append(parts, "**"+escape(head)+"**")
	}
	for _, line := range m.Lines {
		if text := paragraph(line); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// paragraph returns a line with its style. Marks don't extend over line breaks, so each line of
// text gets its own.
func paragraph(l bridge.Line) string {
	before, after := "", ""
	switch l.Weight {
	case bridge.Strong:
		before, after = "**", "**"
	case bridge.Small:
		before = "-# "
	case bridge.Struck:
		before, after = "~~", "~~"
	case bridge.Quoted:
		before = "> "
	}
	var lines []string
	for line := range strings.SplitSeq(l.Text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, before+escape(line)+after)
		}
	}
	return strings.Join(lines, "\n")
}

// cut returns a message's text with as many lines as fit, and a sign that there are more.
func cut(m bridge.Message, most int) string {
	less := m
	for i := len(m.Lines); i > 0; i-- {
		less.Lines = append(m.Lines[:i-1:i-1], bridge.Line{Text: "…"})
		if room := most - bridge.Units(paragraphs(less)); room >= 0 {
			last := m.Lines[i-1] // a part of it fits: each character takes at most two, and its marks a few
			last.Text = bridge.Cut(last.Text, room/2-32)
			if room > 200 && !strings.Contains(last.Text, "\n") {
				less.Lines = append(m.Lines[:i-1:i-1], last)
			}
			return paragraphs(less)
		}
	}
	less.Head, less.Lines = bridge.Cut(m.Head, most/2-8), nil
	return paragraphs(less)
}

// linkOf returns the link to the table, without a preview.
func linkOf(m bridge.Message) string {
	at, err := url.Parse(m.Link)
	if m.Link == "" || err != nil || at.Scheme != "http" && at.Scheme != "https" {
		return ""
	}
	address := strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20").Replace(at.String())
	text := oneLine(m.LinkText)
	if text == "" {
		return "<" + address + ">"
	}
	return "[" + escape(text) + "](<" + address + ">)"
}

// rows returns controls in Discord's form. The bridge makes no more than fit.
func rows(controls [][]bridge.Control) []disgo.LayoutComponent {
	rows := []disgo.LayoutComponent{}
	for _, row := range controls {
		var inside []disgo.InteractiveComponent
		for _, c := range row {
			style := disgo.ButtonStyleSecondary
			if c.Main {
				style = disgo.ButtonStylePrimary
			}
			if len(c.Options) > 0 {
				inside = append(inside, choice(c))
			} else {
				inside = append(inside, disgo.ButtonComponent{
					Style: style, Label: labelOr(c.Label, maxLabel),
					CustomID: c.ID,
				})
			}
		}
		rows = append(rows, disgo.NewActionRow(inside...))
	}
	return rows
}

// choice returns a select.
func choice(c bridge.Control) disgo.StringSelectMenuComponent {
	options := optionsOf(c.Options, "")
	least, most := 1, min(max(c.Most, 1), len(options))
	if most > 1 {
		least = 0
	}
	return disgo.StringSelectMenuComponent{
		CustomID: c.ID, Placeholder: bridge.Cut(oneLine(c.Label), maxPlaceholder),
		MinValues: &least, MaxValues: most, Options: options,
	}
}

func optionsOf(from []bridge.Option, chosen string) []disgo.StringSelectMenuOption {
	var options []disgo.StringSelectMenuOption
	for _, o := range from {
		options = append(options, disgo.StringSelectMenuOption{
			Label: labelOr(o.Label, maxOption), Value: o.Value, Description: bridge.Cut(oneLine(o.About), maxOption),
			Default: o.Chosen || chosen != "" && o.Value == chosen,
		})
	}
	return options
}

// labelOr returns a text that must not be empty.
func labelOr(text string, most int) string {
	if text = oneLine(text); text == "" {
		return "…"
	}
	return bridge.Cut(text, most)
}

// files returns the picture. It's made for each try, because sending reads it.
func (s rendered) files() []*disgo.File {
	if len(s.picture) == 0 {
		return nil
	}
	return []*disgo.File{disgo.NewFile("norn.png", s.alt, bytes.NewReader(s.picture))}
}

func (s rendered) create() disgo.MessageCreate {
	return disgo.MessageCreate{
		Content: s.content, Embeds: s.embeds, Components: s.rows, Files: s.files(), AllowedMentions: s.mentions,
		Flags: s.flags,
	}
}

// withKey returns a message that appears once even if it's sent again.
func (s rendered) withKey(key string) disgo.MessageCreate {
	m := s.create()
	if key != "" {
		sum := sha256.Sum256([]byte(key))
		m.Nonce, m.EnforceNonce = base64.RawURLEncoding.EncodeToString(sum[:])[:maxNonce], true
	}
	return m
}

// anew returns a complete replacement of a message, without leftovers.
func (s rendered) anew() disgo.MessageUpdate {
	if s.embeds == nil {
		s.embeds = []disgo.Embed{}
	}
	return disgo.MessageUpdate{
		Content: &s.content, Embeds: &s.embeds, Components: &s.rows, Files: s.files(),
		Attachments: &[]disgo.AttachmentUpdate{}, AllowedMentions: s.mentions,
	}
}

// idOf returns the number after the platform's name: discord:80351110224678912.
func idOf(of string) (snowflake.ID, bool) {
	number, ok := strings.CutPrefix(of, "discord:")
	if !ok {
		return 0, false
	}
	id, err := snowflake.Parse(number)
	return id, err == nil && id != 0
}

func userID(id snowflake.ID) string { return "discord:" + id.String() }
