package middleware

import (
	"regexp"
	"strings"

	"norn/game"
)

// heads lists the fonts that an own game's headings may have, and the family if it must be loaded.
var heads = map[string]struct{ fonts, family string }{
	"garamond": {`"EB Garamond Apart", "EB Garamond", Palatino, Georgia, serif`, "EB Garamond"},
	"sans":     {"var(--font-text)", ""},
	"rounded":  {"ui-rounded, var(--font-text)", ""},
	"mono":     {`ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace`, ""},
}

// PaintAt returns the address of the stylesheet of a game that has only colours, "" for a game
// without. The address contains everything, so any node can serve it, and it may be cached for
// ever.
func PaintAt(g *game.Game) string {
	if g.Paint == nil {
		return ""
	}
	return "/assets/" + g.ID + "." + g.Paint.String() + ".css"
}

var paintFile = regexp.MustCompile(`^([a-z][a-z0-9-]{0,39})\.([a-z]+\.[0-9a-f]+)\.css$`)

// findPainted returns such a stylesheet.
func (a *assets) findPainted(name string) (asset, bool) {
	parts := paintFile.FindStringSubmatch(name)
	if parts == nil {
		return asset{}, false
	}
	p, ok := game.PaintOf(parts[2])
	if !ok {
		return asset{}, false
	}
	var b strings.Builder
	font := heads[p.Heads]
	b.WriteString(a.faces[font.family])
	b.WriteString(`[data-game="` + parts[1] + `"]{`)
	for _, c := range game.Colours {
		b.WriteString("--" + c.Name + ":light-dark(" + p.Light[c.Name] + "," + p.Dark[c.Name] + ");")
	}
	if font.fonts != "" {
		b.WriteString("--font-head:" + font.fonts + ";--head-stretch:100%;")
	}
	b.WriteString("--mark:var(--accent)}") // otherwise it's the accent of norn's own pages
	return newAsset(name, []byte(b.String()), nil, true), true
}
