package telegram

import (
	"strings"
	"unicode"

	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
)

// What Telegram takes, in UTF-16 units of the text.
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

// put appends a text that looks as the entities say; their offsets are filled in.
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

// weights are how lines look.
var weights = map[bridge.Weight][]models.MessageEntity{
	bridge.Strong: {as(models.MessageEntityTypeBold)},
	bridge.Small:  {as(models.MessageEntityTypeItalic)},
	bridge.Struck: {as(models.MessageEntityTypeStrikethrough)},
	bridge.Quoted: {as(models.MessageEntityTypeBlockquote)},
}

// clean is a text as it can be shown: without control signs and ends of spaces, and mentioning
// nobody. Telegram takes what follows an @ for a name and calls whoever has it, unless something
// stands between that has no width.
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

// paragraph is one piece of a message that stands on lines of its own.
type paragraph struct {
	text string
	as   []models.MessageEntity
	tail bool // is kept when there is no room for all
}

// laidOut puts paragraphs together, within so many units. Those at the tail are whole; of the others as many as fit.
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
