package api_test

import "testing"

func TestLuckOfASessionIsReported(t *testing.T) {
	p := open(serve(t))
	made := p.post("/moves", p.player,
		body{"move": "check", "character": p.vex, "dice": []int{8}, "args": body{"difficulty": 0}}).want(200)
	if made.text(t, "luck", "orBetter") != "3/10" {
		t.Errorf("one die of 8: %v", made.at(t, "luck"))
	}
	luck := p.get("/luck", p.player).want(200)
	if luck.at(t, "session") != 1.0 || luck.at(t, "seats", 0, "throws") != 1.0 ||
		luck.text(t, "seats", 0, "moves", 0, "orBetter") != "3/10" {
		t.Errorf("%v", luck)
	}
	p.get("/luck?session=1", p.gm).want(200)
	for _, session := range []string{"0", "2", "x", "-1"} {
		p.get("/luck?session="+session, p.gm).problem(422, "invalid")
	}
}
