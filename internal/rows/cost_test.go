package rows_test

import (
	"errors"
	"strings"
	"testing"

	"norn/internal/growth"
	"norn/internal/rows"
)

// worst are inputs of about n bytes that a reader could do too much with.
var worst = map[string]func(n int) string{
	"lists in lists":      func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
	"lists around a text": func(n int) string { return brackets(9_900, `"`+strings.Repeat("a", n)+`"`) },
	"in a cell":           func(n int) string { return `[{"a":` + brackets(30, `"`+strings.Repeat("a", n)+`"`) + `}]` },
	"many cells in lists": func(n int) string { return `[[` + strings.Repeat(`[1],`, n/4) + `1]]` },
	"objects in objects":  func(n int) string { return strings.Repeat(`{"a":`, n/6) + "1" + strings.Repeat("}", n/6) },
	"objects in a list":   func(n int) string { return `[` + strings.Repeat(`{"a":1},`, n/8) + `{}]` },
	"one long list":       func(n int) string { return `[[` + strings.Repeat("1,", n/2) + `1]]` },
	"a list in a cell":    func(n int) string { return `[{"a":[` + strings.Repeat("1,", n/2) + `1]}]` },
	"lists in an object":  func(n int) string { return `{` + strings.Repeat(`"a":[],`, n/7) + `"b":[]}` },
	"escapes":             func(n int) string { return `["` + strings.Repeat(`\u0041`, n/6) + `"]` },
	"brackets, no JSON":   func(n int) string { return strings.Repeat("[", n) },
	"quotes":              func(n int) string { return strings.Repeat(`"`, n) },
	"open quotes":         func(n int) string { return strings.Repeat("\"a\n", n/3) },
	"commas":              func(n int) string { return strings.Repeat(",", n) },
	"all separators":      func(n int) string { return strings.Repeat(",;|\t", n/4) },
	"spaces":              func(n int) string { return "a" + strings.Repeat(" ", n) + "b" },
	"empty lines":         func(n int) string { return "a" + strings.Repeat("\n", n) + "b" },
	"lines":               func(n int) string { return strings.Repeat("a\n", n/2) },
	"bars":                func(n int) string { return "|a|\n|-|\n" + strings.Repeat("|", n) },
	"rules":               func(n int) string { return strings.Repeat("|-|-x\n", n/6) },
	"one long rule":       func(n int) string { return "|a\n" + strings.Repeat("|-", n/2) },
}

func brackets(n int, inner string) string {
	return strings.Repeat("[", n) + inner + strings.Repeat("]", n)
}

func TestCostOfReadingIsLinear(t *testing.T) {
	for name, input := range worst {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 128<<10, func(n int) []byte { return []byte(input(n)) },
				func(data []byte) { _, _ = rows.Read(data, "") })
		})
	}
}

func TestListInAListIsRefusedBeforeItIsRead(t *testing.T) {
	text := []byte(`[{"a":` + brackets(20, `"`+strings.Repeat("a", rows.MaxText/2)+`"`) + `}]`)
	var got *rows.Problem
	if _, err := rows.Read(text, ""); !errors.As(err, &got) || *got != (rows.Problem{Code: rows.Nested, Row: 1, Column: 1}) {
		t.Errorf("%v", err)
	}
	if _, err := rows.Read([]byte(brackets(9_900, "1")), ""); !errors.As(err, &got) || got.Code != rows.TooDeep {
		t.Errorf("%v", err)
	}
}

// BenchmarkWorst reads the worst inputs of MaxText/2 and of twice as many bytes: the second should
// take twice as long as the first.
func BenchmarkWorst(b *testing.B) {
	for name, input := range worst {
		for size, n := range map[string]int{"half": rows.MaxText / 2, "whole": rows.MaxText - 32} {
			data := []byte(input(n))
			b.Run(name+"/"+size, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					_, _ = rows.Read(data, "")
				}
			})
		}
	}
}
