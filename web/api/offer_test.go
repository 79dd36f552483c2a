package api_test

import "testing"

// A client finds the offers of a move in the table's view, takes one once with its key, and finds
// it again after an undo.
func TestOfferIsTakenOnceAndReturnsAfterAnUndo(t *testing.T) {
	p := open(serve(t))
	guard := p.add(p.gm, body{"name": "Guard", "kind": "npc"})
	p.post("/moves", p.gm, body{
		"move": "check", "character": p.vex, "args": body{"against": guard},
		"dice": []int{10},
	}).want(200)
	offers := func(secret string) []any {
		all, _ := p.get("", secret).want(200).at(t, "offers").([]any)
		return all
	}
	if len(offers(p.player)) > 0 || len(offers(p.gm)) != 1 {
		t.Fatalf("the player is offered %v, the game master %v", offers(p.player), offers(p.gm))
	}
	take := body{"offer": offers(p.gm)[0].(map[string]any)["id"], "key": "k"}
	p.post("/offers", p.player, take).problem(422, "invalid")
	first := p.post("/offers", p.gm, take).want(200)
	if again := p.post("/offers", p.gm, take).want(200); again.at(t, "seq") != first.at(t, "seq") {
		t.Errorf("a retry writes %v", again)
	}
	if marked := p.sheet(p.gm, guard).at(t, "stress"); marked != 1.0 {
		t.Errorf("stress %v", marked)
	}
	take["key"] = "l"
	p.post("/offers", p.gm, take).problem(422, "refused")
	p.post("/undo", p.gm, body{"seq": first.at(t, "seq")}).want(200)
	if len(offers(p.gm)) != 1 {
		t.Error("it isn't offered again")
	}
	p.post("/offers", p.gm, take).want(200)
}
