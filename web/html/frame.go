// Package html has the templates of the pages: frame, forms, and the parts of a table's page. A
// template of a section draws one plain value; that of a whole page draws a Look. Functions next to
// the templates make the values that table/view doesn't have; those that depend on the reader's
// selection are methods of Look.
//
// It knows neither requests nor seats and loads nothing: what isn't in a Look isn't drawn. So
// cards, sheets and the composer can be tested without a server.
package html

import (
	"crypto/rand"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"rsc.io/qr"

	"norn/lang"
	"norn/web/fields"
)

// Frame has what every page has around its content.
type Frame struct {
	Reader
	Site  *Site
	Title string
	Game  string    // id of the game whose theme the page has; "" for norn's own
	Wide  bool      // the page fills the screen, with parts that scroll by themselves
	Games bool      // it shows all games, each with its theme
	Light bool      // it only has text and a button
	Path  string    // where a choice of language or theme leads back to
	Hears *Listener // for a page of a table that follows only alerts; nil for others
	Seen  *Preview  // what a messenger shows for a link to the page; nil for nothing
}

// Preview is the preview of a link in a messenger. The messenger has no cookies and no seat, and
// may store it, so it contains nothing of a seat.
type Preview struct {
	Title, Line string
	Picture     string // full address, "" for none
}

// Site has what all pages of a norn have in common.
type Site struct {
	File     func(name string) string // address of a bundled file, "" without a bundle
	Worker   string                   // address of the service worker, "" for none
	Games    func() []string          // ids of the offered games
	OwnHeads map[string]bool          // games whose theme has a font for headings
	Name     func(lang.Lang) string   // of a language, in that language
	Emblem   func(game string) string // SVG in the colour of the text, "" for none
	// address of the stylesheet of a game that has only colours; "" for another
	Painted func(game string) string
}

// OfAll returns the frame of a page that shows all games, each with its theme.
func (f Frame) OfAll() Frame {
	f.Games = true
	return f
}

// Reader has a reader's language, theme and time zone.
type Reader struct {
	lang.Speaker
	Theme string // "auto", "light", "dark"
	Zone  *time.Location
	Paint string // address of the stylesheet of the page's game, if it has only colours; "" otherwise
}

// Themes lists the themes of pages, the default first.
var Themes = []string{"auto", "light", "dark"}

// Colours of the window around norn's own pages, in the light and the dark theme.
const (
	Paper = "#f4f1ea"
	Night = "#131716"
)

// TimeOf returns a time of day in the reader's zone, with the day unless it's today.
func (r Reader) TimeOf(t time.Time) string { return r.Clock(t, r.Zone) }

// DateOf returns a day in the reader's zone.
func (r Reader) DateOf(t time.Time) string { return r.Date(t, r.Zone) }

// DayOf returns the day in the reader's zone, for the script: "2026-11-21".
func (r Reader) DayOf(t time.Time) string { return t.In(r.Zone).Format(time.DateOnly) }

// Moment returns day and time.
func (r Reader) Moment(t time.Time) string { return r.Time(t, r.Zone) }

func scheme(theme string) string {
	if theme == "auto" {
		return "light dark"
	}
	return theme
}

// fonts returns the fonts that a page certainly needs: for text in its language, and for headings
// unless its game has a font of its own.
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

// themes returns the stylesheets that the page needs: of its game, or of all that it shows.
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

// maxPainted limits the stylesheets that a page of all games loads.
const maxPainted = 40

// themeMedia returns the media query of a theme's window colour.
func themeMedia(chosen, theme string) string {
	if chosen == theme {
		return "all"
	}
	return "(prefers-color-scheme: " + theme + ")"
}

// YesNo returns a bool as an attribute's value.
func YesNo(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// Itoa is strconv.Itoa, short for templates.
func Itoa(n int) string { return strconv.Itoa(n) }

// SeqText returns a seq as text.
func SeqText(n uint64) string { return strconv.FormatUint(n, 10) }

// JoinTexts joins short texts in one line.
func JoinTexts(texts []string) string {
	line := ""
	for i, text := range texts {
		if i > 0 {
			line += "\u00a0· " // a line may end with the dot but not begin with it
		}
		line += text
	}
	return line
}

// GuideIn returns the address of a page of the guide in a language.
func GuideIn(l lang.Lang, page string) string { return "/guide/" + string(l) + "/" + page }

// Own is the prefix of controls that belong to the page, not to a form.
const Own = fields.Own

// Page has what all parts of a table's page have in common: its reader, its address, and whether
// several readers share them.
type Page struct {
	Reader
	Voice fields.Voice // of the table's game, in the reader's language
	Game  string       // its id
	Base  string       // the address of the seat's page
	Chats bool         // norn is connected to chats
	// the parts are sent to all pages that see the same; the script adds the keys of forms
	Shared bool
}

// To returns an address of the table, for this seat.
func (p Page) To(what string) string { return p.Base + what }

// SessionAt returns the address of a session's page.
func (p Page) SessionAt(n int) string { return p.To("/session/" + Itoa(n)) }

// cardLink returns the address of a card in the log, for everybody at the table.
func (p Page) cardLink(seq uint64, id string) string {
	return p.To(Selection{Entry: seq}.Query()) + "#" + id
}

// Key returns a new key for a form, "" if each page makes its own.
func (p Page) Key() string {
	if p.Shared {
		return ""
	}
	return NewKey()
}

// NewKey returns a key for a form that is posted once: 65 random bits, which nobody can guess, since a
// repeated recovery code gives a seat by it. A page has some twenty, so they are short.
func NewKey() string { return rand.Text()[:13] }

// initial returns the first letter of a name, as a capital.
func initial(name string) string {
	for _, letter := range name {
		if unicode.IsLetter(letter) || unicode.IsDigit(letter) {
			return string(unicode.ToUpper(letter))
		}
	}
	return ""
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// splitLinks splits a text at web addresses in it: every second part is an address.
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

// code returns a link as a QR code: an SVG path of unit squares, and the size with a margin of four
// modules. A link that's too long returns none.
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
