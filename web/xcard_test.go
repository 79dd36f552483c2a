package web_test

import (
	"net/http"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// An X-card is shown at once on every page of a table, and on pages opened later; it doesn't say
// who raised it. Pages next to the table's own get nothing else.
func TestConcurrentPagesShowAnXCardAtOnce(t *testing.T) {
	h := open(t)
	anna, gm := h.sits("anna"), h.sits("gm")
	made := h.make(request.Move{Move: "check", Character: "c1", Key: "k"})
	pages := []string{"/pictures", "/called", "/hero", "/session/1", "/check/" + made.Entry.Move}
	streams := map[string]<-chan event{}
	for _, page := range pages {
		beside := anna.get(anna.at(page)).the(t, "id", "x-card").attrs
		stream, stop := anna.follow(strings.TrimPrefix(beside["data-live"], anna.at(""))+"&_seat="+
			beside["data-reader"], beside["data-live-after"])
		defer stop()
		streams[page] = stream
	}
	if _, err := table.Do(t.Context(), h.master, act.Talk, act.TalkRequest{Text: "nothing of this"}, ""); err != nil {
		t.Fatal(err)
	}
	_, err := h.master.RaiseX(t.Context())
	must(t, err)
	for _, page := range pages {
		first := hear(t, streams[page], "")
		contains(t, page+" at once", first.data, `hx-target="#x-card"`)
		contains(t, page+" at once", first.data, `class="x-card"`)
		want(t, page+" hears of more", strings.Count(first.data, "<hx-partial"), 1)
	}
	for _, later := range append(pages, "", "/character?character=c1") {
		got := anna.get(anna.at(later))
		want(t, "opening "+later, got.status, http.StatusOK)
		contains(t, later+" later", got.body, `class="x-card"`)
	}
	contains(t, "the game master's screen", gm.get(gm.at("/gm")).body, `class="x-card"`)
	if _, err := table.Do(t.Context(), h.master, act.PutXAway, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		away := hear(t, streams[page], "")
		contains(t, page+" once it's away", away.data, `hx-target="#x-card"`)
		want(t, page+" once it's away", strings.Contains(away.data, `class="x-card"`), false)
	}
}
