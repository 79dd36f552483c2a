package web_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/view"
)

// A page without a stream polls: for the newest seq for its reader, and how many questions wait.
// Polling makes its seat online; another seat's page gets no content.
func TestPageWithoutAStreamPollsForNews(t *testing.T) {
	h := open(t)
	anna, gm := h.sits("anna"), h.sits("gm")
	online := func() bool {
		seen, err := h.master.View(t.Context())
		must(t, err)
		return slices.ContainsFunc(seen.Seats, func(s view.SeatShown) bool { return s.Name == "anna" && s.Online })
	}
	want(t, "online before", online(), false)
	page := anna.get(anna.at(""))
	seat := page.the(t, "data-live", anna.at("/live?")).attrs["data-reader"]
	asks := func(b *browser, of string) answer { return b.get(b.at("/news?_seat=" + of)) }
	told := func() string {
		seen, err := h.master.View(t.Context())
		must(t, err)
		return strconv.FormatUint(seen.Told, 10)
	}
	want(t, "news before anything", asks(anna, seat).body, `{"told":`+told()+`,"waits":0}`)
	want(t, "online since", online(), true)

	h.risky("k") // asks the game master
	want(t, "news of a question", asks(gm, "s1").body, `{"told":`+told()+`,"waits":1}`)
	want(t, "news of another's question", asks(anna, seat).body, `{"told":`+told()+`,"waits":0}`)

	before := asks(anna, seat).body
	_, err := table.Do(t.Context(), h.master, act.KeepNote, act.NoteRequest{ID: "", Text: "behind the screen"}, "")
	must(t, err)
	want(t, "news of what isn't hers", asks(anna, seat).body, before)
	_, err = table.Do(t.Context(), h.master, act.Talk, act.TalkRequest{Text: "for all"}, "")
	must(t, err)
	want(t, "something has come", asks(anna, seat).body != before, true)

	other := asks(anna, "s1")
	want(t, "a page of another seat", other.status, http.StatusNoContent)
	want(t, "its answer", other.body, "")
	want(t, "a stranger's", asks(h.stranger(), seat).status, http.StatusNotFound)
}
