package form_test

import (
	"strings"
	"testing"

	"norn/internal/growth"
)

// Decoding an object costs no more than its length, whatever it repeats.
func TestCostOfDecodingIsLinear(t *testing.T) {
	for name, input := range map[string]func(n int) string{
		"unknown fields": func(n int) string { return `{` + strings.Repeat(`"a":1,`, n/6) + `"b":1}` },
		"one field":      func(n int) string { return `{` + strings.Repeat(`"name":"a",`, n/11) + `"name":"b"}` },
		"a long text":    func(n int) string { return `{"name":"` + strings.Repeat("a", n) + `"}` },
		"escapes":        func(n int) string { return `{"name":"` + strings.Repeat(`\u0041`, n/6) + `"}` },
		"a long list":    func(n int) string { return `{"dice":[` + strings.Repeat("1,", n/2) + `1]}` },
		"objects":        func(n int) string { return `{"skills":[` + strings.Repeat(`{"name":"x"},`, n/13) + `{}]}` },
		"wrong objects":  func(n int) string { return `{"skills":[` + strings.Repeat(`{"a":{}},`, n/9) + `{}]}` },
		"open brackets":  func(n int) string { return `{"skills":` + strings.Repeat("[", n) },
		"a long number":  func(n int) string { return `{"difficulty":` + strings.Repeat("9", n) + `}` },
	} {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 60_000, func(n int) []byte { return []byte(input(n)) }, func(data []byte) {
				var got sheet
				_ = whole.Decode(data, &got)
			})
		})
	}
}
