//go:build !race

package web_test

import (
	"net/http"
	"testing"
)

// Before a session ends the game master is shown what is open, and may cancel it with the session.
func TestASessionEndsWithWhatIsOpen(t *testing.T) {
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
