package api_test

import (
	"strings"
	"testing"

	"norn/internal/growth"
)

// A list in lists is refused before it's read: the cost follows the size of the body.
func TestCostOfADeepListIsThatOfItsSize(t *testing.T) {
	p := open(serve(t))
	for name, head := range map[string]int{"deep": 9_900, "in cells": 20} {
		t.Run(name, func(t *testing.T) {
			p.t = t
			growth.Check(t, 120_000, func(n int) []byte {
				return []byte(`{"kind":"","rows":` + strings.Repeat("[", head) + `"` + strings.Repeat("a", n) + `"` +
					strings.Repeat("]", head) + `}`)
			}, func(body []byte) {
				if status := p.send("POST", p.base+"/lists", p.gm, string(body)).status; status/100 != 4 {
					t.Errorf("status %d", status)
				}
			})
		})
	}
}
