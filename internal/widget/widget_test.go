package widget_test

import (
	"strings"
	"testing"

	"norn/game"
	"norn/internal/widget"
	"norn/lang"
	"norn/odds"
)

func speaker(t *testing.T, l lang.Lang) lang.Speaker {
	t.Helper()
	words, err := lang.Load(widget.Words)
	if err != nil {
		t.Fatal(err)
	}
	return words.In(l)
}

func drawn(t *testing.T, c widget.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func has(t *testing.T, html string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(html, part) {
			t.Errorf("lacks %s:\n%s", part, html)
		}
	}
}

func TestATrackDrawsItsBoxes(t *testing.T) {
	s := speaker(t, lang.En)
	html := drawn(t, widget.Tracks([]game.Track{{ID: "blood", Name: "Blood", Now: 3, Max: 10, Free: 2}}, s))
	has(t, html, `data-track="blood"`, `data-now="3"`, `aria-label="Blood: 3 of 10, 2 free slots"`)
	for class, n := range map[string]int{"box-marked": 3, "box-free": 2, `class="box`: 11} { // not "boxes"
		if got := strings.Count(html, class); got != n {
			t.Errorf("%d times %s, want %d", got, class, n)
		}
	}
	beyond := drawn(t, widget.Boxes(game.Track{Name: "Bond", Now: 4}, s))
	if got := strings.Count(beyond, "box-marked"); got != 4 {
		t.Errorf("a track without boxes shows %d of 4", got)
	}
	hidden := drawn(t, widget.Tracks([]game.Track{{ID: "mind", Name: "Mind", Now: 7, Max: 10, Hidden: true}}, s))
	if strings.Contains(hidden, "7") {
		t.Errorf("a hidden number is on the page:\n%s", hidden)
	}
	if levels := drawn(t, widget.Levels([]game.Track{{ID: "mind", Name: "Mind", Now: 7, Max: 10, Hidden: true}},
		s)); strings.Contains(levels, "level-now") {
		t.Errorf("a hidden level is on the page:\n%s", levels)
	}
}

func TestDiceAreDrawnWithTheirNames(t *testing.T) {
	s := speaker(t, lang.Ru)
	html := drawn(t, widget.Dice([]widget.Die{
		{Sides: 10, Face: 9, Deciding: true},
		{Sides: 10, Face: 2, Cancelled: true},
	}, s))
	has(t, html, `aria-label="к10: 9, 2; решает 9"`, "die-deciding", "die-cancelled", "die-strike")
	for face, shown := range map[int]string{7: "07", 71: "71", 100: "00"} { // percentile dice show two digits
		if html := drawn(t, widget.Dice([]widget.Die{{Sides: 100, Face: face}}, s)); !strings.Contains(html,
			">"+shown+"<") {
			t.Errorf("%d on a d100 isn't drawn as %s: %s", face, shown, html)
		}
	}
	empty := drawn(t, widget.Dice([]widget.Die{{Sides: 6}, {Sides: 6}}, s))
	has(t, empty, `aria-label="2 кубика, к6"`, "die-empty")
	if strings.Contains(empty, "<text") {
		t.Error("an empty die has a face")
	}
	shapes := map[string]int{}
	for _, sides := range []int{2, 3, 4, 6, 8, 10, 12, 20, 100} {
		html := drawn(t, widget.Dice([]widget.Die{{Sides: sides, Face: 1}}, s))
		_, path, _ := strings.Cut(html, ` d="`)
		path, _, _ = strings.Cut(path, `"`)
		if other, twice := shapes[path]; twice {
			t.Errorf("d%d looks like d%d", sides, other)
		}
		shapes[path] = sides
	}
}

func TestOutcomesDifferByShape(t *testing.T) {
	seen := map[string]string{}
	for _, tone := range []string{"triumph", "good", "mixed", "bad", "disaster", "neutral"} {
		html := drawn(t, widget.Shape(tone))
		if other, twice := seen[html]; twice {
			t.Errorf("%s looks like %s", tone, other)
		}
		seen[html] = tone
	}
	has(t, drawn(t, widget.Outcome("success", "good", "Success")), `data-outcome="success"`, "tone-good", "Success")
}

func TestBarsAreDrawnToScale(t *testing.T) {
	bars := []odds.Bar{
		{Label: "Success", Tone: "good", P: 0.75, Shown: "75%", Exact: "3/4"},
		{Label: "Failure", Tone: "bad", P: 0.2, Shown: "20%", Exact: "1/5"},
		{Label: "Disaster", Tone: "disaster", P: 0.05, Shown: "5%", Exact: "1/20"},
	}
	html := drawn(t, widget.Stacked(bars, "Chances"))
	has(t, html, `x="0.00%"`, `width="75.00%"`, `x="75.00%"`, `x="95.00%"`, "<title>Disaster: 5% (1/20)</title>")
	if strings.Contains(html, ">5%<") {
		t.Error("a narrow bar has no room for its number")
	}
	has(t, drawn(t, widget.Columns(bars, "Chances")), `height="64.00"`)
	has(t, drawn(t, widget.Figures(bars, speaker(t, lang.En))), "<td class=\"figure\">3/4</td>", `scope="row"`)
}
