package api_test

import (
	"strings"
	"testing"
)

// openGame opens a table of a game with a player who has no character yet.
func openGame(t *testing.T, id string) *party {
	t.Helper()
	c := serve(t)
	made := c.send("POST", "/api/v1/tables", "", body{"game": id, "name": "Tuesday", "lang": "en"}).want(201)
	p := &party{client: c, base: "/api/v1/tables/" + made.text(t, "id"), gm: made.text(t, "seat", "secret")}
	seat := p.post("/seats", p.gm, body{"name": "Olena", "role": "player"}).want(201)
	p.player, p.playerSeat = seat.text(t, "secret"), seat.text(t, "id")
	return p
}

// Only game masters set and see a move's field that is for them, even in a public throw. MG-03
func TestGameMastersFieldIsHiddenFromPlayers(t *testing.T) {
	p := openGame(t, "mage")
	mary := p.add(p.gm, body{
		"name": "Mary", "kind": "character", "owner": p.playerSeat,
		"sheet": body{"attributes": body{"dexterity": 3}},
	})
	teased := body{
		"move": "roll", "character": mary, "args": body{"attribute": "dexterity", "tease": true},
		"dice": []int{10, 10, 10},
	}
	if refused := p.post("/moves", p.player, teased); refused.status < 400 {
		t.Errorf("a player sets it: %s", refused.body)
	}
	if outcome := p.post("/moves", p.gm, teased).want(200).text(t, "outcome", "id"); outcome != "failure" {
		t.Errorf("three tens of a tease are a %s", outcome)
	}
	for secret, reads := range map[string]bool{p.gm: true, p.player: false} {
		if log := p.get("/log", secret); strings.Contains(string(log.body), `"tease":true`) != reads {
			t.Errorf("reads of it: %v, log %s", !reads, log.body)
		}
	}
}

// A call carries what only game masters set. Its player reads nothing of it, makes the move without
// it, and it counts. MG-03, MG-32
func TestCallCarriesGameMastersFieldUnseen(t *testing.T) {
	p := openGame(t, "mage")
	mary := p.add(p.gm, body{
		"name": "Mary", "kind": "character", "owner": p.playerSeat,
		"sheet": body{"attributes": body{"dexterity": 3}},
	})
	call := body{"move": "roll", "character": mary, "args": body{"difficulty": 7, "tease": true}}
	p.post("/calls", p.gm, call).want(200)
	secrets := func(when string) {
		t.Helper()
		for _, path := range []string{"", "/log"} {
			for secret, reads := range map[string]bool{p.gm: true, p.player: false} {
				if said := p.get(path, secret); path != "" && strings.Contains(string(said.body), `"tease":true`) != reads ||
					!reads && path == "" && strings.Contains(string(said.body), "tease") {
					t.Errorf("%s, reads of it: %v, %s: %s", when, !reads, path, said.body)
				}
			}
		}
	}
	secrets("called")
	made := p.post("/moves", p.player, body{
		"move": "roll", "character": mary, "args": body{"attribute": "dexterity"}, "dice": []int{10, 10, 10},
	}).want(200)
	if outcome := made.text(t, "outcome", "id"); outcome != "failure" {
		t.Errorf("three tens of a tease are a %s", outcome)
	}
	secrets("made")
	if calls := string(p.get("", p.player).body); strings.Contains(calls, `"call1"`) {
		t.Errorf("the call is still open: %s", calls)
	}
	if refused := p.post("/calls", p.gm, body{
		"move": "roll", "character": mary, "args": body{"pool": 3},
	}); refused.status < 400 {
		t.Errorf("a call for what no call can carry: %s", refused.body)
	}
}

// A player can't set values that a game reserves for game masters, neither when adding a character
// nor later. MG-01
func TestPlayerCantSetReservedSheetValues(t *testing.T) {
	p := openGame(t, "mage")
	reserved := body{"name": "Lorenzo", "kind": "character", "sheet": body{"arete": 9}}
	if refused := p.post("/characters", p.player, reserved); refused.status < 400 {
		t.Errorf("added with Arete 9: %s", refused.body)
	}
	own := p.add(p.player, body{"name": "Lorenzo", "kind": "character", "sheet": body{"attributes": body{"wits": 4}}})
	if refused := p.send("PATCH", p.base+"/characters/"+own, p.player,
		body{"sheet": body{"arete": 9}}); refused.status < 400 {
		t.Errorf("changed to Arete 9: %s", refused.body)
	}
}

// A change of the world has the price that the game master sets and binds Influence; removing it
// frees the Influence, until that is undone. GB-26
func TestRemovingAProjectFreesItsInfluence(t *testing.T) {
	p := openGame(t, "godbound")
	arren := p.add(p.gm, body{
		"name": "Arren", "kind": "hero", "owner": p.playerSeat,
		"sheet": body{"influence": body{"total": 3}},
	})
	if refused := p.post("/characters", p.player,
		body{
			"name": "Lighthouse", "kind": "project",
			"sheet": body{"goal": "Light.", "scale": "village"},
		}); refused.status != 422 {
		t.Errorf("a player sets what a change costs: %s", refused.body)
	}
	lighthouse := p.add(p.player, body{"name": "Lighthouse", "kind": "project", "sheet": body{"goal": "Light."}})
	p.send("PATCH", p.base+"/characters/"+lighthouse, p.gm,
		body{"sheet": body{"scale": "village", "degree": "plausible"}}).want(200)
	held := func(want float64) {
		t.Helper()
		if got := p.sheet(p.gm, arren).at(t, "influence", "committed"); got != want {
			t.Errorf("%v Influence is committed, want %v", got, want)
		}
	}
	p.post("/moves", p.player, body{
		"move": "work", "character": arren,
		"args": body{"project": lighthouse, "influence": 1},
	}).want(200)
	held(1)
	removed := p.send("DELETE", p.base+"/characters/"+lighthouse, p.gm, nil).want(200)
	held(0)
	p.post("/undo", p.gm, body{"seq": removed.at(t, "seq")}).want(200)
	held(1)
}

// Only the game master lets time pass: players may ask for it. GB-28
func TestMovesOfGameMastersAreForbiddenToPlayers(t *testing.T) {
	p := openGame(t, "godbound")
	arren := p.add(p.gm, body{"name": "Arren", "kind": "hero", "owner": p.playerSeat, "sheet": body{}})
	for _, move := range []string{"rest", "month", "dawn", "scene"} {
		p.post("/moves", p.player, body{"move": move, "character": arren, "args": body{}}).problem(403, "forbidden")
	}
	p.post("/moves", p.player, body{"move": "ask", "character": arren, "args": body{"time": "dawn"}}).want(200)
}
