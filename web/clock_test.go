package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/view"
)

// A game master adds a clock on their screen and ticks it above the log; players see it without
// buttons.
func TestAClockIsAddedAndTickedOnThePage(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	clocksNow := func() []view.ClockShown {
		v, err := h.master.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v.Clocks
	}
	added := gm.post(gm.at("/act/set-clock"),
		url.Values{"_id": {""}, "_name": {"The watch"}, "_max": {"6"}, "_at": {"2"}, "_whom": {"all"}})
	want(t, "added", added.status < 400, true)
	hidden := gm.post(gm.at("/act/set-clock"),
		url.Values{
			"_id": {""}, "_name": {"SECRET"}, "_max": {"100"}, "_at": {"1"}, "_number": {"on"},
			"_whom": {"none"},
		})
	want(t, "a hidden one added", hidden.status < 400, true)
	clocks := clocksNow()
	want(t, "two clocks", len(clocks), 2)
	want(t, "a number", clocks[1].Number && clocks[1].Hidden, true)
	ticked := gm.post(gm.at("/act/tick-clock"), url.Values{"_clock": {clocks[0].ID}, "_by": {"1"}})
	want(t, "ticked", ticked.status < 400, true)
	want(t, "it counts", clocksNow()[0].At, 3)
	page := anna.get(anna.at(""))
	want(t, "a player sees it", strings.Contains(page.body, "The watch") && strings.Contains(page.body, "3/6"), true)
	want(t, "a player can't tick it", strings.Contains(page.body, "/act/tick-clock"), false)
	want(t, "a player sees no hidden one", strings.Contains(page.body, "SECRET"), false)
	want(t, "a player may not", anna.post(anna.at("/act/tick-clock"),
		url.Values{"_clock": {clocks[0].ID}, "_by": {"1"}}).status, http.StatusForbidden)
	if _, err := table.Do(t.Context(), h.master, act.RemoveClock, act.ClockNamed{Clock: clocks[0].ID}, ""); err != nil {
		t.Fatal(err)
	}
	want(t, "removed", strings.Contains(anna.get(anna.at("")).body, `class="clock-name"`), false)
}
