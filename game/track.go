package game

import "norn/lang"

// Track is a row of boxes, some of them marked. Free boxes come first and are drawn separately. A
// track without boxes of its own (Max 0) grows with its marks.
type Track struct {
	ID     string `json:"id"`            // stable within the sheet: "blood"
	Name   string `json:"name"`          // word id of its name, or a name that people gave
	Now    int    `json:"now"`           // number of marked boxes
	Max    int    `json:"max,omitempty"` // number of boxes; 0: as many as marked
	Free   int    `json:"free,omitempty"`
	Hidden bool   `json:"hidden,omitempty"` // the viewer may not see the number
	Words  string `json:"words,omitempty"`  // word id of a description shown instead of the number, or next to it

	Field string `json:"-"` // path of its number in the sheet's form; "" if it's derived from other fields
	Gone  bool   `json:"-"` // the field holds the number lost of Max
	Grows bool   `json:"-"` // more may be marked than there are boxes
	Look  Look   `json:"-"`
}

// Look is the way in which a track's boxes are drawn.
type Look string

// Looks. The zero Look is a box.
const (
	Dots   Look = "dots"
	Arrows Look = "arrows"
	Bar    Look = "bar"
	Clock  Look = "clock" // a circle of sectors
)

// Label returns the track's name, in words or as people gave it.
func (t Track) Label(s lang.Speaker) string { return wordOrText(s, t.Name) }

// InWords returns the track with words instead of their ids.
func (t Track) InWords(s lang.Speaker) Track {
	t.Name, t.Words = wordOrText(s, t.Name), wordOrText(s, t.Words)
	return t
}

// wordOrText returns the word of an id, or the text itself if it is no id.
func wordOrText(s lang.Speaker, text string) string {
	if s.Has(text) {
		return s.Say(text)
	}
	return text
}
