package api_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestTalkIsSentOnceAndWhispersAreSecret(t *testing.T) {
	p := open(serve(t))
	said := p.post("/talk", p.player, body{"text": "Who goes there?", "character": p.vex, "key": "k"}).want(200)
	if said.text(t, "kind") != "talk" || said.text(t, "lines", 0, "text") != "Who goes there?" ||
		said.text(t, "character") != p.vex {
		t.Errorf("said %v", said)
	}
	if again := p.post("/talk", p.player,
		body{"text": "Who goes there?", "character": p.vex, "key": "k"}).want(200); again.at(t, "seq") != said.at(t,
		"seq") {
		t.Errorf("the same request again: %v", again)
	}
	p.post("/talk", p.player, body{"text": "psst", "secret": true}).want(200)
	for _, seat := range []string{p.gm, p.player, p.spectator} {
		log := p.get("/log", seat).want(200)
		if heard := strings.Contains(fmt.Sprint(log), "psst"); heard == (seat == p.spectator) {
			t.Errorf("what is said to the GM is heard: %v", heard)
		}
	}
	p.post("/talk", p.spectator, body{"text": "hi"}).problem(403, "forbidden")
	p.post("/talk", p.player, body{"text": ""}).problem(422, "invalid")
	p.post("/talk", p.player, body{"text": strings.Repeat("x", 2001)}).problem(422, "invalid")
	p.post("/talk", p.player, body{"text": "hi", "character": "c99"}).problem(422, "invalid")
}
