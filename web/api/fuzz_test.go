package api_test

import (
	"slices"
	"strings"
	"testing"
)

// Whatever is sent, to whatever endpoint, norn answers with no 5xx, and with 4xx it has written nothing.
func FuzzBody(f *testing.F) {
	c := openAPI(f)
	var at []string
	for id, op := range c.operations {
		if op.Body != nil {
			at = append(at, id)
		}
	}
	slices.Sort(at)
	for i := range at {
		for _, seed := range []string{
			`{}`, `{"move":"check","character":"c1","args":{"difficulty":1},"dice":[3],"key":"k"}`, `{"name":"x","kind":"npc","sheet":{"notes":"y"}}`,
			`{"settings":{"helpers-most":2}}`, `{"question":"m5::0","answer":{"die":"d6"}}`, `{"game":"spire","name":"x"}`, `{"name":"x","role":"player"}`,
			`{"sheet":{"stress":{"blood":null}},"owner":null}`, `{"args":{"with":["c1"]},"move":"group","character":"c1"}`, `{"byHand":true}`, "\xff", `[`,
			`{"args":{"difficulty":2}}`, `{"args":{"notation":"2d6+"}}`, `{"settings":[{},{"skill":true}]}`, `{"settings":[{"difficulty":9},1]}`,
			`{"move":"check","character":"c1","byHand":true}`, `{"key":"\u0000"}`, `{"dice":[1e99]}`, `{"sheet":null}`,
		} {
			f.Add(byte(i), byte(i), seed)
		}
	}
	p := open(serve(f))
	p.loose = true
	p.post("/moves", p.player, body{"move": "check", "character": p.vex, "dice": []int{3}}).want(202)
	f.Fuzz(func(t *testing.T, operation, who byte, sent string) {
		p.t = t
		method, path, _ := strings.Cut(at[int(operation)%len(at)], " ")
		path = strings.NewReplacer("/api/v1/tables/{id}", p.base, "{sid}", p.playerSeat, "{cid}", p.vex, "{game}", "spire", "{move}", "check").Replace(path)
		before := p.entries()
		got := p.send(method, path, []string{p.gm, p.player, p.spectator}[int(who)%3], sent)
		if got.status >= 500 {
			t.Errorf("%d: %s", got.status, got.body)
		}
		if written := p.entries() - before; got.status >= 400 && written > 0 {
			t.Errorf("%d wrote %d entries: %s", got.status, written, got.body)
		}
	})
}
