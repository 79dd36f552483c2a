package chat_test

import (
	"strings"
	"testing"

	"norn/internal/growth"
	"norn/lang"
)

// Reading and completing a message costs no more than its length, whatever it repeats.
func TestCostOfAMessageIsLinear(t *testing.T) {
	b := spire(t, lang.Ru)
	for name, piece := range map[string]string{
		"names": "@vex ", "fields": "навык: Бой, ", "open quotes": "«", "quotes": `"`, "colons": ":", "spaces": " ",
		"commas": ", ", "numbers": "7 ", "moves": "/проверка ", "words": "слово ", "one word": "ы", "members": "Vex и ",
	} {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 8_000, func(n int) []byte { return []byte("/проверка " + strings.Repeat(piece, n/len(piece))) },
				func(line []byte) {
					_, _ = b.Read(string(line))
					b.Complete(string(line), len(line))
				})
		})
	}
}
