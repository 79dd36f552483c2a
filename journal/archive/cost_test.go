package archive_test

import (
	"bytes"
	"strings"
	"testing"

	"norn/internal/growth"
)

// Reading a table's file costs no more than its length, whatever its lines hold.
func TestCostOfAFileIsLinear(t *testing.T) {
	const head = `{"format":"norn table","version":1,"table":"t","game":"g","name":"","exported":"2026-03-01T12:00:00Z","norn":"","entries":1}`
	line := func(body string) string {
		return summed(head, `{"seq":1,"time":"2026-03-01T12:00:00Z","body":`+body+`}`, `{"end":true,"entries":1}`)
	}
	for name, input := range map[string]func(n int) string{
		"a long text":      func(n int) string { return line(`"` + strings.Repeat("a", n) + `"`) },
		"escapes":          func(n int) string { return line(`"` + strings.Repeat(`\u0041`, n/6) + `"`) },
		"a long list":      func(n int) string { return line(`[` + strings.Repeat("1,", n/2) + `1]`) },
		"lists in a list":  func(n int) string { return line(`[` + strings.Repeat("[1],", n/4) + `1]`) },
		"equal members":    func(n int) string { return line(`{` + strings.Repeat(`"a":1,`, n/6) + `"a":1}`) },
		"open brackets":    func(n int) string { return line(strings.Repeat("[", n)) },
		"no ends of lines": func(n int) string { return strings.Repeat("{", n) },
		"empty lines":      func(n int) string { return head + strings.Repeat("\n", n) },
		"many headers":     func(n int) string { return strings.Repeat(head+"\n", n/len(head)+1) },
	} {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 100_000, func(n int) []byte { return []byte(input(n)) },
				func(file []byte) { _, _, _ = read(bytes.NewReader(file)) })
		})
	}
}
