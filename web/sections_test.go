package web_test

import (
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
)

// A stream sends each section as the page draws it, to an element that exists on the page.
func TestStreamSendsSectionsAsThePageDrawsThem(t *testing.T) {
	h := open(t)
	h.risky("k") // asks the game master
	_, err := table.Do(t.Context(), h.master, act.KeepNote, act.NoteRequest{Text: "the duke is dead"}, "")
	must(t, err)
	// a spectator has no line
	for who, missing := range map[string]string{"gm": "", "anna": "", "watcher": "line-as"} {
		b := h.sits(who)
		pages := []*node{b.get(b.at("")).node}
		if who == "gm" {
			pages = append(pages, b.get(b.at("/gm")).node)
		}
		stream, stop := b.listen("0") // a page of which nothing is known
		defer stop()
		n := 0
		for _, s := range parse(t, hear(t, stream, "view").data).with("hx-swap", "*") {
			id, named := strings.CutPrefix(s.attrs["hx-target"], "#")
			switch {
			case s.tag != "hx-partial" || !named || strings.Contains(id, ":not("): // parts that the page requests
				continue
			case id == "log" || id == "online": // cards, and who is online
				continue
			}
			n++
			found := false
			for _, page := range pages {
				for _, element := range page.with("id", id) {
					found = true
					want(t, who+"'s "+id, s.says(), element.says())
				}
			}
			if !found && id != missing {
				t.Errorf("%s's page has no %s", who, id)
			}
		}
		if n < 10 {
			t.Errorf("%s is sent %d sections", who, n)
		}
	}
}
