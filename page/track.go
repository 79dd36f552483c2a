package page

import (
	"strconv"

	"norn/lang"
)

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

// Label is the track's name in words, or as people gave it.
func (t Track) Label(s lang.Speaker) string {
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

// boxes is how many boxes are drawn: those there are, and all that are marked or free.
func (t Track) boxes() int { return max(t.Max, t.Now, t.Free) }

// spoken is what a screen reader says instead of the boxes.
func (t Track) spoken(s lang.Speaker) string {
	if t.Hidden {
		return t.Label(s) + ": " + t.words(s)
	}
	return s.Say("page.track", "Name", t.Label(s), "N", t.Now, "Free", t.Free)
}

// level is how full a track is, in percent for a bar.
func (t Track) level() string {
	if t.boxes() == 0 {
		return "0%"
	}
	return percent(float64(t.Now) / float64(t.boxes()))
}

// eased is how much of a track is free, in percent for a bar.
func (t Track) eased() string {
	if t.boxes() == 0 {
		return "0%"
	}
	return percent(float64(t.Free) / float64(t.boxes()))
}
