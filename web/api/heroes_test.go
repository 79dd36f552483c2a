package api_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"norn/foreign/foreigntest"
)

// hero is an invented one, in the shape of a system.
func foreignHero(strength int) body {
	return body{
		"name": "Ilm", "type": "Mage", "prototypeToken": body{}, "_stats": body{"systemVersion": "7.2.5"},
		"system": body{
			"attributes": body{"strength": body{"value": strength, "bonus": 1}}, "abilities": body{},
			"paradox": body{"temporary": 2, "permanent": 1}, "spheres": body{"forces": body{"value": 3}},
		},
		"items": []any{body{"type": "Rote", "name": "Peal", "system": body{"description": "<p>It <b>rings</b>.</p>"}}},
	}
}

// A hero is read without being taken; the file in the answer is taken like any other.
func TestHeroOfAnotherProgramIsReadThenTaken(t *testing.T) {
	c := serve(t)
	made := c.send("POST", "/api/v1/tables", "", body{"game": "mage", "name": "Tuesday", "lang": "en"}).want(201)
	p := &party{client: c, base: "/api/v1/tables/" + made.text(t, "id"), gm: made.text(t, "seat", "secret")}
	p.player = p.post("/seats", p.gm, body{"name": "Olena", "role": "player"}).want(201).text(t, "secret")
	entries := c.entries()
	asked := p.post("/read-hero", p.player, body{"file": foreignHero(2)})
	read := asked.want(200)
	for _, want := range []string{"Attributes: Strength", "2 (value) + 1 (bonus)", "Peal"} {
		if !strings.Contains(string(asked.body), want) {
			t.Errorf("%s isn't in %s", want, asked.body)
		}
	}
	if c.entries() != entries {
		t.Error("reading has written an entry")
	}
	taken := p.post("/import-character", p.player, body{"file": read.at(t, "file")}).want(201)
	sheet := p.get("", p.player)
	if !strings.Contains(string(sheet.body), `"strength":3`) || !strings.Contains(string(sheet.body), "It **rings**.") {
		t.Errorf("the sheet isn't the hero's: %s", sheet.body)
	}
	p.post("/undo", p.player, body{"seq": taken.at(t, "seq")}).want(200)

	misfit := p.post("/read-hero", p.player, body{"file": foreignHero(40)}).want(200)
	if at := misfit.text(t, "misfits", 0, "path"); at != "attributes.strength" {
		t.Errorf("what doesn't fit is %q", at)
	}
	for file, want := range map[string]string{
		`{"x":1}`: "no hero that norn knows",
		foreigntest.Actor(13, "hero", "Zed", `{"x":1}`, "", ""):     "another system (hero)",
		strings.Repeat(`{"a":`, 30) + "1" + strings.Repeat("}", 30): "no hero that norn knows",
	} {
		said := p.post("/read-hero", p.player, body{"file": json.RawMessage(file)}).want(422)
		if !strings.Contains(string(p.post("/import-character", p.player, body{"file": json.RawMessage(file)}).body), want) ||
			!strings.Contains(fmt.Sprint(said), want) {
			t.Errorf("%s: %v, want %q", file, said, want)
		}
	}
}

// The file in the answer fits as a whole, also where members of it fit only together.
func TestHeroOfEachSystemIsTakenWithoutLeavingAnythingOut(t *testing.T) {
	c := serve(t)
	keeper := foreigntest.KeeperXLSX(t, foreigntest.KeeperCells("Quill"))
	for game, file := range map[string]any{
		"eclipse": json.RawMessage(foreigntest.Actor(11, "character", "Ilm",
			foreigntest.EclipseSystem, foreigntest.EclipseItems, foreigntest.EclipseFlags)),
		"mage": json.RawMessage(foreigntest.Mage(13, true, "Wen")),
		"godbound": json.RawMessage(foreigntest.Actor(13, "pc", "Oru",
			foreigntest.GodboundSystem, foreigntest.GodboundItems, "")),
		"spire": "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString([]byte(keeper)),
	} {
		made := c.send("POST", "/api/v1/tables", "", body{"game": game, "name": "Tuesday", "lang": "en"}).want(201)
		p := &party{client: c, base: "/api/v1/tables/" + made.text(t, "id"), gm: made.text(t, "seat", "secret")}
		read := p.post("/read-hero", p.gm, body{"file": file}).want(200)
		taken := p.post("/import-character", p.gm, body{"file": read.at(t, "file")}).want(201)
		if strings.Contains(taken.text(t, "lines", 0, "text"), "without") {
			t.Errorf("%s: %v", game, taken)
		}
		saved := p.get("/characters/"+taken.text(t, "id")+"/file", p.gm).want(200)
		again := p.post("/import-character", p.gm, body{"file": saved}).want(201)
		if strings.Contains(again.text(t, "lines", 0, "text"), "without") {
			t.Errorf("%s, saved and taken again: %v", game, again)
		}
	}
	made := c.send("POST", "/api/v1/tables", "", body{"game": "spire", "name": "Tuesday", "lang": "en"}).want(201)
	p := &party{client: c, base: "/api/v1/tables/" + made.text(t, "id"), gm: made.text(t, "seat", "secret")}
	p.post("/read-hero", p.gm, body{"file": "data:application/octet-stream;base64,&"}).want(422)
}
