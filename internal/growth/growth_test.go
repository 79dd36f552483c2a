package growth_test

import (
	"bytes"
	"testing"

	"norn/internal/growth"
)

var kept [][]byte

// failing records failures instead of failing.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.failed = true }

func TestCheckTellsLinearFromQuadraticCost(t *testing.T) {
	input := func(n int) []byte { return bytes.Repeat([]byte("["), n) }
	for name, c := range map[string]struct {
		read func([]byte)
		fail bool
	}{
		"nothing":   {func([]byte) {}, false},
		"linear":    {func(data []byte) { kept = [][]byte{bytes.Clone(data)} }, false},
		"quadratic": {func(data []byte) { kept = [][]byte{make([]byte, len(data)*len(data)/1000)} }, true},
	} {
		f := &failing{TB: t}
		growth.Check(f, 100_000, input, c.read)
		if f.failed != c.fail {
			t.Errorf("%s: refused %v", name, f.failed)
		}
	}
}
