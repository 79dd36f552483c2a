package server

import (
	"strings"

	"charm.land/lipgloss/v2"
	"rsc.io/qr"
)

// margin is the empty frame around a code, in modules.
const margin = 2

// drawQR draws a text as a QR code, two modules to a character. It draws the light modules. On a
// terminal with styles they are white on black, whatever its colours; otherwise it assumes a dark
// background.
func drawQR(text string, styled bool) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	style := lipgloss.NewStyle()
	if styled {
		style = style.Foreground(lipgloss.Color("#ffffff")).Background(lipgloss.Color("#000000"))
	}
	// nothing beyond the code is black
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
