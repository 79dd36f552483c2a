package api_test

import (
	"strconv"
	"strings"
	"testing"

	"norn/game"
	"norn/games"
)

func TestMovesAreUndoneAndCancelledByGameMasters(t *testing.T) {
	p := open(serve(t))
	noRoll := func(text string) object {
		return p.post("/moves", p.player,
			body{"move": "no-roll", "character": p.vex, "args": body{"text": text}}).want(200)
	}
	first, second := noRoll("one"), noRoll("two")
	p.post("/undo", p.player, body{"seq": first.at(t, "seq")}).problem(403, "forbidden")
	later := p.post("/undo", p.gm, body{"seq": first.at(t, "seq")}).problem(409, "later")
	if later.at(t, "later", 0, "seq") != second.at(t, "seq") ||
		!strings.Contains(later.text(t, "detail"), later.text(t, "later", 0, "text")) {
		t.Errorf("what stands on it: %v", later)
	}
	for _, e := range []object{second, first} {
		undone := p.post("/undo", p.gm, body{"seq": e.at(t, "seq"), "key": "undo " + e.text(t, "move")}).want(200)
		if undone.text(t, "kind") != "undone" || undone.at(t, "undoes") != e.at(t, "seq") {
			t.Errorf("%v", undone)
		}
	}
	p.post("/undo", p.gm, body{"seq": first.at(t, "seq")}).problem(422, "refused")
	p.post("/undo", p.gm, body{"seq": 0}).problem(422, "invalid")
	p.post("/undo", p.gm, body{"seq": 9999}).problem(422, "invalid")
	p.post("/undo", p.gm, body{}).problem(422, "invalid")

	made := p.post("/moves", p.player, body{"move": "check", "character": p.vex, "dice": []int{1}}).want(202)
	p.post("/cancel", p.player, body{"move": made.text(t, "move")}).problem(422, "refused")
	p.post("/cancel", p.spectator, body{"move": made.text(t, "move")}).problem(403, "forbidden")
	p.post("/cancel", p.gm, body{"move": "m1"}).problem(422, "invalid")
	if e := p.post("/cancel", p.gm, body{"move": made.text(t, "move")}).want(200); e.text(t, "kind") != "cancelled" {
		t.Errorf("%v", e)
	}
}

func TestSharesAndDiceSecretAreListedAfterTheSession(t *testing.T) {
	p := open(serve(t))
	p.post("/shares", p.player, body{"share": "d1f09a6b", "key": "k"}).want(200)
	p.post("/shares", p.player, body{"share": "d1f09a6b", "key": "k"}).want(200)
	p.post("/shares", p.player, body{"share": "other"}).problem(422, "refused")
	p.post("/shares", p.spectator, body{"share": strings.Repeat("x", 65)}).problem(422, "invalid")
	p.post("/shares", p.spectator, body{"share": ""}).problem(422, "invalid")
	asked := p.post("/moves", p.gm, body{"move": "check", "character": p.vex, "nonce": "9f"})
	for asked.status == 200 { // a throw without questions: once more
		asked = p.post("/moves", p.gm, body{"move": "check", "character": p.vex, "nonce": "9f"})
	}
	thrown := asked.want(202)
	if thrown.text(t, "check", "shares", 0) != "d1f09a6b" || thrown.text(t, "throws", 0, "place") != "#0" {
		t.Errorf("%v", thrown)
	}
	p.post("/session", p.gm, body{}).problem(422, "refused")
	p.post("/cancel", p.gm, body{"move": thrown.text(t, "move")}).want(200)
	p.post("/session", p.player, body{}).problem(403, "forbidden")
	p.post("/session", p.gm, body{}).want(200)
	view := p.get("", p.spectator).want(200)
	if view.at(t, "session", "n") != 2.0 || view.text(t, "sessions", 0, "shares", 0, "share") != "d1f09a6b" ||
		len(view.text(t, "sessions", 0, "secret")) != 64 {
		t.Errorf("%v, %v", view["session"], view["sessions"])
	}
}

// A game master switches to newer rules after norn was updated.
func TestGameMasterSwitchesToNewerRules(t *testing.T) {
	spire, _ := game.Find(games.All(), "spire")
	now, next := strconv.Itoa(spire.Edition), strconv.Itoa(spire.Edition+1)
	p := open(serve(t))
	if view := p.get("", p.gm).want(200); view.text(t, "edition") != now || view["newer"] != nil {
		t.Errorf("%v", view)
	}
	p.post("/edition", p.gm, body{}).problem(422, "refused")
	p.post("/moves", p.player, body{"move": "check", "character": p.vex, "dice": []int{1}}).want(202)

	newer := *spire
	newer.Edition++
	p.client = servePlayed(t, p.journal, []*game.Game{&newer})
	if view := p.get("", p.player).want(200); view.text(t, "newer") != next {
		t.Errorf("%v", view)
	}
	p.post("/moves", p.player, body{"move": "no-roll", "character": p.vex, "args": body{"text": "x"}}).problem(422,
		"refused")
	p.post("/edition", p.player, body{}).problem(403, "forbidden")
	taken := p.post("/edition", p.gm, body{"key": "5c0e"}).want(200)
	if taken.text(t, "kind") != "edition" || taken.text(t, "edition") != next || taken["yields"] != nil {
		t.Errorf("%v", taken)
	}
	if again := p.post("/edition", p.gm, body{"key": "5c0e"}).want(200); again.at(t, "seq") != taken.at(t, "seq") {
		t.Errorf("the same request again: %v", again)
	}
	if view := p.get("", p.player).want(200); view.text(t, "edition") != next || view["newer"] != nil {
		t.Errorf("%v", view)
	}
}
