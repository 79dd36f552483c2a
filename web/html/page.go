package html

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"strings"
	"time"

	"rsc.io/qr"
)

// Page is what all parts of a table's page have in common: who reads it, where it is, and whether it's one reader's.
type Page struct {
	Reader
	Game   string // its id
	Base   string // the address at which the seat is played
	Chats  bool   // norn goes to chats
	Shared bool   // what is drawn goes to all pages that see the same, by a stream: script gives its forms their keys
}

// To is an address of the table, as this seat.
func (p Page) To(what string) string { return p.Base + what }

// SessionAt is the address of a session's page.
func (p Page) SessionAt(n int) string { return p.To("/session/" + Itoa(n)) }

// Key is of a form that wasn't sent yet, "" where each page makes its own.
func (p Page) Key() string {
	if p.Shared {
		return ""
	}
	return NewKey()
}

// NewKey is of a form that is sent once.
func NewKey() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Hidden is what a form sends besides what is filled in.
type Hidden struct{ Name, Value string }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// linked takes a text apart at the addresses of pages in it: every second part is one.
func linked(text string) []string {
	var parts []string
	last := 0
	for _, at := range address.FindAllStringIndex(text, -1) {
		end := at[0] + len(strings.TrimRight(text[at[0]:at[1]], ".,;:!?)»”\"'"))
		parts = append(parts, text[last:at[0]], text[at[0]:end])
		last = end
	}
	return append(parts, text[last:])
}

var address = regexp.MustCompile(`https?://[^\s<>"]+`)

// code draws a link as a QR code: one path of unit squares, and its size with a
// margin of four modules. A link too long for one gives none.
func code(link string) (path string, size int) {
	drawn, err := qr.Encode(link, qr.M)
	if err != nil {
		return "", 0
	}
	const margin = 4
	var b strings.Builder
	for y := range drawn.Size {
		for x := range drawn.Size {
			if drawn.Black(x, y) {
				b.WriteString("M" + Itoa(x+margin) + " " + Itoa(y+margin) + "h1v1h-1z")
			}
		}
	}
	return b.String(), drawn.Size + 2*margin
}
