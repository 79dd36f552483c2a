package nesting_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"norn/internal/nesting"
)

func TestJSONDeeperThanMaxIsTooDeep(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		deep bool
	}{
		"nothing":           {"", false},
		"lists":             {strings.Repeat("[", nesting.Max) + strings.Repeat("]", nesting.Max), false},
		"one more":          {strings.Repeat("[", nesting.Max+1) + strings.Repeat("]", nesting.Max+1), true},
		"objects":           {strings.Repeat(`{"a":`, nesting.Max+1), true},
		"both":              {strings.Repeat(`[{"a":`, nesting.Max/2), false},
		"both, one more":    {strings.Repeat(`[{"a":`, nesting.Max/2) + "[", true},
		"brackets in texts": {`["` + strings.Repeat("[", 2*nesting.Max) + `"]`, false},
		"after a quote":     {`["\"` + strings.Repeat("[", 2*nesting.Max) + `"]`, false},
		"after a backslash": {`["\\",` + strings.Repeat("[", nesting.Max), true},
		"side by side":      {"[" + strings.Repeat("[],", 10*nesting.Max) + "[]]", false},
	} {
		t.Run(name, func(t *testing.T) {
			if nesting.TooDeep([]byte(c.text)) != c.deep {
				t.Errorf("too deep: %v, want %v", !c.deep, c.deep)
			}
			read, err := io.ReadAll(nesting.Reader(iotest.OneByteReader(strings.NewReader(c.text))))
			if errors.Is(err, nesting.ErrTooDeep) != c.deep || !c.deep && string(read) != c.text {
				t.Errorf("%q, %v", read, err)
			}
		})
	}
}

func TestCheckAllocatesNothing(t *testing.T) {
	data := []byte("[" + strings.Repeat("[],", 1000) + "[]]")
	if n := testing.AllocsPerRun(10, func() { nesting.TooDeep(data) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
