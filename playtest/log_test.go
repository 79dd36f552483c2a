//go:build e2e

package playtest

import (
	"strings"
	"testing"

	"norn/lang"
)

// The log marks where days and sessions begin, by the reader's calendar, while cards arrive, in
// parts of the log and in search results.
func TestLogMarksWhereDaysAndSessionsBegin(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("edda", lang.Uk)
	gm, anna := sit(t, "gm", 1440, 900), sit(t, "anna", 360, 740)
	gm.visit(table.gm)
	anna.visit(table.anna)
	anna.sees("#log .log-session h2", "Session 1")
	if n := anna.ask("document.querySelectorAll('#log .log-day').length + ' ' + (document.querySelector('#log').firstElementChild.className)"); n != "1 log-day" {
		t.Errorf("the log of one day begins with %s", n)
	}
	gm.says("The owl comes tomorrow")
	anna.sees(".speech .said", "tomorrow")

	// As if all that was a day ago: new entries begin a day.
	anna.run("for (const t of document.querySelectorAll('#log > [id] time')) t.dateTime = new Date(Date.parse(t.dateTime) - 86400000).toISOString()")
	s.must("POST", "/tables/"+table.id+"/session", table.secret, map[string]any{})
	anna.sees("#log .log-session:last-child h2", "Session 2")
	anna.sees("#log .log-session:last-child", "Session 1 is over")
	anna.sees("#log .log-day:nth-last-child(2)", anna.ask("new Date().getFullYear()"))
	if n := anna.ask("document.querySelectorAll('#log .log-day').length"); n != "2" {
		t.Errorf("two days have %s headings", n)
	}
	anna.picture("parted")
	anna.click("#log .log-session:last-child p a")
	anna.sees("h1", "1")

	// Parts of the log and search results have the marks too.
	for _, query := range []string{"?_part=talk", "?_find=owl"} {
		anna.visit(anna.ask("location.origin") + "/t/" + table.id + query)
		anna.sees("#log .said", "tomorrow")
		if first := anna.text("#log > li:not([data-talk]) h2"); !strings.Contains(first, "Session 1") ||
			strings.Contains(first, "Session 2") {
			t.Errorf("%s is headed %q", query, first)
		}
	}
	anna.visit(anna.ask("location.origin") + "/t/" + table.id + "?_part=talk")
	gm.says("And now?")
	anna.sees("#log .speech:last-child", "And now?")
	if heads := anna.text("#log > .log-session h2"); !strings.Contains(heads, "Session 1") {
		t.Errorf("the part has lost its heading: %q", heads)
	}
	gm.picture("parted")
	gm.run("document.cookie = 'lang=uk; path=/'")
	gm.visit(gm.ask("location.href"))
	gm.sees("#log .log-session h2", "Сес")
	gm.picture("ukrainian")
}

// A roll that a point has flipped is drawn flipped, next to the rolled dice.
func TestFlippedRollIsDrawnFlipped(t *testing.T) {
	t.Parallel()
	s := serve(t)
	answer := s.must("POST", "/tables", "", map[string]any{"game": "eclipse", "name": "Flip", "lang": "en"})
	table, secret := answer["id"].(string), answer["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+table+"/characters", secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{
			"skills": []any{map[string]any{"name": "guns", "aptitude": "ref", "kind": "combat", "value": 60}},
			"pools":  map[string]any{"vigor": map[string]any{"now": 1, "max": 2}},
		}})
	s.must("PATCH", "/tables/"+table+"/settings", secret,
		map[string]any{"settings": map[string]any{"points-after": "ask"}})
	made := s.must("POST", "/tables/"+table+"/moves", secret, map[string]any{
		"move": "test", "character": "c1", "args": map[string]any{"on": "skill:guns"}, "dice": []int{73},
	})
	question := made["questions"].([]any)[0].(map[string]any)["id"]
	gm := sit(t, "gm", 360, 740)
	gm.visit(s.url("/t/" + table + "/" + secret))
	faces := func(which string) string {
		return gm.ask("[...document.querySelectorAll('[data-move] .dice " + which +
			"')].map(die => die.textContent.trim())")
	}
	gm.sees("[data-move] .die-deciding", "")
	if lie := faces(".die-deciding"); lie != "73" {
		t.Errorf("%s lies on the table", lie)
	}
	s.must("POST", "/tables/"+table+"/answers", secret,
		map[string]any{"question": question, "answer": map[string]any{"use": "flip"}})
	gm.sees("[data-move] .dice", "flipped")
	if was, is := faces(".die-cancelled"), faces(".die-deciding"); was != "73" || is != "37" {
		t.Errorf("%s is flipped to %s", was, is)
	}
	if label := gm.ask("document.querySelector('[data-move] .dice').getAttribute('aria-label')"); !strings.Contains(label, "73, flipped to 37") {
		t.Errorf("the throw is called %q", label)
	}
	gm.picture("flipped")
}
