package dice_test

import (
	"strings"
	"testing"

	"norn/dice"
	"norn/internal/growth"
)

// Reading a line of dice costs no more than its length, whatever it repeats.
func TestCostOfALineOfDiceIsLinear(t *testing.T) {
	for name, piece := range map[string]string{
		"sums": "d6+", "open brackets": "(", "braces": "{", "modifiers": "r1", "explosions": "!", "comparisons": ">=",
		"numbers": "9", "spaces": " ", "commas": "d6,", "rolls": "d6;", "labels": "d6[a]", "words": "plus ", "letters": "ы",
		"inline rolls": "[[d6]]", "minus": "-", "rounds": "d6/2F",
	} {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, dice.MaxText/2, func(n int) []byte { return []byte("d6" + strings.Repeat(piece, n/len(piece))) },
				func(line []byte) { _, _ = dice.Parse(string(line)) })
		})
	}
}
