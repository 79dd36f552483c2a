package game

import (
	"regexp"
	"slices"
	"strings"
)

// Paint is the look of a game without a stylesheet: colours for day and night, and a font for
// headings. It is always complete.
type Paint struct {
	Light, Dark map[string]string // by the names in Colours, as "#1a2220"
	Heads       string            // one of Heads
}

// Colour is a colour of the page: its name, and its defaults.
type Colour struct{ Name, Light, Dark string }

// Colours lists the colours of norn's own pages.
var Colours = []Colour{
	{"paper", "#f4f1ea", "#131716"},
	{"raised", "#fcfaf6", "#1b2120"},
	{"sunk", "#eae6dc", "#0d1110"},
	{"ink", "#1a2220", "#e6e2d8"},
	{"faint", "#58625f", "#9ba5a1"},
	{"line", "#d0cabd", "#2d3634"},
	{"accent", "#1b6253", "#6fc3ae"},
	{"on-accent", "#f8f6f1", "#0d1413"},
	{"danger", "#9b2226", "#f08a80"},
	{"triumph", "#0a4f41", "#8be6cd"},
	{"good", "#23705f", "#55ab96"},
	{"mixed", "#86580a", "#d8a94f"},
	{"bad", "#a8402f", "#e4937f"},
	{"disaster", "#6b0f1c", "#f4606a"},
	{"neutral", "#56615e", "#9aa5a1"},
}

// Heads lists the fonts for headings; the first is norn's own.
var Heads = []string{"display", "garamond", "sans", "rounded", "mono"}

// DefaultPaint returns a paint with norn's own colours.
func DefaultPaint() *Paint {
	p := &Paint{Light: map[string]string{}, Dark: map[string]string{}, Heads: Heads[0]}
	for _, c := range Colours {
		p.Light[c.Name], p.Dark[c.Name] = c.Light, c.Dark
	}
	return p
}

// String encodes the paint as a name from which PaintOf decodes it, so that any node can serve it.
func (p *Paint) String() string {
	var b strings.Builder
	b.WriteString(p.Heads + ".")
	for _, c := range Colours {
		b.WriteString(strings.TrimPrefix(p.Light[c.Name], "#") + strings.TrimPrefix(p.Dark[c.Name], "#"))
	}
	return b.String()
}

var painted = regexp.MustCompile(`^([a-z]+)\.([0-9a-f]+)$`)

// PaintOf returns the paint with a name, or false if the name is invalid.
func PaintOf(name string) (*Paint, bool) {
	parts := painted.FindStringSubmatch(name)
	if parts == nil || !slices.Contains(Heads, parts[1]) || len(parts[2]) != 12*len(Colours) {
		return nil, false
	}
	p, hex := DefaultPaint(), parts[2]
	p.Heads = parts[1]
	for i, c := range Colours {
		p.Light[c.Name], p.Dark[c.Name] = "#"+hex[12*i:12*i+6], "#"+hex[12*i+6:12*i+12]
	}
	return p, true
}
