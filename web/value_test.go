package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"norn/dice"
	"norn/table"
	"norn/table/act"
	"norn/table/view"
)

// Each act that sets a value of the table has a form on the game master's pages, and its link is on
// the bar.
func TestEachTableValueHasAFormOnTheGameMastersPages(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	for _, page := range []string{"", "/gm"} {
		shown := gm.get(gm.at(page))
		for _, d := range act.All {
			if d.Now != nil {
				for name := range d.Now(view.Values{}) {
					want(t, "the control of "+d.Name+" at "+page, shown.the(t, "id", d.Name+"-"+name).attrs["name"],
						name)
				}
			}
		}
	}
	for _, page := range []string{"", "/gm"} {
		chosen := gm.get(gm.at(page)).the(t, "id", "choose-reading-as").all(func(n *node) bool {
			_, selected := n.attrs["selected"]
			return selected
		})
		want(t, "what a new table reads", len(chosen) == 1 && chosen[0].attrs["value"] == dice.Newest, true)
	}
	read := gm.post(gm.at("/act/choose-reading"), url.Values{"as": {"roll20-3"}, "_key": {"r"}})
	want(t, "choosing a reading", read.status, http.StatusOK)
	want(t, "what isn't read", gm.post(gm.at("/act/choose-reading"), url.Values{"as": {"fantasy"}}).status,
		http.StatusUnprocessableEntity)

	const link = "https://meet.example/friday"
	got := gm.post(gm.at("/act/link-room"), url.Values{"link": {link}, "_key": {"k"}})
	want(t, "status", got.status, http.StatusOK)
	want(t, "a player's bar leads there", anna.get(anna.at("")).the(t, "href", link).says(), "Voice room")
	want(t, "the form has it", gm.get(gm.at("/gm")).the(t, "id", "link-room-link").attrs["value"], link)
	if _, err := table.Do(t.Context(), h.master, act.LinkRoom, act.RoomRequest{Link: link}, "k"); err != nil {
		t.Errorf("the API knows the page's key: %v", err)
	}
	want(t, "nobody else may", anna.post(anna.at("/act/link-room"), url.Values{"link": {link}}).status,
		http.StatusForbidden)
}
