package api_test

import (
	"slices"
	"testing"
)

// An Edda has questions in the middle of a throw: odds for an aim answer them, and the player who
// is asked gets advice.
func TestOddsForAnAimComeWithAdvice(t *testing.T) {
	c := serve(t)
	made := c.send("POST", "/api/v1/tables", "", body{"game": "edda", "name": "Ice", "lang": "en"}).want(201)
	p := &party{client: c, base: "/api/v1/tables/" + made.text(t, "id"), gm: made.text(t, "seat", "secret")}
	seat := func(name string) (secret, id string) {
		s := p.post("/seats", p.gm, body{"name": name, "role": "player"}).want(201)
		return s.text(t, "secret"), s.text(t, "id")
	}
	anna, annas := seat("Anna")
	boris, boriss := seat("Boris")
	hero := func(name, owner string) string {
		return p.add(p.gm, body{
			"name": name, "kind": "hero", "owner": owner,
			"sheet": body{"strengths": []body{{"name": "Ice", "steps": 3}, {"name": "Song", "steps": 2}}},
		})
	}
	asta, jon := hero("Asta", annas), hero("Jon", boriss)

	act := body{"move": "act", "character": asta, "args": body{"complexity": 2, "strengths": []string{"0", "1"}}}
	priceAims(t, p, anna, act)
	adviseOnRerolls(t, p, anna, act)
	adviseNoRival(t, p, anna, boris, asta, jon)
}

// priceAims asks for the odds of an aim, of given choices and of neither.
func priceAims(t *testing.T, p *party, anna string, act body) {
	with := func(more body) body {
		for name, value := range act {
			if _, given := more[name]; !given {
				more[name] = value
			}
		}
		return more
	}
	best := p.post("/odds", anna, with(body{"aim": "succeed"})).want(200)
	always := p.post("/odds", anna, with(body{"choices": body{"edda.effort": body{"pay": "condition"}}})).want(200)
	plain := p.post("/odds", anna, act).want(200)
	if plain["policy"] != nil || always["policy"] != nil || best.text(t, "policy", "worth") != "51625/59049" {
		t.Errorf("policies: %v, %v, %v", plain["policy"], always["policy"], best["policy"])
	}
	if len(best.at(t, "policy", "choices").([]any)) == 0 ||
		best.text(t, "policy", "choices", 0, "question") != "edda.effort" {
		t.Errorf("%v", best["policy"])
	}
	p.post("/odds", anna, with(body{"aim": "glory"})).problem(422, "invalid")
	p.post("/odds", anna, with(body{"choices": body{"edda.effort": body{"pay": "gold"}}})).problem(422, "invalid")
	p.post("/odds", anna, with(body{"choices": 3})).problem(422, "invalid")
	p.post("/odds", anna, with(body{"choices": body{"edda.nothing": body{}}})).problem(422, "refused")
}

// adviseOnRerolls makes the move, and checks the advice on its question and on its dice.
func adviseOnRerolls(t *testing.T, p *party, anna string, act body) {
	// One success of two, four dice to roll again: 1 − (2/3)⁴.
	asked := p.post("/moves", anna,
		body{"move": "act", "character": act["character"], "args": act["args"], "dice": []int{6, 1, 2, 3, 4}}).want(202)
	advice := asked.at(t, "open", 0, "advice").([]any)
	var told []string
	for i := range advice {
		told = append(told, asked.text(t, "open", 0, "advice", i, "p")+" "+
			asked.text(t, "open", 0, "advice", i, "text"))
	}
	if want := []string{
		"0 no special effort: 0% to succeed",
		"65/81 special effort for a condition: 80% to succeed",
	}; !slices.Equal(told, want) {
		t.Errorf("advice is %q, want %q", told, want)
	}
	again := p.post("/answers", anna,
		body{"question": asked.text(t, "open", 0, "id"), "answer": body{"pay": "condition"}}).want(202)
	// the dice are to be typed in
	if text := again.text(t, "open", 0, "advice", 0, "text"); text != "As it stands: 80% to succeed" {
		t.Errorf("before the dice: %q", text)
	}
	p.post("/answers", anna, body{
		"question": again.text(t, "open", 0, "id"),
		"answer":   body{"faces": []int{5, 1, 1, 1}},
	}).want(200)
}

// adviseNoRival makes a contest, in which advice to Boris would reveal Asta's plan.
func adviseNoRival(t *testing.T, p *party, anna, boris, asta, jon string) {
	// Sheets are visible, so the other side may compute this, too.
	p.post("/moves", anna, body{
		"move": "contest", "character": asta,
		"args": body{"against": jon, "strengths": []string{"0", "1"}}, "byHand": true,
	}).want(202)
	view := p.get("", boris).want(200)
	if q := view.text(t, "questions", 0, "question"); q != "edda.plan" {
		t.Fatalf("Boris is asked %s", q)
	}
	if advice := view.at(t, "questions", 0).(map[string]any)["advice"]; advice != nil { // it would reveal her plan
		t.Errorf("Boris is told %v", advice)
	}
}
