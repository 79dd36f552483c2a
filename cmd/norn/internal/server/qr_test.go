package server

import (
	"strings"
	"testing"

	"rsc.io/qr"
)

// Every module of a code is drawn in its place.
func TestQRCodeIsDrawnModuleByModule(t *testing.T) {
	const text = "http://192.168.1.20:8080"
	drawn, err := drawQR(text, false)
	if err != nil {
		t.Fatal(err)
	}
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(drawn, "\n"), "\n")
	for y := range code.Size {
		row := []rune(lines[(y+margin)/2])
		if len(row) != code.Size+2*margin {
			t.Fatalf("a line has %d characters, want %d", len(row), code.Size+2*margin)
		}
		for x := range code.Size {
			r := row[x+margin]
			light := r == '█' || r == '▀' && (y+margin)%2 == 0 || r == '▄' && (y+margin)%2 == 1
			if light == code.Black(x, y) {
				t.Fatalf("module %d, %d is wrong", x, y)
			}
		}
	}
}
