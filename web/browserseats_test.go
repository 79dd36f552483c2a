package web_test

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"norn/game"
	"norn/table"
	"norn/table/act"
)

// A game master who opens a player's link keeps their own seat and can play both.
func TestABrowserHoldsSeveralSeats(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	arrival := gm.get(h.links["anna"])
	want(t, "cookies of the arrival page", len(arrival.header["Set-Cookie"]), 0)
	contains(t, "arrival", arrival.says(), "anna")
	contains(t, "what is held", arrival.the(t, "data-plays", "s1").says(), "GM")
	want(t, "the seat that is played", gm.get(gm.at("")).the(t, "id", "seat-name").says(), "GM")

	anna := gm.takes(h.links["anna"])
	want(t, "who plays", anna.the(t, "id", "seat-name").says(), "anna")
	at := anna.url.Path
	want(t, "the game master's page", gm.get(gm.at("")).the(t, "id", "seat-name").says(), "GM")
	to := anna.the(t, "data-plays", "s1").attrs["href"]
	want(t, "the way back", to, gm.at(""))
	want(t, "the way there", gm.get(to).with("data-plays", "*")[0].attrs["href"], at)

	// Each page and everything that it posts belongs to its own seat.
	for _, form := range anna.all(func(n *node) bool { return n.tag == "form" }) {
		if action := form.attrs["action"]; strings.HasPrefix(action, "/t/") && !strings.HasPrefix(action, at) {
			t.Errorf("a form of Anna's page sends to %s", action)
		}
	}
	said := gm.post(at+"/say", url.Values{"_line": {"I am Anna"}, "_key": {"k"}})
	want(t, "said", said.status, http.StatusOK)
	want(t, "where", said.url.Path, at)
	if log := gm.get(gm.at("")).the(t, "id", "log").says(); !strings.Contains(log, "I am Anna") ||
		strings.Contains(log, "GM I am Anna") {
		t.Errorf("the log has %q", log)
	}
	want(t, "a player's settings", gm.post(at+"/act/change-settings", url.Values{"_key": {"s"}}).status,
		http.StatusForbidden)

	// The link of a held seat redirects to it and sets no cookie.
	gm.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for link, leads := range map[string]string{h.links["gm"]: gm.at(""), h.links["anna"]: at} {
		got := gm.get(link)
		want(t, "status", got.status, http.StatusSeeOther)
		want(t, "where", got.header.Get("Location"), leads)
		want(t, "cookies", len(got.header["Set-Cookie"]), 0)
	}
	gm.http.CheckRedirect = nil

	// A seat that isn't held can't be opened, even if another one is held.
	other := gm.at("/as/s3")
	if other == at { // seats are taken in any order
		other = gm.at("/as/s2")
	}
	want(t, "another's address", gm.get(other).status, http.StatusNotFound)
	want(t, "no seat's address", gm.get(gm.at("/as/s99/live")).status, http.StatusNotFound)

	// When the first seat is revoked, its address redirects to another, and a new link replaces it.
	second, err := table.Do(t.Context(), h.master, act.AddSeat,
		act.SeatRequest{Name: "Olena", Role: string(game.Master)}, "second")
	must(t, err)
	_, err = table.Do(t.Context(), h.master, act.RevokeSeat, act.SeatNamed{Seat: h.master.ID()}, "gone")
	must(t, err)
	want(t, "the first address", gm.get(gm.at("?_tab=cast")).url.Path, at)
	taken := gm.takes("/t/" + h.table + "/" + second.Secret)
	want(t, "the new one", taken.url.Path, gm.at(""))
	want(t, "who plays there", taken.the(t, "id", "seat-name").says(), "Olena")
}

