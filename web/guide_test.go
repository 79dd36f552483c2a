package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"norn/games"
	"norn/lang"
	"norn/table/request"
)

// Without script the guide is one form: a list grows, a mistake and Enter lose nothing, and the
// hero is there when it's finished.
func TestHeroGuideWorksWithoutScriptAndLosesNothing(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	first := anna.get(anna.at("/hero")).the(t, "id", "to-guide").attrs["href"]
	address, step, _ := strings.Cut(first, "#")
	want(t, "the first step", step, "step-name")
	page := anna.get(address)
	asked := []string{"name", "class", "skills", "domains", "refresh", "gear", "bonds"}
	for i, field := range asked {
		at := page.the(t, "id", "step-"+field)
		if i > 0 {
			at.the(t, "href", "#step-"+asked[i-1])
		}
		if i+1 < len(asked) {
			at.the(t, "href", "#step-"+asked[i+1])
		}
	}
	contains(t, "what skills do", page.the(t, "id", "step-skills").says(), "adds a die to a check")
	form := func(a answer) *node { return a.the(t, "data-form", "hero") }
	grown := anna.submit(form(page), map[string]string{"_name": "Mirra", "class": "Locksmith", "_add": "gear"})
	want(t, "typed before the list grew", grown.the(t, "id", "hero-class").attrs["value"], "Locksmith")
	entered := anna.submit(form(grown), map[string]string{"gear.0.name": "Picks", "_drop": ""})
	want(t, "after Enter", entered.the(t, "id", "hero-name").attrs["value"], "Mirra")
	nameless := anna.submit(form(entered), map[string]string{"_name": " "})
	want(t, "without a name", nameless.status, http.StatusUnprocessableEntity)
	nameless.the(t, "id", "step-name").the(t, "class", "problem")
	made := anna.submit(form(nameless), map[string]string{"_name": "Mirra"})
	contains(t, "the sheet", made.the(t, "id", "sheet").says(), "Picks")
	contains(t, "the sheet", made.the(t, "id", "sheet").says(), "Locksmith")
}

// A ready hero is a start: everything of it is in the form, and what was changed wins.
func TestReadyHeroFillsInTheFormAndChangesWin(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	page := anna.get(anna.at("/hero/guide?_kind=character&_from=lira"))
	want(t, "the name", page.the(t, "id", "hero-name").attrs["value"], "Lira")
	made := anna.submit(page.the(t, "data-form", "hero"), map[string]string{"_name": "Lira the Second", "class": "Spy"})
	v, err := h.master.View(t.Context())
	must(t, err)
	sheet := ""
	for _, c := range v.Characters {
		if c.Name == "Lira the Second" {
			data, err := json.Marshal(c.Sheet)
			must(t, err)
			sheet = string(data)
		}
	}
	for _, part := range []string{`"Spy"`, `"sneak"`, `"shadow":2`} {
		if !strings.Contains(sheet, part) {
			t.Errorf("%d: the sheet %s lacks %s", made.status, sheet, part)
		}
	}
	want(t, "an unknown start", anna.get(anna.at("/hero/guide?_from=nobody")).status, http.StatusOK)
	watcher := h.sits("watcher")
	want(t, "a spectator", watcher.get(watcher.at("/hero/guide")).status, http.StatusForbidden)
}

// Each game says what every field does that the creator of a character fills in.
func TestHeroGuideExplainsEveryField(t *testing.T) {
	for _, g := range games.All() {
		for _, k := range g.Kinds {
			if !k.Player || k.Thing {
				continue
			}
			for _, asked := range g.AskedOf(k) {
				if id := g.Word("guide", asked.Field); !g.Speak(spoken().In(lang.En)).Has(id) {
					t.Errorf("there are no words %s", id)
				}
			}
		}
	}
}

// A game counts what its rules bound, as the form changes.
func TestHeroGuideCountsWhatTheRulesLimit(t *testing.T) {
	h := open(t)
	made, err := h.host.Create(t.Context(), request.NewTable{Game: "edda", Name: "Yule", Lang: lang.En})
	must(t, err)
	h.table, h.links["gm"] = made.ID, "/t/"+made.ID+"/"+made.Seat.Secret
	edda := h.sits("gm")
	page := edda.get(edda.at("/hero/guide"))
	contains(t, "at first", page.the(t, "id", "open").says(), "Strengths: 0 of 12 ( ED-17 )")
	now := edda.script().get(edda.at("/hero?_open=1&_kind=hero&strengths.0.name=Ice&strengths.1.name=Song&memories.0.text=Ferry"))
	contains(t, "two strengths", now.says(), "Strengths: 2 of 12 ( ED-17 )")
	contains(t, "a memory", now.says(), "Memories: 1 of 3 ( ED-14 )")
}
