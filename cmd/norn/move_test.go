package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
	"norn/journal/sqlite"
)

// norn runs a command in this process.
func norn(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), home(), args, strings.NewReader(""), &stdout, &stderr, []string{"HOME=" + t.TempDir(), "LC_ALL=C"})
	return status, stdout.String(), stderr.String()
}

// The demo tables of all games go from SQLite to PostgreSQL and back, with their
// open questions; a second time changes nothing, and what is another table
// is left alone.
func TestMove(t *testing.T) {
	server := pgtest.Run(t, "fsync=off")
	address := database(t, server)
	dir, back := t.TempDir(), filepath.Join(t.TempDir(), "back")
	s := serve(t, "--data", dir, "--demo")
	link := s.hear(t, `^norn is open at (http.+)$`)
	for _, g := range home().Games {
		demoAt(t, http.DefaultClient, link+"/demo/"+g.ID, "en")
	}
	response, err := http.Post(link+"/api/v1/tables", "application/json", strings.NewReader(`{"game":"edda","name":"Quiet","lang":"en"}`))
	if err != nil {
		t.Fatal(err)
	}
	var quiet struct{ ID string } // a table where nothing is open
	if err := errors.Join(json.NewDecoder(response.Body).Decode(&quiet), response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	s.end(t)

	move := func(want int, args ...string) (out, errs string) {
		t.Helper()
		status, out, errs := norn(t, append([]string{"move"}, args...)...)
		if status != want {
			t.Fatalf("move %v: status %d\n%s%s", args, status, out, errs)
		}
		return out, errs
	}
	there, _ := move(cli.Done, "--from", "sqlite:"+dir, "--to", address, "--all")
	if !regexp.MustCompile(`(?m)^1 of ` + strconv.Itoa(len(home().Games)+1) + `: table [a-z2-7]{16}: entries copied: [1-9]\d*; checksum of the state: [0-9a-f]{16}$`).MatchString(there) {
		t.Errorf("it says:\n%s", there)
	}
	again, _ := move(cli.Done, "--from", "sqlite:"+dir, "--to", address, "--all")
	if strings.Count(again, "entries copied: 0;") != strings.Count(there, "entries copied") {
		t.Errorf("the second time it says:\n%s", again)
	}
	move(cli.Done, "--from", address, "--to", "sqlite:"+back, "--all")

	ctx := context.Background()
	first, err := sqlite.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	last, err := sqlite.Open(ctx, back)
	if err != nil {
		t.Fatal(err)
	}
	heads, err := first.Tables(ctx)
	if err != nil {
		t.Fatal(err)
	}
	returned, err := last.Tables(ctx)
	if err != nil || !slices.Equal(heads, returned) || len(heads) == 0 {
		t.Errorf("heads %v came back as %v, %v", heads, returned, err)
	}
	for _, h := range heads {
		a, err := first.Read(ctx, h.Table, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := last.Read(ctx, h.Table, 0, 0)
		if err != nil || journal.Sum(a) != journal.Sum(b) {
			t.Errorf("table %s came back changed (%v)", h.Table, err)
		}
	}

	// Tables in PostgreSQL are looked at, kept and taken in as those in a folder are.
	listed := func(args ...string) string {
		t.Helper()
		status, out, errs := norn(t, append([]string{"export", "--list"}, args...)...)
		if status != cli.Done {
			t.Fatalf("export --list %v: %s", args, errs)
		}
		return out
	}
	if here, there := listed("--data", dir), listed("--journal", address); here != there {
		t.Errorf("the folder has\n%sPostgreSQL has\n%s", here, there)
	}
	file, empty := filepath.Join(t.TempDir(), "table.jsonl"), database(t, server)
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{cli.Failed, "there are no tables in postgres://", []string{"export", "--list", "--journal", empty}},
		{cli.Failed, "there are no tables in postgres://", []string{"move", "--from", empty, "--to", "sqlite:" + filepath.Join(back, "none"), "--all"}},
		{cli.Done, "", []string{"export", "--table", quiet.ID, "--journal", address, "--out", file}},
		{cli.Done, "everything fits", []string{"verify", file}},
		{cli.Done, "after the nodes’ address", []string{"import", file, "--journal", empty}},
		{cli.Failed, "is here already", []string{"import", file, "--journal", empty}},
		{cli.Failed, "pg_dump", []string{"backup", filepath.Join(back, "copy"), "--journal", address}},
		{cli.Done, "norn.db", []string{"backup", filepath.Join(t.TempDir(), "copy"), "--journal", "sqlite:" + dir}},
		{cli.WrongUsage, "--journal: must be sqlite", []string{"export", "--list", "--journal", "mysql://"}},
	} {
		if status, out, errs := norn(t, c.args...); status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%v: status %d\n%s%s", c.args, status, out, errs)
		}
	}
	if out := listed("--journal", empty); strings.Count(out, "\n") != 1 || !strings.HasPrefix(out, quiet.ID) {
		t.Errorf("one table was taken in:\n%s", out)
	}

	// Who goes on in the new place only is further, not another.
	further, err := postgres.Open(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	entry := journal.Entry{Time: time.Unix(9, 0), Body: anEntry}
	if _, err := further.Append(ctx, heads[2].Table, heads[2].Seq, entry); err != nil {
		t.Fatal(err)
	}
	further.Close()
	first.Close()
	_, errs := move(cli.Failed, "--from", "sqlite:"+dir, "--to", address, "--all")
	if !strings.Contains(errs, fmt.Sprintf("has gone on with table %s: its entries from %d on", heads[2].Table, heads[2].Seq+1)) {
		t.Errorf("it says:\n%s", errs)
	}
	if first, err = sqlite.Open(ctx, dir); err != nil {
		t.Fatal(err)
	}

	// One goes on here and on there: neither is the other's any more.
	id := heads[0].Table
	other, err := postgres.Open(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range []journal.Journal{first, other} {
		entry := journal.Entry{Time: time.Unix(int64(i), 0), Body: anEntry}
		if _, err := j.Append(ctx, id, heads[0].Seq, entry); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	last.Close()
	_, errs = move(cli.Failed, "--from", "sqlite:"+dir, "--to", address, "--table", id)
	if !strings.Contains(errs, "has another table "+id+": it differs from entry") {
		t.Errorf("it says:\n%s", errs)
	}
	if len(heads) > 1 {
		move(cli.Done, "--from", "sqlite:"+dir, "--to", address, "--table", heads[1].Table)
	}

	// An entry of a newer norn isn't carried by one that can't read it.
	first, err = sqlite.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Append(ctx, heads[1].Table, heads[1].Seq, journal.Entry{Time: time.Unix(9, 0), Body: []byte(`{"v":99}`)}); err != nil {
		t.Fatal(err)
	}
	first.Close()
	_, errs = move(cli.Failed, "--from", "sqlite:"+dir, "--to", address, "--table", heads[1].Table)
	if !strings.Contains(errs, "can’t be read by this norn: it is of version 99") {
		t.Errorf("it says:\n%s", errs)
	}
	if _, err := os.Stat(filepath.Join(dir, sqlite.File)); err != nil {
		t.Error(err)
	}
}

// anEntry is one that any table may have after its first.
var anEntry = json.RawMessage(`{"v":1,"kind":"talk","rules":"test","done":true,"events":[{"n":0,"type":"table.talk-said","v":1,"data":{"text":"Well?"}}]}`)

func database(t *testing.T, server *pgtest.Server) string {
	t.Helper()
	address, err := server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func TestMoveRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--to", "sqlite:" + dir, "--all"}, cli.WrongUsage, "--from is missing"},
		{[]string{"--from", "sqlite:" + dir, "--all"}, cli.WrongUsage, "--to is missing"},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x"}, cli.WrongUsage, "which tables?"},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x", "--all", "--table", "t"}, cli.WrongUsage, "which tables?"},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x", "--all"}, cli.Failed, "there are no tables in " + dir},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:" + dir + "/", "--all"}, cli.WrongUsage, "are the same journal"},
		{[]string{"--from", "sqlite:" + dir, "--to", "postgres://norn@127.0.0.1:1/norn", "--all"}, cli.Failed, "there are no tables in " + dir},
		{[]string{"--from", "postgres://norn@127.0.0.1:1/norn", "--to", "sqlite:" + dir, "--all"}, cli.Failed, "can’t reach PostgreSQL at postgres://norn@127.0.0.1:1/norn: connection refused"},
		{[]string{"--from", "mysql://", "--to", "sqlite:x", "--all"}, cli.WrongUsage, "--from: must be sqlite"},
	} {
		if status, _, errs := norn(t, append([]string{"move"}, c.args...)...); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d: %s", c.args, status, errs)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}
