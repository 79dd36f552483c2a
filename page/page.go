// Package page holds the parts that pages of different games share: tracks,
// dice, bars. A part is a value that a game fills and a component that draws
// it, without knowing any game.
//
// It imports templ, lang and the standard library; no other package of norn.
package page

import (
	"embed"
	"strconv"

	"github.com/a-h/templ"

	"norn/lang"
)

//go:embed words/*.toml
var Words embed.FS

// Component is a piece of a page.
type Component = templ.Component

// Track is a row of boxes: how many there are and how many are marked. Free
// boxes come first and are drawn apart. A track without boxes of its own (Max
// 0) grows with what is marked.
type Track struct {
	ID     string `json:"id"`            // stable within the sheet: "blood"
	Name   string `json:"name"`          // word id of its name, or the name that people gave
	Now    int    `json:"now"`           // marked
	Max    int    `json:"max,omitempty"` // boxes; 0: as many as marked
	Free   int    `json:"free,omitempty"`
	Hidden bool   `json:"hidden,omitempty"` // the viewer may not see the number
	Words  string `json:"words,omitempty"`  // word id of what is shown instead of, or beside, the number
}

// label is the track's name in words, or as people gave it.
func (t Track) label(s lang.Speaker) string {
	if s.Has(t.Name) {
		return s.Say(t.Name)
	}
	return t.Name
}

func (t Track) words(s lang.Speaker) string {
	if t.Words == "" {
		return "—"
	}
	return s.Say(t.Words)
}

func (t Track) number() string { return strconv.Itoa(t.Now) }

func (t Track) spoken(s lang.Speaker) string {
	return s.Say("page.track", "Name", t.label(s), "N", t.Now, "Free", t.Free)
}
