package html

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/game"
	"norn/internal/widget"
	"norn/lang"
	"norn/table/view"
)

// Seal returns the commitments of the sessions of dice.
func (l *Look) Seal() Seal {
	return Seal{
		Now: l.View.Session, Ended: l.View.Sessions,
		Shared: slices.ContainsFunc(l.View.Session.Shares, func(s view.Share) bool { return s.Seat == l.View.Seat }),
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

// Check returns a move with what is needed to derive its dice again.
func (l *Look) Check(e view.Entry) Check {
	c := Check{Entry: e, Name: l.Voice.Word("move", e.Name), Undone: undoneBy(l.Page, e.Undone), Proof: proofOf(e)}
	c.Who, _ = actorOf(l.Voice, e)
	c.Lasts = e.Check != nil && e.Check.Session == l.View.Session.N
	return c
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
