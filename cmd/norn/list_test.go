package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
	"norn/table/view"
)

// A game master's link imports a list from a workbook, a text or a folder, and mistakes are
// reported.
func TestListsComeFromFilesAndFolders(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--data", filepath.Join(dir, "tables"))
	at := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	var made struct {
		ID   string
		Seat struct{ Secret string }
	}
	callAPI(t, at+"/api/v1/tables", "", `{"game":"godbound","name":"Salt","lang":"en"}`, &made)
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	link := "--link=" + write("link.txt", at+"/t/"+made.ID+"/"+made.Seat.Secret)
	book, err := os.ReadFile(filepath.Join("..", "..", "internal", "workbook", "testdata", "foes.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	write("pack/a.json", `{"name":"Brine","type":"divineGift","system":{"word":"Salt","onTurn":true}}`)
	write("pack/b.json", `{"name":"Salt","type":"boundWord","system":{}}`)
	do := func(status int, says string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		got := run(context.Background(), home(), append([]string{"--lang", "en", "list", "import", link}, args...),
			strings.NewReader(""), &out, &errs, []string{"HOME=" + dir})
		if said := out.String() + errs.String(); got != status || !strings.Contains(said, says) {
			t.Errorf("%q: status %d, %s", args, got, said)
		}
	}
	do(0, "A list: Foes, 1 row\nColumns left out: Урон, Когда", write("foes.xlsx", string(book)), "--kind=foe", "--name=Foes", "--fitting")
	do(0, "A list: gear, 1 row", write("gear.csv", "Name,Damage\nOar,1d8\n"), "--kind=hero", "--field=weapons")
	do(0, "A list: pack, 1 row", filepath.Join(dir, "pack"))
	do(0, "A list: Words, 1 row", filepath.Join(dir, "pack"), "--sheet=Words", "--name=Words", "--hidden")
	do(cli.Failed, "body.rows.2.hd: must be 1 to 500", write("bad.csv", "Name,HD\nWolf,900\n"), "--kind=foe")
	do(0, "A list: bad, 1 row", write("bad.csv", "Name,HD\nWolf,900\nFox,1\n"), "--kind=foe", "--fitting")
	do(cli.Failed, "is no compendium", t.TempDir())
	do(cli.Failed, "larger than", write("large.csv", strings.Repeat("a\n", 5<<20)))
	do(cli.Failed, "no such file", filepath.Join(dir, "none"))
}

// A list is copied to another table of the game by two links: its rows, what they're for and their groups.
func TestListIsCopiedToAnotherTableByTwoLinks(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--data", filepath.Join(dir, "tables"))
	at := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	opens := func(game string) (api, secret, link string) {
		var made struct {
			ID   string
			Seat struct{ Secret string }
		}
		callAPI(t, at+"/api/v1/tables", "", `{"game":"`+game+`","name":"Salt","lang":"en"}`, &made)
		link = filepath.Join(dir, made.ID)
		if err := os.WriteFile(link, []byte(at+"/t/"+made.ID+"/"+made.Seat.Secret), 0o600); err != nil {
			t.Fatal(err)
		}
		return at + "/api/v1/tables/" + made.ID, made.Seat.Secret, link
	}
	api, secret, from := opens("godbound")
	there, key, to := opens("godbound")
	_, _, spire := opens("spire")
	var none any
	for range 2 {
		callAPI(t, api+"/lists", secret, `{"name":"Oars","kind":"hero","field":"weapons","rows":"Name,Dice,Group\nOar,1d8,Boat\n"}`, &none)
	}
	callAPI(t, api+"/lists", secret, `{"name":"Gear","kind":"hero","field":"weapons","rows":"Name,Dice,Group\nOar,1d8,Boat\n"}`, &none)
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{0, "A list: Gear, 1 row", []string{"Gear", "--link", from, "--to", to}},
		{cli.Failed, "no list called “Hats”", []string{"Hats", "--link", from, "--to", to}},
		{cli.Failed, "several lists are called “Oars”", []string{"Oars", "--link", from, "--to", to}},
		{cli.Failed, "kind", []string{"Gear", "--link", from, "--to", spire}},
		{cli.WrongUsage, "to which table?", []string{"Gear", "--link", from}},
		{cli.WrongUsage, "which list?", []string{"--link", from, "--to", to}},
	} {
		var out, errs bytes.Buffer
		got := run(context.Background(), home(), append([]string{"--lang", "en", "list", "copy"}, c.args...),
			strings.NewReader(""), &out, &errs, []string{"HOME=" + dir})
		if said := out.String() + errs.String(); got != c.status || !strings.Contains(said, c.says) {
			t.Errorf("%q: status %d, %s", c.args, got, said)
		}
	}
	var seen struct{ Lists []view.ListShown }
	callAPI(t, there, key, "", &seen)
	if len(seen.Lists) != 1 || seen.Lists[0].Name != "Gear" || seen.Lists[0].Field != "weapons" {
		t.Fatalf("%+v", seen.Lists)
	}
	var rows struct{ Columns []string }
	callAPI(t, there+"/lists/"+seen.Lists[0].ID, key, "", &rows)
	if got := strings.Join(rows.Columns, " "); got != "_group dice name" {
		t.Errorf("columns %s", got)
	}
}
