package widget

import (
	"strings"
	"testing"
)

func TestDescriptionsFetchAndRunNothing(t *testing.T) {
	for text, want := range map[string]string{
		"**Salt** keeps":                   "<p><strong>Salt</strong> keeps</p>\n",
		"# Head":                           "<p><b>Head</b></p>\n",
		"![a crab](https://example.org/x)": "<p>a crab</p>\n",
		"- one\n- two":                     "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n",
	} {
		if got := markdown(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	got := markdown("<script>alert(1)</script> <img src=x> [x](javascript:alert(1))")
	for _, bad := range []string{"<script", "<img", "javascript:"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in %q", bad, got)
		}
	}
}