// A form from another site changes nothing and takes no seat.
func TestFormFromAnotherSiteTakesNoSeat(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	for _, site := range []string{"cross-site", "same-site"} {
		gm.extra.Set("Sec-Fetch-Site", site)
		got := gm.post(h.links["anna"], nil)
		want(t, site, got.status, http.StatusForbidden)
		want(t, site+": cookies", len(got.header["Set-Cookie"]), 0)
		got = gm.get(h.links["anna"])
		want(t, site+": cookies of a page that is led to", len(got.header["Set-Cookie"]), 0)
		contains(t, site+": frames", got.header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
		want(t, site+": demo", gm.post("/demo/spire", nil).status, http.StatusForbidden)
	}
	gm.extra.Set("Sec-Fetch-Site", "")
	gm.extra.Set("Origin", "https://evil.example")
	want(t, "an older browser", gm.post(h.links["anna"], nil).status, http.StatusForbidden)
	gm.extra = http.Header{}
	if held := gm.get(gm.at("")).with("data-plays", "*"); len(held) > 0 {
		t.Errorf("the browser holds %d seats more", len(held))
	}
}

// A seat's own link is shown only on request, and to a game master in the drawer; no other page has
// it.
func TestASeatsLinkIsShownToItsOwnerOnly(t *testing.T) {
	h := open(t)
	for _, who := range []string{"gm", "anna", "watcher"} {
		b := h.sits(who)
		secret := path.Base(h.links[who])
		if strings.Contains(b.get(b.at("")).body, secret) {
			t.Errorf("%s: the secret stands in the table's page", who)
		}
		for _, b := range []*browser{b, b.script()} {
			got := b.post(b.at("/link"), nil)
			want(t, who+"'s link", got.the(t, "id", "own-link").attrs["value"], h.url+h.links[who])
			want(t, "cache", got.header.Get("Cache-Control"), "no-store")
		}
	}
	gm := h.sits("gm")
	form := gm.get(gm.at("")).the(t, "data-form", "my-link")
	want(t, "in the drawer", gm.submit(form, map[string]string{"_drawer": "on"}).invitation(t).attrs["value"],
		h.url+h.links["gm"])
	anna := h.sits("anna")
	if got := anna.post(anna.at("/link"), url.Values{"_drawer": {"on"}}); strings.Contains(got.body,
		path.Base(h.links["gm"])) {
		t.Error("a player is shown the game master's link")
	}
}

// A player can rename their own seat on the page, and no other.
func TestPlayerRenamesTheirOwnSeatAndNoOther(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	form := anna.get(anna.at("")).the(t, "data-form", "own-seat")
	got := anna.submit(form, map[string]string{"_name": "Ганна"})
	want(t, "the new name", got.the(t, "id", "seat-name").says(), "Ганна")
	contains(t, "the log", got.the(t, "id", "log").says(), "anna is now called Ганна")
	want(t, "by script", anna.script().submit(form, map[string]string{"_name": "Anna", "_key": "again"}).status,
		http.StatusNoContent)
	want(t, "the next name", anna.get(anna.at("")).the(t, "id", "seat-name").says(), "Anna")
	contains(t, "script's piece", anna.script().submit(form,
		map[string]string{"_name": strings.Repeat("x", 201), "_key": "long too"}).piece(t, "#toasts").says(),
		"at most 200 characters")
	wrong := anna.submit(form, map[string]string{"_name": strings.Repeat("x", 201), "_key": "long"})
	want(t, "too long", wrong.status, http.StatusUnprocessableEntity)
	want(t, "what was typed", wrong.the(t, "id", "own-name").attrs["value"], strings.Repeat("x", 201))
	contains(t, "why", wrong.the(t, "data-form", "own-seat").says(), "at most 200 characters")
	want(t, "another's seat", anna.post(anna.at("/act/rename-seat"),
		url.Values{"_sid": {"s1"}, "_name": {"x"}, "_key": {"o"}}).status, http.StatusForbidden)
}

// A game master can add a second one, who has the same rights.
func TestSecondGameMasterHasTheSameRights(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	form := gm.get(gm.at("")).the(t, "data-form", "invite")
	made := gm.submit(form, map[string]string{"_name": "Olena", "_role": "gm"})
	link, err := url.Parse(made.invitation(t).attrs["value"])
	must(t, err)
	olena := h.stranger()
	if page := olena.takes(link.Path); len(page.with("data-drawer", "*")) != 1 {
		t.Error("the second game master has no drawer")
	}
}

// A messenger that previews a link learns which table it opens, and nothing about the seat.
func TestLinkPreviewNamesTheTableButNotTheSeat(t *testing.T) {
	h := open(t)
	arrival := h.stranger().get(h.links["anna"])
	card := map[string]string{}
	for _, meta := range arrival.all(func(n *node) bool { return strings.HasPrefix(n.attrs["property"], "og:") }) {
		card[meta.attrs["property"]] = meta.attrs["content"]
	}
	view, err := h.master.View(t.Context())
	must(t, err)
	want(t, "title", card["og:title"], view.Name+" · Spire")
	for what, text := range card {
		if strings.Contains(strings.ToLower(text), "anna") || strings.Contains(text, path.Base(h.links["anna"])) {
			t.Errorf("%s says %q", what, text)
		}
	}
	// there is none without a bundle
	if picture := card["og:image"]; picture != "" && !strings.HasPrefix(picture, "http://") {
		t.Errorf("the picture is at %q, which a messenger can't find", picture)
	}
	want(t, "cards of the table's own page", len(h.sits("gm").get("/t/"+h.table).all(func(n *node) bool {
		return n.attrs["property"] == "og:title"
	})), 0)
}
