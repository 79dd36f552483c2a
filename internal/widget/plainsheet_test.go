package widget

import (
	"testing"

	"norn/form"
)

// Each heading is drawn where its first field is, and fields without one where they are.
func TestPartsOfASheetStayInTheOrderOfItsFields(t *testing.T) {
	of := func(heads ...string) []form.Field {
		var fields []form.Field
		for _, head := range heads {
			fields = append(fields, form.Field{Head: head})
		}
		return fields
	}
	for name, c := range map[string]struct {
		heads []string
		want  string
	}{
		"headings first": {[]string{"a", "a", "b", ""}, "a:2 b:1 :1 "},
		"without first":  {[]string{"", "a"}, ":1 a:1 "},
		"in two places":  {[]string{"a", "", "a"}, "a:2 :1 "},
		"none":           {nil, ""},
	} {
		got := ""
		for _, p := range parts(of(c.heads...)) {
			got += p.head + ":" + string(rune('0'+len(p.fields))) + " "
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
