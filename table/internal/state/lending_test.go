package state

import (
	"testing"

	"norn/rule"
)

// A move lends the characters that all its open questions lend, until others have changed too much.
func TestAMoveLendsWhomAllItsQuestionsLend(t *testing.T) {
	met := func(n int) rule.Trail {
		return rule.Trail{{Meanwhile: &rule.Meanwhile{Event: stung{"c1", 1}, By: 9, N: n - 1}}}
	}
	for name, c := range map[string]struct {
		asks     []Ask
		released []string
		trail    rule.Trail
		want     bool
	}{
		"no question":          {nil, nil, nil, false},
		"a question lends":     {[]Ask{{Lends: []string{"c1", "c2"}}}, nil, nil, true},
		"one of two lends":     {[]Ask{{Lends: []string{"c1"}}, {Lends: []string{"c2"}}}, nil, nil, false},
		"both lend":            {[]Ask{{Lends: []string{"c1"}}, {Lends: []string{"c2", "c1"}}}, nil, nil, true},
		"released":             {[]Ask{{Lends: []string{"c1"}}}, []string{"c1"}, nil, false},
		"much was changed":     {[]Ask{{Lends: []string{"c1"}}}, nil, met(maxChangesMet - 1), true},
		"too much was changed": {[]Ask{{Lends: []string{"c1"}}}, nil, met(maxChangesMet), false},
	} {
		m := &OpenMove{Move: &Move{Cast: []string{"c1", "c2"}}, Asks: c.asks, Released: c.released, Trail: c.trail}
		if got := m.lends("c1"); got != c.want {
			t.Errorf("%s: lends %t, want %t", name, got, c.want)
		}
		if blocks := m.Blocks("c1"); blocks == c.want && c.released == nil {
			t.Errorf("%s: blocks %t", name, blocks)
		}
	}
}
