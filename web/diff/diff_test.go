package diff_test

import (
	"slices"
	"strings"
	"testing"

	"norn/web/diff"
)

// long is an element that is told by itself.
func long(says string) string { return "<p>" + says + strings.Repeat(".", 250) + "</p>" }

func TestOnlyTheChangedPiecesAreSent(t *testing.T) {
	for _, c := range []struct {
		name, was, is string
		inside        bool
		want          []string // place and text, nil for all of it
	}{
		{"nothing", long("a"), long("a"), true, []string{}},
		{"the second of two", long("a") + long("b"), long("a") + long("c"), true, []string{"#x>:nth-child(2) " + long("c")}},
		{"one of a list", "<ul>" + long("a") + long("b") + "</ul>", "<ul>" + long("a") + long("c") + "</ul>", true, []string{"#x>:nth-child(1)>:nth-child(2) " + long("c")}},
		{"in the place itself", "<ul>" + long("a") + "</ul>", "<ul>" + long("b") + "</ul>", false, []string{"#x>:nth-child(1) " + long("b")}},
		{"what is around", "<i>1</i>" + long("a"), "<i>2</i>" + long("a"), true, nil},
		{"one more", long("a"), long("a") + long("b"), true, nil},
		{"a key alone", `<input name="_key" value="1">` + long("a"), `<input name="_key" value="2">` + long("a"), true, []string{}},
		{"in a table", "<table>" + long("a") + "</table>", "<table>" + long("b") + "</table>", true, []string{"#x>:nth-child(1) <table>" + long("b") + "</table>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts, whole := diff.Read([]byte(c.is)).Since(diff.Read([]byte(c.was)), "#x", c.inside)
			var got []string
			for _, p := range parts {
				got = append(got, p.At+" "+c.is[p.From:p.To])
			}
			if whole != (c.want == nil) || !slices.Equal(got, c.want) {
				t.Errorf("%v %q, want %q", whole, got, c.want)
			}
		})
	}
}

func TestWhatCantBeRead(t *testing.T) {
	for _, text := range []string{"<p", "</p>", "<p>", `<p title="`} {
		if diff.Read([]byte(text)) != nil {
			t.Errorf("%q was read", text)
		}
	}
}
