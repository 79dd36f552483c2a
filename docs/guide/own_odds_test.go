package guide_test

import (
	"strings"
	"testing"

	"norn/internal/lab"
	"norn/lang"
)

// The rules that answer the guide's questions have exact odds, the same in each language.
func TestOwnRulesInTheGuideHaveExactOdds(t *testing.T) {
	l := lab.New()
	var english []string
	for _, in := range lang.All {
		var all []string
		parts := strings.Split(read(t, string(in)+"/own-odds.md"), "```python\n")[1:]
		if len(parts) != 5 {
			t.Errorf("%s answers %d questions", in, len(parts))
		}
		for _, part := range parts {
			rule, _, _ := strings.Cut(part, "```")
			a := l.Respond(lab.Request{Lang: in, Text: rule})
			if a.Problem != nil || a.Sides[0].Simulated != "" || len(a.Sides[0].Rows) < 3 {
				t.Errorf("%s: %+v\n%s", in, a.Problem, rule)
				continue
			}
			law := ""
			for _, row := range a.Sides[0].Rows {
				law += row.ID + " " + row.Plain + "\n"
			}
			all = append(all, law)
		}
		if in == lang.En {
			english = all
		}
		if strings.Join(all, "\n") != strings.Join(english, "\n") {
			t.Errorf("%s has other odds than English", in)
		}
	}
}
