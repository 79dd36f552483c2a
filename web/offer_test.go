package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"norn/table/request"
)

// A card shows who may take it what its move offers, and shows it no more once it's taken; without script, too.
func TestCardOffersAMoveUntilItIsTaken(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	made := h.make(request.Move{Move: "check", Character: "c1", Args: json.RawMessage(`{"against":"c3"}`), Dice: []int{10}})
	if !made.Entry.Done {
		t.Fatal("somebody is asked")
	}
	if len(anna.get(anna.at("")).with("data-form", "take")) != 0 {
		t.Error("a player is offered what is the game master's")
	}
	page := gm.get(gm.at(""))
	offer := page.the(t, "data-move", made.Entry.Move).the(t, "data-form", "take")
	contains(t, "the button", offer.says(), "Mark bonus stress: ")
	contains(t, "the button", offer.says(), "Guard")
	taken := gm.submit(offer, nil)
	want(t, "status", taken.status, http.StatusOK)
	contains(t, "what came of it", taken.says(), "Guard: stress +1 → 1 of 5")
	if len(taken.with("data-form", "take")) != 0 {
		t.Error("it's still offered")
	}
	again := gm.post(gm.at("/take"), url.Values{"_offer": {made.Entry.Move + ":#2"}, "_key": {"again"}})
	want(t, "status of a second press", again.status, http.StatusUnprocessableEntity)
	want(t, "a player's", anna.post(anna.at("/take"), url.Values{"_offer": {made.Entry.Move + ":#2"}, "_key": {"x"}}).status, http.StatusUnprocessableEntity)
}
