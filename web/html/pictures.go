package html

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"norn/game"
	"norn/lang"
	"norn/table/view"
	"norn/web/fields"
)

// PictureAt returns the address of a picture, "" for none.
func (p Page) PictureAt(hash string) string {
	if hash == "" {
		return ""
	}
	return p.To("/picture/" + hash)
}

// facesOf returns the characters that the reader may give a portrait.
func facesOf(v *view.View, chosen string) (faces []fields.Option) {
	for _, c := range v.Characters {
		if c.Editable {
			faces = append(faces, Option(c.ID, c.Name, c.ID == chosen))
		}
	}
	return faces
}

// otherSeats returns the seats that something may be shown to; those with an id in to are ticked.
func otherSeats(seats []view.SeatShown, to ...string) (others []fields.Option) {
	for _, seat := range seats {
		if !seat.You {
			others = append(others, Option(seat.ID, seat.Name, slices.Contains(to, seat.ID)))
		}
	}
	return others
}

// pictureUse says whose portrait a picture is, and who was shown it.
func pictureUse(l *Look, one view.PictureShown) string {
	var who []string
	for _, id := range one.PortraitOf {
		who = append(who, l.Say("web.pictures.portrait-of", "Name", l.Voice.Name(id)))
	}
	if one.Shown {
		if by := seenBy(l.Speaker, l.View, one.All, one.To); by != "" {
			who = append(who, by)
		}
	}
	if one.Alt == "" && len(who) == 0 {
		who = append(who, l.Say("web.pictures.file"))
	}
	return JoinTexts(who)
}

// pictureWords returns the words that a game master gave to a picture, "" while it's only called a
// picture.
func pictureWords(p Page, one view.PictureShown) string {
	if one.Alt == p.Say("web.pictures.file") {
		return ""
	}
	return one.Alt
}

// seenBy says who was shown something, for a game master.
func seenBy(s lang.Speaker, v *view.View, all bool, to []string) string {
	switch {
	case all:
		return s.Say("web.pictures.to-all")
	case len(to) == 0:
		return ""
	}
	return strings.Join(game.Each(to, v.SeatName), ", ")
}

// pictureOf returns the picture of a line, nil for none, and the names of the only seats that see it.
func pictureOf(lines []view.Line) (one *view.PictureShown, seenBy string) {
	if len(lines) != 1 || lines[0].Type != "table.picture-shown" && lines[0].Type != "table.scene-set" {
		return nil, ""
	}
	var shown struct {
		view.PictureShown
		Title string // of a scene
	}
	if json.Unmarshal(lines[0].Data, &shown) != nil || shown.Hash == "" { // it may have been withdrawn
		return nil, ""
	}
	shown.Alt = cmp.Or(shown.Alt, shown.Title)
	names := strings.Join(shown.To, ", ")
	shown.To = nil
	return &shown.PictureShown, names
}
