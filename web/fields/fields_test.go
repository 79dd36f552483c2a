package fields_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/internal/widget"
	"norn/lang"
	"norn/web"
	"norn/web/fields"
)

// What most moves don't need is under "more", folded, and its summary names what has another value
// than usual. It's open if something in it must be put right.
func TestRareFieldsAreUnderMoreAndNamedIfSet(t *testing.T) {
	type move struct {
		Skill string `json:"skill" form:"text"`
		With  int    `json:"with" form:"max=9,rare"`
		Risk  int    `json:"risk" form:"max=9,default=1,rare"`
		Level int    `json:"level" form:"max=9"`
	}
	all, err := lang.Load(form.Words, widget.Words, web.Words)
	if err != nil {
		t.Fatal(err)
	}
	voice := fields.Voice{Voice: game.Voice{Speaker: all.In(lang.En)}, Game: &game.Game{ID: "toy"}, Labels: "field"}
	for name, c := range map[string]struct {
		values   url.Values
		problems map[string]string
		named    string
		open     bool
	}{
		"as usual":     {url.Values{"risk": {"1"}, "with": {"0"}}, nil, "", false},
		"one is set":   {url.Values{"risk": {"3"}, "with": {"0"}}, nil, "Risk", false},
		"one is wrong": {url.Values{"risk": {"1"}, "with": {"12"}}, map[string]string{"with": "From 0 to 9"}, "With", true},
	} {
		var drawn bytes.Buffer
		f := fields.Form{Form: form.Of[move](), ID: "move", Values: c.values, Problems: c.problems, First: 6}
		if err := fields.Draw(f.In(voice)).Render(t.Context(), &drawn); err != nil {
			t.Fatal(err)
		}
		open, more, found := strings.Cut(drawn.String(), `<details class="more"`)
		if !found || strings.Contains(open, `data-field="risk"`) || !strings.Contains(open, `data-field="level"`) {
			t.Errorf("%s: the wrong fields are folded: %s", name, drawn.String())
		}
		attributes, summary, _ := strings.Cut(more, ">")
		summary, _, _ = strings.Cut(summary, "</summary>")
		_, changed, _ := strings.Cut(summary, "<strong>")
		changed, _, _ = strings.Cut(changed, "</strong>")
		if !strings.Contains(summary, "More (2)") || changed != c.named || strings.Contains(attributes, "open") != c.open {
			t.Errorf("%s: the summary is %q with%s", name, summary, attributes)
		}
	}
}
