package secrets

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"norn/games"
	"norn/table/view"
)

// Secret things look to players as if they didn't exist: a request about a secret move, open or
// ended, undone or cancelled, a note, a hidden character or the game master's text gets the same
// answer as one with an unused id.
func TestSecretsLookLikeMissingOnesToPlayers(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			p := gather(t, g, g, 1)
			secret := p.keepsBack()
			for _, name := range []string{"anna", "watcher"} {
				who := p.seated[slices.IndexFunc(p.seated, func(g *guest) bool { return g.name == name })]
				asked := 0
				for _, thing := range secret {
					for _, at := range thing.asked(p.id, g.Moves[0].ID) {
						there, nowhere := who.tries(at, thing.id), who.tries(at, thing.none)
						asked++
						compare(t, fmt.Sprint(name, " asks ", at.method, " ", at.path, " ", at.body, " of ",
							thing.what),
							[]string{said(there)}, []string{strings.ReplaceAll(said(nowhere), thing.none, thing.id)})
					}
				}
				if asked < 40 {
					t.Errorf("%s asked only %d times", name, asked)
				}
			}
			p.tight()
		})
	}
}

// hidden is a thing of the table that only game masters see, and an unused id of the same kind.
type hidden struct{ what, id, none string }

// keepsBack creates one of everything that players can't see.
func (p *party) keepsBack() (all []hidden) {
	made := func(what string, byHand bool) view.Entry {
		got := p.gm.api("POST", "/moves", map[string]any{
			"move": "dice", "args": map[string]any{"notation": "2d6"}, "secret": true, "byHand": byHand,
			"nonce": p.ledger.text(what+"'s nonce", "gm"),
		})
		if got.status != http.StatusOK && got.status != http.StatusAccepted {
			p.t.Fatalf("%s: %s", what, got.body)
		}
		var e view.Entry
		must(p.t, json.Unmarshal(got.body, &e))
		p.ledger.move(e.Move, "gm")
		all = append(all, hidden{what, e.Move, "m86420"}, hidden{what + "'s entry", fmt.Sprint(e.Seq), "86420"})
		return e
	}
	entry := func(what string, got sent) {
		p.taken(got)
		var e view.Entry
		must(p.t, json.Unmarshal(got.body, &e))
		all = append(all, hidden{what, fmt.Sprint(e.Seq), "86420"})
	}
	made("a secret move", false)
	undone := made("an undone secret move", false)
	entry("its undoing", p.gm.api("POST", "/undo", map[string]any{"seq": undone.Seq}))
	cancelled := made("a cancelled secret move", true)
	entry("its cancelling", p.gm.api("POST", "/cancel", map[string]any{"move": cancelled.Move}))
	entry("a note", p.gm.api("POST", "/notes", map[string]any{"text": p.ledger.text("a note", "gm")}))
	entry("a prepared scene", p.gm.api("POST", "/scenes", map[string]any{"title": p.ledger.text("a scene", "gm")}))
	entry("a hidden list", p.gm.api("POST", "/lists", map[string]any{
		"name": p.ledger.text("a list", "gm"), "hidden": true,
		"rows": []any{map[string]any{"Name": p.ledger.text("its row", "gm")}},
	}))
	entry("a word to the game master",
		p.gm.api("POST", "/talk", map[string]any{"text": p.ledger.text("a word", "gm"), "secret": true}))
	made("an open secret move", true)
	whole, err := p.gm.seat.View(p.t.Context())
	must(p.t, err)
	shown, err := p.seated[1].seat.View(p.t.Context())
	must(p.t, err)
	for _, c := range whole.Characters {
		if !slices.ContainsFunc(shown.Characters, func(s view.CharacterShown) bool { return s.ID == c.ID }) {
			all = append(all, hidden{"the hidden character " + c.Name, c.ID, "c86420"})
			return all
		}
	}
	return all
}

