package telegram

import (
	"strings"
	"unicode"

	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
)

// Limits of Telegram, in UTF-16 units of the text.
const (
	maxText    = 4096
	maxCaption = 1024
	maxAlert   = 200
)

// prose is a text with its entities, whose offsets count UTF-16 units.
type prose struct {
	text     strings.Builder
	units    int
	entities []models.MessageEntity
}

// put appends a text with entities, whose offsets it fills in.
func (p *prose) put(text string, as ...models.MessageEntity) {
	if text == "" {
		return
	}
	long := bridge.Units(text)
	for _, e := range as {
		e.Offset, e.Length = p.units, long
		p.entities = append(p.entities, e)
	}
	p.text.WriteString(text)
	p.units += long
}

func as(kind models.MessageEntityType) models.MessageEntity { return models.MessageEntity{Type: kind} }

// weights maps styles of lines to entities.
var weights = map[bridge.Weight][]models.MessageEntity{
	bridge.Strong: {as(models.MessageEntityTypeBold)},
	bridge.Small:  {as(models.MessageEntityTypeItalic)},
	bridge.Struck: {as(models.MessageEntityTypeStrikethrough)},
	bridge.Quoted: {as(models.MessageEntityTypeBlockquote)},
}

// clean returns a text that can be shown: without control characters and trailing spaces, and
// mentioning nobody. Telegram takes what follows an @ for a name and notifies that person, unless a
// zero-width character comes between.
func clean(text string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '\n', r == '\t':
		case unicode.IsControl(r):
			continue
		}
		if last == '@' && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
			b.WriteRune('\u2060')
		}
		b.WriteRune(r)
		last = r
	}
	return strings.TrimSpace(b.String())
}

// paragraph is a part of a message on lines of its own.
type paragraph struct {
	text string
	as   []models.MessageEntity
	tail bool // stays even if not everything fits
}

// laidOut joins paragraphs, with at most room units: all of those at the tail, and as many of the
// others as fit.
func laidOut(paragraphs []paragraph, room int) *prose {
	for _, p := range paragraphs {
		if p.tail {
			room -= bridge.Units(p.text) + 1
		}
	}
	out, full := &prose{}, false
	for _, p := range paragraphs {
		gap := min(out.units, 1)
		if !p.tail {
			if full {
				continue
			}
			whole := bridge.Units(p.text)
			p.text = bridge.Cut(p.text, room-gap)
			full = bridge.Units(p.text) < whole || p.text == "…" || room <= gap
			room -= gap + bridge.Units(p.text)
		}
		if p.text == "" {
			continue
		}
		if gap > 0 {
			out.put("\n")
		}
		out.put(p.text, p.as...)
	}
	return out
}
