package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"norn/table/request"
)

// A card shows an offer to those who may take it, until it's taken; without script, too.
func TestCardOffersAMoveUntilItIsTaken(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	made := h.make(request.Move{
		Move: "check", Character: "c1", Args: json.RawMessage(`{"against":"c3"}`),
		Dice: []int{10},
	})
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
	want(t, "a player's", anna.post(anna.at("/take"),
		url.Values{"_offer": {made.Entry.Move + ":#2"}, "_key": {"x"}}).status, http.StatusUnprocessableEntity)
}

// A command takes an offer, once however often it's sent, and again after an undo.
func TestOfferIsTakenOnceByACommand(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	h.make(request.Move{Move: "check", Character: "c1", Args: json.RawMessage(`{"against":"c3"}`), Dice: []int{10}})
	says := func(b *browser, line string) answer {
		return b.submit(b.get(b.at("")).the(t, "data-form", "say"), map[string]string{"_line": line})
	}
	want(t, "a player's", says(anna, "/take").status, http.StatusUnprocessableEntity)
	want(t, "another number", says(gm, "/take 2").status, http.StatusUnprocessableEntity)
	line := gm.get(gm.at("")).the(t, "data-form", "say")
	want(t, "status", gm.submit(line, map[string]string{"_line": "/take"}).status, http.StatusOK)
	want(t, "a second time", gm.submit(line, map[string]string{"_line": "/take"}).status,
		http.StatusUnprocessableEntity)
	page := gm.get(gm.at(""))
	want(t, "how often it's taken", strings.Count(page.says(), "Guard: stress +1"), 1)
	want(t, "offers", len(page.with("data-form", "take")), 0)
	says(gm, "/undo")
	want(t, "offers after undo", len(gm.get(gm.at("")).with("data-form", "take")), 1)
	want(t, "status", says(gm, "/взять 1").status, http.StatusOK)
	want(t, "offers", len(gm.get(gm.at("")).with("data-form", "take")), 0)
}

// An NPC at its limit is out of the conflict, and everybody sees it; the game master alone may say in
// what other way it left. It's said once, and again after an undo; undoing the harm withdraws it. SP-26
func TestHowAnNPCLeftIsOfferedToTheGM(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	offers := func(b *browser) int { return len(b.get(b.at("")).with("data-form", "take")) }
	harm := request.Move{Move: "harm", Character: "c3", Args: json.RawMessage(`{"die":"d8"}`), Dice: []int{8}}
	made := h.make(harm)
	if !made.Entry.Done {
		t.Fatal("somebody is asked")
	}
	contains(t, "a player's page", anna.get(anna.at("")).says(), "Stress +8 Leaves the conflict")
	want(t, "a player's offers", offers(anna), 0)
	want(t, "the game master's offers", offers(gm), 2)
	offer := gm.get(gm.at("")).the(t, "data-move", made.Entry.Move).with("data-form", "take")[0]
	contains(t, "the button", offer.says(), "Guard · Flees")
	want(t, "status", gm.submit(offer, nil).status, http.StatusOK)
	contains(t, "a player's page", anna.get(anna.at("")).says(), "The NPC is out of the conflict Flees")
	want(t, "offers once one is taken", offers(gm), 0)
	undo := func() {
		gm.submit(gm.get(gm.at("")).the(t, "data-form", "say"), map[string]string{"_line": "/undo"})
	}
	undo()
	want(t, "offers after an undo", offers(gm), 2)
	undo()
	want(t, "offers without the harm", offers(gm), 0)
	harm.Secret = true
	secret := h.make(harm).Entry.Move
	want(t, "offers of what is secret", offers(gm), 2)
	gm.get(gm.at("")).the(t, "data-move", secret)
	page := anna.get(anna.at(""))
	want(t, "a player's cards of what is secret", len(page.with("data-move", secret)), 0)
	want(t, "a player's offers of it", len(page.with("data-form", "take")), 0)
}

// While the game master is asked what moved on, the hero who is hiding acts. SP-23
func TestHeroWhoLayLowNeedntWaitForTheStory(t *testing.T) {
	h := open(t)
	made := h.make(request.Move{Move: "lie-low", Character: "c1", Args: json.RawMessage(`{}`)})
	if made.Entry.Done {
		t.Fatal("nobody is asked")
	}
	anna := h.sits("anna")
	contains(t, "a player's page", anna.get(anna.at("")).says(), "stress cleared")
	h.make(request.Move{Move: "check", Character: "c1", Args: json.RawMessage(`{}`), Dice: []int{8}})
}
