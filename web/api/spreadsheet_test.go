package api_test

import (
	"encoding/base64"
	"strings"
	"testing"
)

// A list is had as a spreadsheet by those who see it, in the language that is asked for, and comes back
// as it was.
func TestListsAreHadAsSpreadsheets(t *testing.T) {
	p := open(serve(t))
	p.post("/lists", p.gm, body{
		"name": "Curios", "kind": "character", "field": "gear", "hidden": true,
		"rows": "Name,Die,Group\nA bone key,d6,Bones\n=1+1,,\n",
	}).want(200)
	id := p.get("", p.gm).want(200).text(t, "lists", 0, "id")
	for as, media := range map[string]string{
		"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	} {
		file := p.get("/lists/"+id+"/"+as, p.gm)
		if got := file.header.Get("Content-Type"); file.status != 200 || got != media {
			t.Errorf("%s is %d, %s", as, file.status, got)
		}
		p.post("/lists", p.gm, body{
			"name": as, "kind": "character", "field": "gear",
			"rows": "data:;base64," + base64.StdEncoding.EncodeToString(file.body),
		}).want(200)
		for _, no := range []answer{p.get("/lists/"+id+"/"+as, p.player), p.get("/lists/none/"+as, p.gm)} {
			no.want(404)
		}
	}
	lists := p.get("", p.gm).want(200)
	for n := range 3 {
		got := string(p.get("/lists/"+lists.text(t, "lists", n, "id"), p.gm).body)
		for _, part := range []string{`"columns":["name","die","_group"]`, `["A bone key","d6","Bones"]`, `["=1+1","",""]`} {
			if !strings.Contains(got, part) {
				t.Errorf("list %d lacks %s: %s", n, part, got)
			}
		}
	}
	p.lang = "ru"
	if file := p.get("/lists/"+id+"/csv", p.gm); !strings.Contains(string(file.body), `"Группа"`) {
		t.Errorf("in Russian: %s", file.body)
	}
}
