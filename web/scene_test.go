package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A game master prepares a scene with a picture by a plain form and sets it by one press: players see
// its title, note and picture, and nothing before.
func TestSceneIsSeenByPlayersOnlyOnceItIsSet(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	got := gm.uploads(pixels(t, 40), "_do", "scene", "_id", "", "_title", "The <gate>", "_note", "It’s shut.",
		"_key", "k")
	want(t, "prepared", got.status, http.StatusOK)
	contains(t, "the page has its form", got.body, "The &lt;gate&gt;")
	plain := gm.post(gm.at("/pictures"), url.Values{"_do": {"scene"}, "_id": {""}, "_title": {"The tower"}})
	want(t, "prepared without a picture", plain.status < 400, true)
	seen, err := h.master.View(t.Context())
	must(t, err)
	want(t, "scenes", len(seen.Scenes), 2)
	gate := seen.Scenes[0]
	at := "/picture/" + gate.Picture
	want(t, "its picture is there", gate.Picture != "", true)
	want(t, "a player knows of none", strings.Contains(anna.get(anna.at("")).body, "gate"), false)
	want(t, "nor has the picture", anna.statusOf(anna.at(at)), http.StatusNotFound)

	set := gm.post(gm.at("/act/set-scene"), url.Values{"_scene": {gate.ID}})
	want(t, "set", set.status < 400, true)
	page := anna.get(anna.at("")).body
	for _, part := range []string{`class="scene-picture" src="/t/`, at, "The &lt;gate&gt;", "It’s shut."} {
		contains(t, "a player's page", page, part)
	}
	note := anna.get(anna.at("")).the(t, "id", "scene-said")
	want(t, "its picture stands by its note", len(note.all(func(n *node) bool {
		return n.tag == "img" && strings.HasSuffix(n.attrs["src"], at)
	})), 1)
	contains(t, "the story", anna.get(anna.at("/story")).body, at)
	want(t, "a player has the picture", anna.statusOf(anna.at(at)), http.StatusOK)
	want(t, "a player can't set one", strings.Contains(page, "/act/set-scene"), false)

	kept := gm.uploads(nil, "_do", "scene", "_id", gate.ID, "_title", "The gate", "_picture", gate.Picture, "_key",
		"k2")
	want(t, "changed without a new file", kept.status, http.StatusOK)
	bare := gm.uploads(nil, "_do", "scene", "_id", gate.ID, "_title", "The gate", "_picture", gate.Picture,
		"_bare", "on", "_key", "k3")
	want(t, "without the picture", bare.status, http.StatusOK)
	seen, err = h.master.View(t.Context())
	must(t, err)
	want(t, "it has none", seen.Scenes[0].Picture, "")
	want(t, "a wrong title is shown again", gm.uploads(pixels(t, 4), "_do", "scene", "_id", "", "_note", "Kept text",
		"_title", strings.Repeat("x", 81), "_key", "k4").status, http.StatusUnprocessableEntity)
	over := gm.post(gm.at("/act/set-scene"), url.Values{"_scene": {""}})
	want(t, "ended", over.status < 400, true)
	want(t, "the picture stays in the log", anna.statusOf(anna.at(at)), http.StatusOK)
	contains(t, "the card", anna.get(anna.at("")).body, `alt="The &lt;gate&gt;"`)
}

// statusOf asks for an address whose answer is no page.
func (b *browser) statusOf(at string) int {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+at, nil)
	must(b.t, err)
	got, err := b.http.Do(r)
	must(b.t, err)
	must(b.t, got.Body.Close())
	return got.StatusCode
}
