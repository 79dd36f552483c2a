package server

import (
	"strings"

	"charm.land/lipgloss/v2"
	"rsc.io/qr"
)

// margin is the empty frame around a code, in modules.
const margin = 2

// drawQR draws a text as a QR code, two modules to a character. Light modules
// are the drawn ones; on a terminal that shows style they're white on black
// whatever its colours, elsewhere the background is taken for dark.
func drawQR(text string, styled bool) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	style := lipgloss.NewStyle()
	if styled {
		style = style.Foreground(lipgloss.Color("#ffffff")).Background(lipgloss.Color("#000000"))
	}
	// beyond the code nothing is black
	light := func(x, y int) bool { return y < code.Size+margin && !code.Black(x, y) }
	var b strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		var line strings.Builder
		for x := -margin; x < code.Size+margin; x++ {
			switch top, bottom := light(x, y), light(x, y+1); {
			case top && bottom:
				line.WriteRune('█')
			case top:
				line.WriteRune('▀')
			case bottom:
				line.WriteRune('▄')
			default:
				line.WriteRune(' ')
			}
		}
		b.WriteString(style.Render(line.String()) + "\n")
	}
	return b.String(), nil
}
