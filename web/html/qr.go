package html

import (
	"strings"

	"rsc.io/qr"
)

// code draws a link as a QR code: one path of unit squares, and its size with a
// margin of four modules. A link too long for one gives none.
func code(link string) (path string, size int) {
	drawn, err := qr.Encode(link, qr.M)
	if err != nil {
		return "", 0
	}
	const margin = 4
	var b strings.Builder
	for y := range drawn.Size {
		for x := range drawn.Size {
			if drawn.Black(x, y) {
				b.WriteString("M" + Itoa(x+margin) + " " + Itoa(y+margin) + "h1v1h-1z")
			}
		}
	}
	return b.String(), drawn.Size + 2*margin
}
