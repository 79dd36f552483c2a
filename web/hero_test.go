//go:build !race

package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"norn/game"
	"norn/games"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// Every game offers ready heroes in every language.
func TestEveryGameOffersReadyHeroesInEveryLanguage(t *testing.T) {
	h := open(t)
	for i, g := range games.All() {
		tongue := lang.All[i%len(lang.All)]
		created, err := h.host.Create(t.Context(), request.NewTable{Game: g.ID, Name: "Heroes", Lang: tongue})
		must(t, err)
		gm, err := h.host.Enter(t.Context(), created.ID, created.Seat.Secret, tongue)
		must(t, err)
		invited, err := table.Do(t.Context(), gm, act.AddSeat, act.SeatRequest{Name: "Anna", Role: string(game.Player)},
			"")
		must(t, err)
		anna := h.stranger()
		anna.lang = string(tongue)
		link := "/t/" + created.ID + "/" + invited.Secret
		arrival := anna.get(link)
		arrival.the(t, "value", "hero")
		page := anna.post(link, url.Values{"_to": {"hero"}})
		ready := page.with("name", "_hero")
		if len(ready) < 4 || len(ready) > 6 {
			t.Errorf("%s offers %d heroes", g.ID, len(ready))
		}
		for _, one := range ready {
			got := anna.post("/t/"+created.ID+"/act/add-character",
				url.Values{"_hero": {one.attrs["value"]}, "_key": {one.attrs["value"]}})
			want(t, g.ID+": "+one.attrs["value"], got.status, http.StatusOK)
			sheet := got.the(t, "class", "sheet")
			if open := sheet.with("class", "still-open"); len(open) > 0 && g.ID == "spire" {
				t.Errorf("%s lacks something: %s", one.attrs["value"], open[0].says())
			}
			if len(sheet.with("class", "use")) == 0 {
				t.Errorf("%s: %s can't be played with", g.ID, one.attrs["value"])
			}
		}
		if got := anna.post("/t/"+created.ID+"/act/add-character",
			url.Values{"_hero": {"nobody"}, "_key": {"n"}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("a hero that there isn't: %d", got.status)
		}
	}
}

// Making an own hero: several skills at once, a list of missing decisions, and an error loses
// nothing that was typed.
func TestMakingOnesOwnHeroLosesNoTypedText(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	at := func(what string) string { path, _, _ := strings.Cut(anna.at(""), "?"); return path + what }
	page := anna.get(at("/hero"))
	form := page.the(t, "data-form", "hero")
	contains(t, "what is open", form.the(t, "id", "open").says(), "Skills ( SP-01 )")
	open := anna.script().get(at("/hero?_open=1&_kind=character&_pick.skills=fight&_pick.skills=sneak"))
	if strings.Contains(open.says(), "Skills") || !strings.Contains(open.says(), "Domains") {
		t.Errorf("with skills there is still open: %s", open.says())
	}

	sent := url.Values{
		"_form": {"hero"}, "_key": {"k"}, "_kind": {"character"}, "_name": {""}, "class": {"Thief"},
		"_pick.skills": {"fight", "sneak"}, "_pick.domains": {"crime"},
	}
	bad := anna.post(at("/act/add-character"), sent)
	want(t, "status", bad.status, http.StatusUnprocessableEntity)
	kept := bad.the(t, "data-form", "hero").sends()
	want(t, "class kept", kept.Get("class"), "Thief")
	want(t, "skills kept", kept.Get("skills.0.name")+" "+kept.Get("skills.1.name"), "fight sneak")
	kept.Set("_name", "Mirra")
	good := anna.post(at("/act/add-character"), kept)
	want(t, "status", good.status, http.StatusOK)
	sheet := good.the(t, "class", "sheet")
	for _, part := range []string{"Mirra", "Thief", "Fight", "Sneak", "Crime"} {
		contains(t, "sheet", sheet.says(), part)
	}
	contains(t, "what is open", sheet.the(t, "class", "sheet-note still-open").says(), "SP-25")

	watcher := h.sits("watcher")
	path, _, _ := strings.Cut(watcher.at(""), "?")
	want(t, "a spectator", watcher.get(path+"/hero").status, http.StatusForbidden)
}

// Only a game master can copy any character.
func TestOnlyAGameMasterCopiesAnyCharacter(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	piece := gm.script().get(gm.at("/character?_c=c1&_change=1")).piece(t, "#sheet")
	copied := gm.submit(piece.the(t, "data-form", "copy"), nil)
	want(t, "status", copied.status, http.StatusOK)
	names := gm.get(gm.at("")).the(t, "id", "cast").says()
	contains(t, "cast", names, "2")
	anna := h.sits("anna")
	if forms := anna.script().get(anna.at("/character?_c=c1&_change=1")).piece(t, "#sheet").with("data-form",
		"copy"); len(forms) > 0 {
		t.Error("a player may copy")
	}
}

// A taken hero isn't offered again, in any reader's language; a hero's abilities have labels.
func TestTakenHeroIsNotOfferedAgain(t *testing.T) {
	h := open(t)
	bohdan, anna := h.sits("bohdan"), h.sits("anna")
	before := len(anna.get(anna.at("/hero")).with("name", "_hero"))
	bohdan.lang = "ru"
	want(t, "status", bohdan.post(bohdan.at("/act/add-character"),
		url.Values{"_hero": {"oriel"}, "_key": {"k"}}).status, http.StatusOK)
	page := anna.get(anna.at("/hero"))
	want(t, "heroes that are left", len(page.with("name", "_hero")), before-1)
	if left := page.with("value", "oriel"); len(left) > 0 {
		t.Error("who was taken is offered again")
	}
	for _, hero := range page.with("class", "gist") {
		for _, line := range hero.kids {
			if line.tag == "div" && (line.kids[0].tag != "dt" || line.kids[0].says() == "") {
				t.Errorf("a line without a label: %s", line.says())
			}
		}
	}
	contains(t, "a card", page.with("class", "gist")[0].says(), "Skills")
}

// A new table has a default name in the reader's language; if it's cleared it stays empty with an
// error.
func TestNewTableHasADefaultNameInTheReadersLanguage(t *testing.T) {
	h := open(t)
	b := h.stranger()
	for l, name := range map[string]string{
		"en": "Thursday evenings", "ru": "Вечера по четвергам",
		"uk": "Четвергові вечори",
	} {
		b.lang = l
		want(t, l, b.get("/").the(t, "id", "name").attrs["value"], name)
	}
	b.lang = "uk"
	empty := b.submit(b.get("/").the(t, "data-form", "open"), map[string]string{"name": ""})
	want(t, "status", empty.status, http.StatusUnprocessableEntity)
	want(t, "the name", empty.the(t, "id", "name").attrs["value"], "")
}
