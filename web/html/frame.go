// Package html draws pages: their frame, forms, and what stands on them. A template draws plain
// values, and what a table's page needs besides those of table/view is made of a Look by a method
// next to its template.
//
// It knows no request and no seat, and asks nobody: what isn't in a Look isn't drawn. So what a
// card, a sheet or the composer says can be tried without a server.
package html

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"rsc.io/qr"

	"norn/lang"
	"norn/web/fields"
)

// Frame is what every page has around its content.
type Frame struct {
	Reader
	Site  *Site
	Title string
	Game  string    // id of the game whose voice the page has; "" for norn's own
	Wide  bool      // the page is one screen, with parts that scroll by themselves
	Games bool      // it shows all games, each with its voice
	Light bool      // it has nothing but words and a button
	Path  string    // where a choice of language or theme leads back to
	Hears *Listener // on a page of a table that doesn't follow all of it; nil for others
	Seen  *Preview  // what a messenger shows of a link to the page; nil for nothing
}

// Preview is how a messenger shows a link. Whoever reads it has neither cookies nor a seat, and may
// keep it: it says nothing that is a seat's own.
type Preview struct {
	Title, Line string
	Picture     string // its whole address, "" for none
}

// Site is what all pages of a norn have in common.
type Site struct {
	File     func(name string) string // where a bundled file is served, "" if there is no bundle
	Worker   string                   // where the service worker is, "" if there is none
	Games    func() []string          // ids, as they are offered
	OwnHeads map[string]bool          // games whose theme names a font for heads
	Name     func(lang.Lang) string   // of a language, in itself
	Emblem   func(game string) string // an SVG in the colour of the text, "" for none
	// where the stylesheet is of a game that brings none, as it's offered; "" for none
	Painted func(game string) string
}

// OfAll is the frame of a page that shows all games, each with its voice.
func (f Frame) OfAll() Frame {
	f.Games = true
	return f
}

// Reader is who reads a page: language, looks and clock.
type Reader struct {
	lang.Speaker
	Theme string // "auto", "light", "dark"
	Zone  *time.Location
	Paint string // where the stylesheet is of the page's game, if that brings none; "" for none
}

// Themes are what a page can look like, the default first.
var Themes = []string{"auto", "light", "dark"}

// The colours of a window around norn's own pages, by day and by night.
const (
	Paper = "#f4f1ea"
	Night = "#131716"
)

// TimeOf writes a time of day in the reader's zone, with the day where it isn't today.
func (r Reader) TimeOf(t time.Time) string { return r.Clock(t, r.Zone) }

// DateOf writes a day in the reader's zone.
func (r Reader) DateOf(t time.Time) string { return r.Date(t, r.Zone) }

// DayOf is the day in the reader's zone, for script: "2026-11-21".
func (r Reader) DayOf(t time.Time) string { return t.In(r.Zone).Format(time.DateOnly) }

// Moment writes day and time.
func (r Reader) Moment(t time.Time) string { return r.Time(t, r.Zone) }

func scheme(theme string) string {
	if theme == "auto" {
		return "light dark"
	}
	return theme
}

// fonts are those that a page surely needs: the text's in its language, and the heads' unless its
// game has heads of its own.
func (f Frame) fonts() []string {
	text, heads := []string{"source-sans-3-latin.woff2"}, "noto-serif-display-latin.woff2"
	if f.Lang() != lang.En {
		text, heads = []string{"source-sans-3-cyrillic.woff2", "source-sans-3-latin-apart.woff2"},
			"noto-serif-display-cyrillic.woff2"
	}
	if f.Site.OwnHeads[f.Game] || f.Paint != "" && !strings.Contains(f.Paint, ".display.") {
		return text
	}
	return append(text, heads)
}

// themes are the looks that the page needs: its game's, or all where it shows all games.
func (f Frame) themes() (urls []string) {
	if f.Paint != "" {
		urls = append(urls, f.Paint)
	}
	for i, g := range f.Site.Games() {
		if !f.Games && f.Game != g {
			continue
		}
		url := f.Site.File(g + ".css")
		if url == "" && f.Paint == "" && (f.Game == g || i < maxPainted) {
			url = f.Site.Painted(g)
		}
		if url != "" {
			urls = append(urls, url)
		}
	}
	return urls
}

// maxPainted bounds how many stylesheets a page of all games loads.
const maxPainted = 40

// themeMedia is when a colour of the window is that of a theme.
func themeMedia(chosen, theme string) string {
	if chosen == theme {
		return "all"
	}
	return "(prefers-color-scheme: " + theme + ")"
}

// YesNo is a yes or no as an attribute has it.
func YesNo(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// Itoa is short in templates.
func Itoa(n int) string { return strconv.Itoa(n) }

// SeqText is a seq as text.
func SeqText(n uint64) string { return strconv.FormatUint(n, 10) }

// JoinTexts is several short texts as one line.
func JoinTexts(texts []string) string {
	line := ""
	for i, text := range texts {
		if i > 0 {
			line += "\u00a0· " // the dot ends a line, and begins none
		}
		line += text
	}
	return line
}

// GuideIn is where a page of the guide stands in a language.
func GuideIn(l lang.Lang, page string) string { return "/guide/" + string(l) + "/" + page }

// Own begins the names of what is the page's and no field of a form.
const Own = fields.Own

// Page is what all parts of a table's page have in common: who reads it, where it is, and whether it's one reader's.
type Page struct {
	Reader
	Voice fields.Voice // of the table's game, in the reader's language
	Game  string       // its id
	Base  string       // the address at which the seat is played
	Chats bool         // norn goes to chats
	// what is drawn goes to all pages that see the same, by a stream: script gives its forms their
	// keys
	Shared bool
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

// initial is the first letter of a name, in capitals.
func initial(name string) string {
	for _, letter := range name {
		if unicode.IsLetter(letter) || unicode.IsDigit(letter) {
			return string(unicode.ToUpper(letter))
		}
	}
	return ""
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// splitLinks takes a text apart at the addresses of pages in it: every second part is one.
func splitLinks(text string) []string {
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
