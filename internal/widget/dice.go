package widget

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/lang"
)

// Die is a die to draw.
type Die struct {
	Sides     int
	Text      string // text of the face, for a die with its own faces; "" for a number
	Face      int    // 0: not thrown yet, drawn empty
	Deciding  bool   // drawn filled
	Cancelled bool   // drawn crossed out
	Natural   bool   // it decides regardless of modifiers
	Turned    int    // the face that it counts as instead, drawn after it; 0 for its own
}

// turn returns the face that a die counts as, as a separate die.
func (d Die) turn() Die { return Die{Sides: d.Sides, Face: d.Turned, Deciding: d.Deciding} }

// FaceText returns the face as the die shows it, "" for a die that hasn't been thrown.
func (d Die) FaceText() string {
	switch {
	case d.Face == 0:
		return ""
	case d.Text != "":
		return d.Text
	case d.Sides == 100: // percentile dice show two digits, and 00 for their highest face
		return strconv.Itoa(d.Face%100/10) + strconv.Itoa(d.Face%10)
	}
	return strconv.Itoa(d.Face)
}

// draw draws one die without a template, because there are many. The faces of a game's own dice are
// people's texts, which are shortened to fit.
func (d Die) draw() templ.Component {
	var face, strike string
	if d.Face != 0 {
		face = `<text class="die-face"` + d.squeeze() + ` x="20" y="` + d.baseline() + `" text-anchor="middle">` +
			templ.EscapeString(d.short()) + `</text>`
	}
	if d.Cancelled {
		strike = `<path class="die-strike" d="M4 36L36 4"></path>`
	}
	return templ.Raw(`<svg class="` + d.class() +
		`" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true"><path class="die-shape" d="` + d.outline() +
		`"></path>` + face + strike + `</svg>`)
}

// short returns the part of the face's text that fits into a die.
func (d Die) short() string {
	const room = 3
	if runes := []rune(d.Text); len(runes) > room {
		return string(runes[:room-1]) + "…"
	}
	return d.FaceText()
}

// squeeze returns attributes that keep a face of several letters inside its die.
func (d Die) squeeze() string {
	const how = `" lengthAdjust="spacingAndGlyphs"`
	switch letters := len([]rune(d.Text)); {
	case letters > 1 && d.Sides <= 4 && d.Sides > 2: // a triangle has less space
		return ` textLength="20` + how
	case letters > 2:
		return ` textLength="32` + how
	}
	return ""
}

func (d Die) class() string {
	switch {
	case d.Face == 0:
		return "die die-empty"
	case d.Cancelled, d.Turned != 0:
		return "die die-cancelled"
	case d.Natural:
		return "die die-deciding die-natural"
	case d.Deciding:
		return "die die-deciding"
	}
	return "die"
}

// outline returns the shape of a die in a field of 40 by 40, recognizable at a glance: d3 a wedge,
// d4 a triangle, d6 a square, d8 a diamond, d10 a kite, d12 a pentagon, d20 a hexagon, anything
// else round.
func (d Die) outline() string {
	switch d.Sides {
	case 2:
		return "M12 5H28Q35 5 35 12V28Q35 35 28 35H12Q5 35 5 28V12Q5 5 12 5Z"
	case 3:
		return "M20 3.5Q23 3.5 24.6 6.2L36.6 28.2Q40 35.5 32 35.8H8Q0 35.5 3.4 28.2L15.4 6.2Q17 3.5 20 3.5Z"
	case 4:
		return "M20 2L38.5 36H1.5Z"
	case 6:
		return "M8.5 4.5H31.5Q35.5 4.5 35.5 8.5V31.5Q35.5 35.5 31.5 35.5H8.5Q4.5 35.5 4.5 31.5V8.5Q4.5 4.5 8.5 4.5Z"
	case 8:
		return "M20 1.5L37.5 20L20 38.5L2.5 20Z"
	case 10:
		return "M20 2L38 17.5V23L20 38L2 23V17.5Z"
	case 12:
		return "M20 2L37.5 15L31 36.5H9L2.5 15Z"
	case 20:
		return "M20 1.5L36.5 10.7V29.3L20 38.5L3.5 29.3V10.7Z"
	}
	return "M20 2A18 18 0 1 1 20 38A18 18 0 1 1 20 2Z"
}

// baseline returns the vertical position of the number: the middle of a triangle is lower.
func (d Die) baseline() string {
	switch d.Sides {
	case 3, 4:
		return "30"
	}
	return "26"
}

// spoken returns the text of a throw for screen readers: the faces, the deciding ones last.
func spoken(dice []Die, s lang.Speaker) string {
	var all, deciding []string
	for _, d := range dice {
		face := d.FaceText()
		if d.Turned != 0 {
			face = s.Say("page.turned", "Was", face, "Is", d.turn().FaceText())
		}
		all = append(all, face)
		if d.Deciding {
			deciding = append(deciding, face)
		}
	}
	if len(dice) == 0 {
		return ""
	}
	name := s.Die(dice[0].Sides)
	switch {
	case dice[0].Face == 0:
		return s.Say("page.pool", "N", len(dice), "Die", name)
	case len(deciding) == 0:
		return s.Say("page.throw", "Die", name, "Faces", strings.Join(all, ", "))
	}
	return s.Say("page.throw-deciding", "Die", name, "Faces", strings.Join(all, ", "), "Deciding",
		strings.Join(deciding, ", "))
}
