//go:build !race

package web_test

import (
	"net/url"
	"os"
	"slices"
	"testing"

	"norn/game"
	"norn/games"
	"norn/script"
)

// ferries is an own game.
func ferries(t *testing.T) *game.Game {
	t.Helper()
	text, err := script.Read(os.DirFS("../examples/nightferry"))
	must(t, err)
	g, err := script.Compile(text)
	must(t, err)
	return g
}

// In every game, a game master who has opened a table and taken a hero gets a move that rolls dice,
// on any path through the pages; a press on the sheet selects one, too.
func TestFirstMoveOnAnyPathRollsDice(t *testing.T) {
	for _, g := range append(games.All(), ferries(t)) {
		t.Run(g.ID, func(t *testing.T) {
			h, _ := hosted(t, g)
			gm := h.sits("gm")
			empty := gm.get(gm.at(""))
			if forms := empty.with("data-form", "move"); len(forms) > 0 {
				t.Errorf("without anybody who acts the form opens with %q", forms[0].sends().Get("_m"))
			}
			for _, a := range empty.with("href", "*") {
				to, err := url.Parse(a.attrs["href"])
				must(t, err)
				if to.Query().Has("_m") && a.up.attrs["id"] != "moves" {
					t.Errorf("a link that chooses no move carries one: %s", to)
				}
			}
			taken := takeHero(t, gm)
			if taken.url.Query().Has("_m") {
				t.Errorf("who has taken a hero is led to %s", taken.url)
			}
			throws(t, g, "after taking a hero", taken)
			throws(t, g, "by the first step",
				gm.get(taken.the(t, "data-first-step", "move").with("href", "*")[0].attrs["href"]))
			others := slices.DeleteFunc(slices.Clone(g.Moves), func(m game.Move) bool {
				return m.Throws || m.ByOffer || len(m.Kinds) > 0
			})
			for _, other := range append(others, game.Move{ID: "none"}) {
				at := "&_m=" + url.QueryEscape(other.ID)
				places := taken.the(t, "class", "sheet").with("class", "use") // an own game has none
				for _, place := range places[:min(1, len(places))] {
					throws(t, g, "by the sheet", gm.get(place.attrs["href"]))
					pressed, err := url.Parse(place.attrs["href"])
					must(t, err)
					piece := gm.script().get(gm.at("/move?"+pressed.RawQuery+at+"&_keep=1")).piece(t, "#composer-box")
					throws(t, g, "by the sheet, by script", answer{node: piece})
				}
				if other.ID != "none" {
					stays := gm.get(taken.url.RequestURI()+at).the(t, "data-form", "move").sends().Get("_m")
					want(t, "what was chosen, after a reload", stays, other.ID)
				}
			}
		})
	}
}

// takeHero takes the first ready hero, or makes one if there's none.
func takeHero(t *testing.T, b *browser) answer {
	t.Helper()
	page := b.get(b.at("/hero"))
	if ready := page.with("name", "_hero"); len(ready) > 0 {
		return b.post(b.at("/act/add-character"), url.Values{"_hero": {ready[0].attrs["value"]}, "_key": {"k"}})
	}
	return b.submit(page.the(t, "data-form", "hero"), map[string]string{"_name": "Vera"})
}

func throws(t *testing.T, g *game.Game, when string, page answer) {
	t.Helper()
	id := page.the(t, "data-form", "move").sends().Get("_m")
	if m, ok := g.Move(id); !ok || !m.Throws {
		t.Errorf("%s the form opens with %q, which throws no dice", when, id)
	}
}

// The form is filled in so that its button works at once. A reader who then chooses another way
// isn't refused because of what norn filled in.
func TestPrefilledFormAllowsAnotherChoice(t *testing.T) {
	g, _ := game.Find(games.All(), "mage")
	h, seat := hosted(t, g)
	gm := h.sits("gm")
	taken := takeHero(t, gm)
	form := taken.the(t, "data-form", "move")
	if form.sends().Get("attribute") == "" {
		t.Fatal("the form isn't filled in")
	}
	values := form.sends()
	values.Set("alone", "willpower")
	values.Set("_touched", "alone")
	script := gm.script()
	again := script.get(gm.at("/odds?"+values.Encode())).piece(t, "#composer-box").the(t, "data-form", "move")
	want(t, "what norn had filled in", again.sends().Get("attribute"), "")
	want(t, "what was set", again.sends().Get("_touched"), "alone")
	values = form.sends()
	values.Set("difficulty", "99")
	values.Set("_touched", "difficulty")
	if got := script.get(gm.at("/odds?" + values.Encode())); len(got.with("data-form", "move")) > 0 {
		t.Error("a number that can't be changes what norn fills in")
	}
	answer := gm.submit(again, nil)
	if answer.status >= 400 {
		t.Fatalf("Willpower alone: %d", answer.status)
	}
	entries, err := seat.Log(t.Context(), 0, 0)
	must(t, err)
	if args := entries[len(entries)-1].Args; args["alone"] != "willpower" || args["attribute"] != "" {
		t.Errorf("made with %v", args)
	}
}
