package page

import (
	"fmt"
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

	Field string `json:"-"` // path of its number in the sheet's form; "" for one that follows from others
	Gone  bool   `json:"-"` // the field holds what is gone of Max
	Grows bool   `json:"-"` // more may be marked than there are boxes
	Look  Look   `json:"-"`
}

// Look is what the boxes of a track look like.
type Look string

// Looks. The zero Look is a box.
const (
	Dots   Look = "dots"
	Arrows Look = "arrows"
)

// most is how many boxes are drawn one by one.
const most = 40

// Label is the track's name in words, or as people gave it.
func (t Track) Label(s lang.Speaker) string {
	if s.Has(t.Name) {
		return s.Say(t.Name)
	}
	return t.Name
}

// Worded is the track with its texts in words instead of their ids.
func (t Track) Worded(s lang.Speaker) Track {
	t.Name = t.Label(s)
	if t.Words != "" {
		t.Words = t.words(s)
	}
	return t
}

func (t Track) words(s lang.Speaker) string {
	switch {
	case t.Words == "":
		return "—"
	case s.Has(t.Words):
		return s.Say(t.Words)
	}
	return t.Words
}

func (t Track) number() string { return strconv.Itoa(t.Now) }

// boxes is how many boxes are drawn: those there are, and all that are marked or free.
func (t Track) boxes() int { return max(t.Max, t.Now, t.Free) }

// room is how many boxes are drawn, for who may mark them with some to mark.
func (t Track) room(live bool) int {
	if live && t.Max == 0 {
		return max(t.boxes()+1, 5)
	}
	return t.boxes()
}

// value says how much is marked; n is the number or what stands for it.
func (t Track) value(s lang.Speaker, n any) string {
	text := fmt.Sprint(n)
	if t.Max > 0 {
		text = s.Say("page.of", "N", text, "Max", t.Max)
	}
	if t.Free > 0 {
		text += ", " + s.Say("page.free", "N", t.Free)
	}
	return text
}

// spoken is what a screen reader says instead of the boxes.
func (t Track) spoken(s lang.Speaker) string {
	if t.Hidden {
		return t.Label(s) + ": " + t.words(s)
	}
	return t.Label(s) + ": " + t.value(s, t.Now)
}

// least is the least that may be marked.
func (t Track) least(f Field) string {
	if t.Gone {
		return whole(max(0, t.Max-f.Max))
	}
	return whole(f.Min)
}

// most is the most that may be marked.
func (t Track) most(f Field) string {
	if t.Max > 0 && !t.Grows {
		return whole(max(t.Max, t.Now))
	}
	return whole(f.Max)
}

func whole(n int) string { return strconv.Itoa(n) }

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