// asked returns all requests that take such an id. ID is its placeholder.
func (h hidden) asked(tableID, move string) []route {
	const form, data = "application/x-www-form-urlencoded", "application/json"
	api, page := "/api/v1/tables/"+tableID, "/t/"+tableID
	switch h.id[0] {
	case 'm':
		return []route{
			{"POST", api + "/cancel", `{"move":"ID"}`, data},
			{"POST", api + "/moves/ID/show", `{}`, data},
			{"POST", api + "/answers", `{"question":"ID::0","answer":{}}`, data},
			{"POST", api + "/answers", `{"question":"ID","answer":{"faces":[1,2]}}`, data},
			{"GET", page + "/check/ID", "", ""},
			{"POST", page + "/act/cancel-move", "_move=ID", form},
			{"POST", page + "/act/show-move", "_mid=ID", form},
			{"POST", page + "/answer", "_question=ID::0&faces=1+2", form},
			{"GET", api + "/log?find=ID", "", ""},
			{"GET", page + "?_find=ID", "", ""},
		}
	case 'c':
		return []route{
			{"PATCH", api + "/characters/ID", `{"name":"x"}`, data},
			{"DELETE", api + "/characters/ID", "", ""},
			{"POST", api + "/moves", `{"move":"` + move + `","character":"ID","args":{}}`, data},
			{"POST", api + "/odds", `{"move":"` + move + `","character":"ID","args":{}}`, data},
			{"POST", api + "/talk", `{"text":"x","character":"ID"}`, data},
			{"POST", api + "/favourites", `{"character":"ID","move":"` + move + `","on":true}`, data},
			{"GET", page + "/character?_c=ID", "", ""},
			{"GET", page + "/character?_edit=1&_c=ID", "", ""},
			{"GET", page + "?_c=ID&_tab=sheet", "", ""},
			{"GET", page + "/move?_m=" + move + "&_a=ID", "", ""},
			{"GET", page + "/odds?_m=" + move + "&_a=ID", "", ""},
			{"POST", page + "/act/change-character", "_c=ID&_name=x", form},
			{"POST", page + "/act/change-character", "_form=value&_c=ID&_path=notes&_value=x", form},
			{"POST", page + "/act/remove-character", "_cid=ID", form},
			{"POST", page + "/move", "_move=" + move + "&_character=ID", form},
			{"POST", page + "/act/talk", "_as=ID&_line=x", form},
			{"POST", page + "/act/star-move", "_character=ID&_move=" + move + "&_on=1", form},
		}
	}
	return []route{
		{"POST", api + "/undo", `{"seq":ID}`, data},
		{"POST", page + "/act/undo", "_seq=ID", form},
		{"GET", page + "?_again=ID", "", ""},
		{"GET", page + "?_log=3&_at=mID", "", ""},
		{"POST", api + "/notes", `{"id":"nID","text":"x"}`, data},
		{"POST", api + "/scenes", `{"id":"scID","title":"x"}`, data},
		{"POST", api + "/scenes/scID/remove", `{}`, data},
		{"POST", page + "/act/set-scene", "_scene=scID", form},
		{"GET", api + "/lists/lID", "", ""},
		{"GET", api + "/lists/lID/file", "", ""},
		{"POST", api + "/lists", `{"id":"lID","name":"x"}`, data},
		{"POST", api + "/lists/lID/pick", `{"row":1}`, data},
		{"GET", page + "/lists/lID", "", ""},
		{"POST", page + "/act/pick-from-list", "_list=lID&_row=1", form},
		{"POST", page + "/act/remove-list", "_list=lID", form},
		{"POST", page + "/act/keep-note", "_id=nID&_text=x", form},
		{"GET", page + "/check/mID", "", ""},
	}
}

// tries sends one of these requests about an id.
func (g *guest) tries(at route, id string) sent {
	at.path = strings.ReplaceAll(at.path, "ID", url.PathEscape(id))
	at.body = strings.ReplaceAll(at.body, "ID", id)
	return g.asks(at, g.table, at.method == "POST" && at.kind != "application/json")
}

// said returns an answer without random parts.
func said(got sent) string {
	return plainPage(sent{got.status, got.header, []byte(drawnHere.ReplaceAllString(string(got.body), "$1"))})
}
