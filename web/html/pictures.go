package html

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"norn/game"
	"norn/lang"
	"norn/table/view"
)

// PictureAt returns the address of a picture, "" for none.
func (p Page) PictureAt(hash string) string {
	if hash == "" {
		return ""
	}
	return p.To("/picture/" + hash)
}

// Pictures returns the page of pictures and shared notes; problem says why a form failed.
func (l *Look) Pictures(all []view.PictureShown, handouts []view.Handout, problem string) Pictures {
	s := Pictures{Name: l.View.Name, Master: l.Master(), Scenes: Scenes{l.View.Scene, l.View.Scenes}, Problem: problem}
	for _, c := range l.View.Characters {
		if !c.Editable {
			continue
		}
		s.Faces = append(s.Faces, Option(c.ID, c.Name, c.ID == l.At.Character))
		if c.Portrait != "" {
			s.Bearing = append(s.Bearing, Option(c.ID, c.Name, false))
		}
	}
	for _, seat := range l.View.Seats {
		if !seat.You {
			s.Seats = append(s.Seats, Option(seat.ID, seat.Name, false))
		}
	}
	for _, one := range slices.Backward(all) {
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
		s.All = append(s.All, Picture{
			Hash: one.Hash, Source: l.PictureAt(one.Hash), Alt: one.Alt, Width: one.Width, Height: one.Height,
			Who: JoinTexts(who), Shown: one.Shown,
		})
	}
	for _, h := range slices.Backward(handouts) {
		s.Handouts = append(s.Handouts, Handout{ID: h.ID, Text: h.Text, Who: seenBy(l.Speaker, l.View, h.All, h.To)})
	}
	s.Notes = game.Each(l.View.Notes, func(n view.NoteShown) Handout { return Handout{ID: n.ID, Text: n.Text} })
	return s
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

// pictureOf returns the picture of a line, nil for none.
func pictureOf(p Page, lines []view.Line) *Picture {
	if len(lines) != 1 || lines[0].Type != "table.picture-shown" && lines[0].Type != "table.scene-set" {
		return nil
	}
	var shown struct {
		Hash, Alt     string
		Title         string // of a scene
		Width, Height int
		To            []string
	}
	if json.Unmarshal(lines[0].Data, &shown) != nil || shown.Hash == "" { // it may have been withdrawn
		return nil
	}
	return &Picture{
		Hash: shown.Hash, Source: p.PictureAt(shown.Hash), Alt: cmp.Or(shown.Alt, shown.Title),
		Width: shown.Width, Height: shown.Height, Who: strings.Join(shown.To, ", "),
	}
}
