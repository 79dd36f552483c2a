//go:build !race

package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
)

// Before a session ends the game master sees what is open, and may cancel it together with the
// session.
func TestEndingASessionShowsAndCancelsOpenMoves(t *testing.T) {
	h := open(t)
	h.risky("k")
	gm := h.sits("gm")
	page := gm.get(gm.at(""))
	form := page.the(t, "data-form", "session")
	if len(form.sends()["_cancel"]) != 1 {
		t.Fatalf("what is cancelled: %v", form.sends())
	}
	contains(t, "the page", page.says(), "Yes, cancel and end")
	ended := gm.submit(form, nil)
	want(t, "status", ended.status, http.StatusOK)
	view, err := h.master.View(t.Context())
	must(t, err)
	want(t, "session", view.Session.N, 2)
	want(t, "open questions", len(view.Questions), 0)
	form = gm.get(gm.at("")).the(t, "data-form", "session")
	want(t, "what is cancelled later", len(form.sends()["_cancel"]), 0)
}

// Changes on a sheet are named as people know them: a fallout by its name, not by its id.
func TestRecapNamesSheetChangesInWords(t *testing.T) {
	h := open(t)
	sheet := json.RawMessage(`{"fallouts":[{"kind":"blood","severity":"severe","suggestion":"blood.severe.1"}]}`)
	_, err := table.Do(t.Context(), h.master, act.ChangeCharacter, act.ChangeRequest{ID: "c1", Sheet: sheet}, "fallout")
	must(t, err)
	h.risky("k")
	gm := h.sits("gm")
	recap := gm.get(gm.at("/session/1")).says()
	contains(t, "the recap", recap, "Something Lost")
	if strings.Contains(recap, "blood.severe") {
		t.Errorf("the recap shows an id: %s", recap)
	}
}

// The line finds rules by a word, in the reader's language too, and says if no rule has it.
func TestRulesAreFoundFromTheLineByAWord(t *testing.T) {
	h := open(t)
	for lang, line := range map[string]string{
		"en": "/rules fallout", "ru": "/правила последствия",
		"uk": "/правила наслідки",
	} {
		b := h.sits("anna")
		b.lang = lang
		got := b.post(b.at("/act/talk"), url.Values{"_line": {line}, "_key": {lang}})
		want(t, "status", got.status, http.StatusOK)
		contains(t, line, got.body, `data-rule="SP-`)
	}
	b := h.sits("anna")
	contains(t, "no rule", b.post(b.at("/act/talk"), url.Values{"_line": {"/rules xyzzy"}, "_key": {"x"}}).body,
		"No rule has")
	want(t, "the log", strings.Contains(b.get(b.at("")).says(), "xyzzy"), false)
}
