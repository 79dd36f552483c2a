package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
	"norn/journal/sqlite"
)

// norn runs a command in this process.
func norn(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), args, strings.NewReader(""), &stdout, &stderr, []string{"HOME=" + t.TempDir(), "LC_ALL=C"})
	return status, stdout.String(), stderr.String()
}

// The demo tables of all games go from SQLite to PostgreSQL and back, with their
// open questions; a second time changes nothing, and what is another table
// is left alone.
func TestMove(t *testing.T) {
	server, err := pgtest.Start("fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	address, err := server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir, back := t.TempDir(), filepath.Join(t.TempDir(), "back")
	s := serve(t, "--data", dir, "--demo")
	s.hear(t, `^norn is open at (http.+)$`)
	s.end(t)

	move := func(want int, args ...string) (out, errs string) {
		t.Helper()
		status, out, errs := norn(t, append([]string{"move"}, args...)...)
		if status != want {
			t.Fatalf("move %v: status %d\n%s%s", args, status, out, errs)
		}
		return out, errs
	}
	there, _ := move(done, "--from", "sqlite:"+dir, "--to", address, "--all")
	if !regexp.MustCompile(`(?m)^Table [a-z2-7]{16}: entries copied: [1-9]\d*; checksum of the state: [0-9a-f]{16}$`).MatchString(there) {
		t.Errorf("it says:\n%s", there)
	}
	again, _ := move(done, "--from", "sqlite:"+dir, "--to", address, "--all")
	if strings.Count(again, "entries copied: 0;") != strings.Count(there, "entries copied") {
		t.Errorf("the second time it says:\n%s", again)
	}
	move(done, "--from", address, "--to", "sqlite:"+back, "--all")

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

	// One goes on here and on there: neither is the other's any more.
	id := heads[0].Table
	other, err := postgres.Open(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range []journal.Journal{first, other} {
		entry := journal.Entry{Time: time.Unix(int64(i), 0), Body: json.RawMessage(`{"v":1,"kind":"settings","rules":"test","done":true}`)}
		if _, err := j.Append(ctx, id, heads[0].Seq, entry); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	last.Close()
	_, errs := move(failed, "--from", "sqlite:"+dir, "--to", address, "--table", id)
	if !strings.Contains(errs, "has another table "+id+": it differs from entry") {
		t.Errorf("it says:\n%s", errs)
	}
	if len(heads) > 1 {
		move(done, "--from", "sqlite:"+dir, "--to", address, "--table", heads[1].Table)
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
	_, errs = move(failed, "--from", "sqlite:"+dir, "--to", address, "--table", heads[1].Table)
	if !strings.Contains(errs, "can't be read by this norn: it is of version 99") {
		t.Errorf("it says:\n%s", errs)
	}
	if _, err := os.Stat(filepath.Join(dir, sqlite.File)); err != nil {
		t.Error(err)
	}
}

func TestMoveRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--to", "sqlite:" + dir, "--all"}, wrongUsage, "--from is missing"},
		{[]string{"--from", "sqlite:" + dir, "--all"}, wrongUsage, "--to is missing"},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x"}, wrongUsage, "which tables?"},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x", "--all", "--table", "t"}, wrongUsage, "which tables?"},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x", "--all"}, failed, "there are no tables in " + dir},
		{[]string{"--from", "mysql://", "--to", "sqlite:x", "--all"}, wrongUsage, "--from: must be sqlite"},
	} {
		if status, _, errs := norn(t, append([]string{"move"}, c.args...)...); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d: %s", c.args, status, errs)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}
