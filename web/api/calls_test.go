package api_test

import "testing"

// The examples of a call work, the move with its arguments meets it, and only those who may see
// notes and favourites do.
func TestExamplesOfCallsNotesAndFavouritesWork(t *testing.T) {
	p := open(serve(t))
	c := openAPI(t)
	example := func(path string) any {
		return c.operations["POST /api/v1/tables/{id}"+path].Body.Content["application/json"].Example
	}
	p.post("/calls", p.player, example("/calls")).problem(403, "forbidden")
	p.post("/calls", p.gm, example("/calls")).want(200)
	p.post("/calls", p.gm, body{"move": "check", "character": "c1", "args": body{"difficulty": 9}}).problem(422,
		"invalid")
	view := p.get("", p.player).want(200)
	if view.text(t, "calls", 0, "move") != "check" || view.at(t, "calls", 0, "args", "difficulty") != 1.0 {
		t.Errorf("calls: %v", view.at(t, "calls"))
	}
	p.post("/withdraw", p.gm, example("/withdraw")).want(200)
	p.post("/withdraw", p.gm, body{"call": "call1"}).problem(422, "invalid")

	p.post("/notes", p.player, example("/notes")).problem(403, "forbidden")
	p.post("/notes", p.gm, example("/notes")).want(200)
	if p.get("", p.gm).want(200).text(t, "notes", 0, "text") != "The steward has the second key." {
		t.Error("the note isn't kept")
	}

	p.post("/favourites", p.player, example("/favourites")).want(200)
	if p.get("", p.player).want(200).text(t, "characters", 0, "starred", 0) != "check" {
		t.Error("the move is no favourite")
	}
}

// A game master adds ready characters without naming a kind.
func TestGameMasterAddsReadyCharactersWithoutAKind(t *testing.T) {
	p := open(serve(t))
	p.post("/characters", p.gm, body{"stock": "thug"}).want(201)
	p.post("/characters", p.gm, body{"stock": "dragon"}).problem(422, "invalid")
	p.post("/characters", p.player, body{"stock": "thug"}).problem(403, "forbidden")
	p.post("/characters", p.gm, body{"name": "Nobody"}).problem(422, "invalid")
}
