package html

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/game"
	"norn/internal/widget"
	"norn/lang"
	"norn/table/view"
	"norn/web/fields"
)

// SealOf returns the commitments of the sessions of dice.
func SealOf(v *view.View) Seal {
	return Seal{
		Now: v.Session, Ended: v.Sessions,
		Shared: slices.ContainsFunc(v.Session.Shares, func(s view.Share) bool { return s.Seat == v.Seat }),
	}
}

// proofOf returns the data with which the page's script derives a move's dice again; "" while the
// session's secret isn't known.
func proofOf(e view.Entry) string {
	if e.Check == nil || e.Check.Secret == "" {
		return ""
	}
	type throw struct {
		Place string `json:"place"`
		Sides int    `json:"sides"`
		Faces []int  `json:"faces"`
	}
	// texts and numbers always encode
	data, _ := json.Marshal(struct {
		*view.Check
		Throws []throw `json:"throws"`
	}{e.Check, game.Each(sealedThrows(e.Throws), func(t view.Throw) throw { return throw{t.Place, t.Sides, t.Faces} })})
	return string(data)
}

// who returns who acts in an entry: a character, or the seat.
func who(v fields.Voice, e view.Entry) string {
	name, _ := actorOf(v, e)
	return name
}

// facesText returns a throw's faces as a text.
func facesText(t view.Throw) string {
	return strings.Join(game.EachAt(t.Faces, func(i, face int) string {
		die := widget.Die{Sides: t.Sides, Face: face}
		if i < len(t.Shown) {
			die.Text = t.Shown[i]
		}
		return die.FaceText()
	}), " ")
}

// diceText returns the notation of a throw's dice, such as "7d10".
func diceText(s lang.Speaker, t view.Throw) string {
	if len(t.Faces) == 1 {
		return s.Die(t.Sides)
	}
	return s.Number(len(t.Faces)) + s.Die(t.Sides)
}
