package api_test

import (
	"strings"
	"testing"

	"norn/games"
	"norn/table/verify"
)

func TestOnlyGameMastersExportTheWholeTable(t *testing.T) {
	p := open(serve(t))
	made := p.post("/moves", p.player, body{"move": "check", "character": p.vex, "dice": []int{1}}).want(202)
	open := p.get("/export", p.gm)
	if open.status != 200 || !strings.Contains(string(open.body), `"move":"`+made.text(t, "move")+`"`) {
		t.Errorf("a table with an open move isn't exported: %d", open.status)
	}
	p.post("/cancel", p.gm, body{"move": made.text(t, "move")}).want(200)
	p.get("/export", p.player).problem(403, "forbidden")
	p.get("/export", "nobody").problem(404, "not-found")
	file := p.get("/export", p.gm)
	if file.status != 200 || file.header.Get("Content-Type") != "application/jsonl" {
		t.Fatalf("%d %v", file.status, file.header)
	}
	found, err := verify.File(games.All(), spoken(), strings.NewReader(string(file.body)))
	if err != nil || found.Hand != 1 || strings.Contains(string(file.body), p.player) {
		t.Errorf("%+v, %v", found, err)
	}

	seen := p.get("/seen", p.player)
	found, err = verify.File(games.All(), spoken(), strings.NewReader(string(seen.body)))
	if seen.status != 200 || seen.header.Get("Content-Type") != "application/jsonl" || err != nil || found.Seat == "" ||
		found.Hand != 1 {
		t.Errorf("%d %v: %+v, %v", seen.status, seen.header, found, err)
	}
	p.get("/seen", "nobody").problem(404, "not-found")

	story := p.get("/export.md?session=1", p.spectator)
	if story.status != 200 || story.header.Get("Content-Type") != "text/markdown; charset=utf-8" ||
		!strings.Contains(string(story.body), "## Session 1 — ") {
		t.Errorf("%d %v\n%s", story.status, story.header, story.body)
	}
	p.get("/export.md?session=2", p.spectator).problem(422, "invalid")
	p.get("/export.md?session=x", p.spectator).problem(422, "invalid")
	p.get("/export.md", "nobody").problem(404, "not-found")
}
