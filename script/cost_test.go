package script

import (
	"strings"
	"testing"

	"norn/internal/growth"
)

// Compiling a text costs no more than its length, whatever it repeats.
func TestCostOfATextIsLinear(t *testing.T) {
	for name, piece := range map[string]string{
		"assignments": "a = 1\n", "functions": "def f(me):\n    return done\n",
		"brackets": "x = [[[1]]]\n", "comments": "# a\n",
		"texts": "t = \"a\"\n", "lists": "l = [1, 2, 3]\n", "sums": "s = 1 + 2 + 3\n", "mistakes": ")\n", "empty lines": "\n",
	} {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, maxSource/3, func(n int) []byte { return []byte(head + strings.Repeat(piece, n/len(piece))) },
				func(source []byte) { _, _ = Compile(Text{Game: string(source)}) })
		})
	}
	t.Run("one sum", func(t *testing.T) {
		growth.Check(t, maxSource/3, func(n int) []byte { return []byte(head + "a = 1" + strings.Repeat("+1", n/2) + "\n") },
			func(source []byte) { _, _ = Compile(Text{Game: string(source)}) })
	})
}
