//go:build !race

package web_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"norn/games"
	"norn/table"
	"norn/table/act"
)

// brings posts the form of a list, with a file or without.
func (b *browser) brings(file string, fields ...string) answer {
	b.t.Helper()
	kind, body := sends(b.t, []byte(file), fields...)
	b.extra.Set("Content-Type", kind)
	defer b.extra.Del("Content-Type")
	return b.do(http.MethodPost, b.at("/lists"), bytes.NewReader(body))
}

// A game master reads a list by a plain form, sees what fits and what doesn't, keeps it and shares it;
// a player finds a row and takes it, and sees no list before.
func TestListIsReadSharedAndPickedFromOnThePage(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	contains(t, "the page", gm.get(gm.at("/lists")).body, `enctype="multipart/form-data"`)
	const gear = "Вещь;Die;Armour\r\n<Knife>;d6;0\r\nCoat;;2\r\nCannon;d20;0\r\nVest;;thick\r\n"
	target := []string{"_goes", "character gear", "_id", ""}
	seen := gm.brings(gear, append(target, "_do", "read", "_text", "")...)
	want(t, "read", seen.status, http.StatusOK)
	for _, part := range []string{
		"&lt;Knife&gt;", "2 rows fit", "2 rows don’t fit", "Row 4.", "d3, d6, d8", "“thick”", "Save 2 rows",
	} {
		contains(t, "the preview", seen.body, part)
	}
	view, err := h.master.View(t.Context())
	must(t, err)
	want(t, "nothing is kept yet", len(view.Lists), 0)
	wrong := gm.brings("", append(target, "_do", "read", "_text", "a,\"b")...)
	want(t, "a text that can't be read", wrong.status, http.StatusUnprocessableEntity)
	contains(t, "it's shown again", wrong.body, "a,&#34;b")
	kept := append(target, "_do", "store", "_was", "character gear", "_named", "yes", "_text", gear, "_name", "Gear of old",
		"_column", "name", "_column", "die", "_column", "armour", "_whom", "none", "_key", "k")
	for range 2 { // sent again with the same key, it's kept once
		want(t, "kept", gm.brings("", kept...).status, http.StatusOK)
	}
	view, err = h.master.View(t.Context())
	must(t, err)
	want(t, "lists", len(view.Lists), 1)
	list := view.Lists[0]
	at := "/lists/" + list.ID
	want(t, "a player has none", anna.statusOf(anna.at(at)), http.StatusNotFound)
	want(t, "nor a file", anna.statusOf(anna.at(at+"/file")), http.StatusNotFound)
	want(t, "nor its name", strings.Contains(anna.get(anna.at("")).body+anna.get(anna.at("/lists")).body, "Gear of old"),
		false)
	want(t, "nor a form", strings.Contains(anna.get(anna.at("/lists")).body, "_goes"), false)

	shared := gm.post(gm.at("/act/set-list"), url.Values{"_id": {list.ID}, "_name": {"Gear of old"}, "_whom": {"all"}})
	want(t, "shared", shared.status < 400, true)
	contains(t, "the sheet leads to it", anna.get(anna.at("")).body, at+"?_c=")
	found := anna.get(anna.at(at + "?_q=KNIFE")).body
	contains(t, "a row is found", found, "+ &lt;Knife&gt;")
	want(t, "no other", strings.Contains(found, "Coat"), false)
	vex := view.Characters[0].ID
	picked := anna.post(anna.at("/act/pick-from-list"), url.Values{
		"_list": {list.ID}, "_hash": {list.Hash}, "_character": {vex}, "_c": {vex}, "_row": {"1"}, "_q": {"KNIFE"},
	})
	contains(t, "the list says so", picked.body, "Added: &lt;Knife&gt;")
	contains(t, "it's on the sheet", anna.get(anna.at("")).body, "&lt;Knife&gt;")
	stale := anna.post(anna.at("/act/pick-from-list"), url.Values{
		"_list": {list.ID}, "_hash": {"ff"}, "_character": {vex}, "_row": {"1"},
	})
	contains(t, "a changed list is refused", stale.body, "changed meanwhile")
	file := gm.get(gm.at(at + "/file")).body
	again := gm.brings(file, "_goes", "character bonds", "_id", "", "_do", "read", "_text", "")
	contains(t, "its file is read as it was", again.body, `value="Gear of old"`)
	contains(t, "for the same", again.body, "Save 2 rows")
	gone := gm.post(gm.at("/act/remove-list"), url.Values{"_list": {list.ID}})
	want(t, "removed", gone.status < 400, true)
	want(t, "it's gone", anna.statusOf(anna.at(at)), http.StatusNotFound)
}

// In every game, and in an own one, a list of names is read for each list of a sheet and for
// characters of each kind; a row of it is taken.
func TestEveryGameAcceptsRowsOfLists(t *testing.T) {
	for _, g := range append(games.All(), ferries(t)) {
		t.Run(g.ID, func(t *testing.T) {
			_, gm := hosted(t, g)
			for _, target := range act.ListTargets(g) {
				what := target.Kind + " " + target.Field
				kept, err := table.Do(t.Context(), gm, act.SetList, act.ListRequest{
					Name: what, Kind: target.Kind, Field: target.Field, File: []byte("Ember\nFrost\n"),
				}, "")
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				view, err := gm.View(t.Context())
				must(t, err)
				pick := act.PickRequest{List: view.Lists[len(view.Lists)-1].ID, Row: 2}
				if target.Field != "" {
					who, err := table.Do(t.Context(), gm, act.AddCharacter,
						act.CharacterRequest{Name: "Taker of " + what, Kind: target.Kind}, "")
					must(t, err)
					pick.Character = who.ID
				}
				if _, err := table.Do(t.Context(), gm, act.PickFromList, pick, ""); err != nil {
					t.Errorf("%s (%d): %v", what, kept.Seq, err)
				}
			}
		})
	}
}

// In a game without sheets a list is only read: the form offers nothing else, and nothing of it is
// taken.
func TestListsInAGameWithoutSheetsAreOnlyRead(t *testing.T) {
	g := *ferries(t)
	g.Kinds, g.Moves = nil, nil
	h, master := hosted(t, &g)
	gm := h.sits("gm")
	page := gm.get(gm.at("/lists"))
	want(t, "status", page.status, http.StatusOK)
	want(t, "what rows are for", len(page.the(t, "id", "list-target").with("value", "*")), 1)
	read := gm.brings("Name\tWhere\nEmber\tNorth\n", "_goes", " ", "_id", "", "_do", "read", "_text", "")
	contains(t, "the preview", read.body, "1 row fits")
	kept := gm.brings("", "_goes", " ", "_id", "", "_do", "store", "_was", " ", "_named", "yes", "_column", "x", "_column", "x",
		"_text", "Name\tWhere\nEmber\tNorth\n", "_name", "Places", "_whom", "all", "_key", "k")
	contains(t, "the list", kept.body, "Ember")
	want(t, "rows to take", strings.Contains(kept.body, `name="_row"`), false)
	view, err := master.View(t.Context())
	must(t, err)
	_, err = table.Do(t.Context(), master, act.PickFromList, act.PickRequest{List: view.Lists[0].ID, Row: 1}, "")
	want(t, "a row is refused", err != nil, true)
}
