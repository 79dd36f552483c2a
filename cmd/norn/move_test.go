package main

import (
	"bytes"
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
	status = run(t.Context(), home(), args, strings.NewReader(""), &stdout, &stderr,
		[]string{"HOME=" + t.TempDir(), "LC_ALL=C"})
	return status, stdout.String(), stderr.String()
}

// moving is a folder with the demo tables of all games and a table without open questions, and a
// PostgreSQL that they are moved to.
type moving struct {
	t         *testing.T
	server    *pgtest.Server
	dir, back string // the folder, and another that they are moved back to
	address   string
	quiet     string // a table without open questions
	heads     []journal.Head
}

func newMoving(t *testing.T) *moving {
	t.Helper()
	m := &moving{t: t, server: pgtest.Run(t, "fsync=off"), dir: t.TempDir(), back: filepath.Join(t.TempDir(), "back")}
	m.address = database(t, m.server)
	s := serve(t, "--data", m.dir, "--demo")
	link := s.hear(t, `^norn is open at (http.+)$`)
	for _, g := range home().Games {
		demoAt(t, http.DefaultClient, link+"/demo/"+g.ID, "en")
	}
	response, err := http.Post(link+"/api/v1/tables", "application/json",
		strings.NewReader(`{"game":"edda","name":"Quiet","lang":"en"}`))
	if err != nil {
		t.Fatal(err)
	}
	var quiet struct{ ID string }
	if err := errors.Join(json.NewDecoder(response.Body).Decode(&quiet), response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	m.quiet = quiet.ID
	s.end(t)
	return m
}

// move runs norn move and checks its exit status.
func (m *moving) move(want int, args ...string) (out, errs string) {
	m.t.Helper()
	status, out, errs := norn(m.t, append([]string{"move"}, args...)...)
	if status != want {
		m.t.Fatalf("move %v: status %d\n%s%s", args, status, out, errs)
	}
	return out, errs
}

// list returns the output of norn export --list.
func (m *moving) list(args ...string) string {
	m.t.Helper()
	status, out, errs := norn(m.t, append([]string{"export", "--list"}, args...)...)
	if status != cli.Done {
		m.t.Fatalf("export --list %v: %s", args, errs)
	}
	return out
}

func (m *moving) openFolder(dir string) *sqlite.Journal {
	m.t.Helper()
	j, err := sqlite.Open(m.t.Context(), dir)
	if err != nil {
		m.t.Fatal(err)
	}
	return j
}

// append adds an entry to a table of a journal and closes the journal.
func (m *moving) append(j journal.Journal, to journal.Head, at int64, body []byte) {
	m.t.Helper()
	if _, err := j.Append(m.t.Context(), to.Table, to.Seq,
		journal.Entry{Time: time.Unix(at, 0), Body: body}); err != nil {
		m.t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		m.t.Fatal(err)
	}
}

// The demo tables of all games move from SQLite to PostgreSQL and back, with their open questions.
// A table that differs in the target is left alone.
func TestTablesMoveToPostgreSQLAndBack(t *testing.T) {
	m := newMoving(t)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"all are copied, once", m.copiesAllOnce},
		{"all come back unchanged", m.bringsAllBack},
		{"PostgreSQL serves other commands as a folder does", m.servesOtherCommands},
		{"a source that is behind its copy is refused", m.refusesTheOlder},
		{"a table that was changed in both places is refused", m.refusesAnother},
		{"entries of a newer norn are refused", m.refusesNewerEntries},
	} {
		if !t.Run(step.name, func(t *testing.T) { m.t = t; step.do() }) {
			t.FailNow() // the following steps need it
		}
	}
}

func (m *moving) copiesAllOnce() {
	there, _ := m.move(cli.Done, "--from", "sqlite:"+m.dir, "--to", m.address, "--all")
	if !regexp.MustCompile(`(?m)^1 of ` + strconv.Itoa(len(home().Games)+1) +
		`: table [a-z2-7]{16}: entries copied: [1-9]\d*; checksum of the state: [0-9a-f]{16}$`).MatchString(there) {
		m.t.Errorf("it says:\n%s", there)
	}
	again, _ := m.move(cli.Done, "--from", "sqlite:"+m.dir, "--to", m.address, "--all")
	if strings.Count(again, "entries copied: 0;") != strings.Count(there, "entries copied") {
		m.t.Errorf("the second time it says:\n%s", again)
	}
}

func (m *moving) bringsAllBack() {
	m.move(cli.Done, "--from", m.address, "--to", "sqlite:"+m.back, "--all")
	ctx := m.t.Context()
	first, last := m.openFolder(m.dir), m.openFolder(m.back)
	defer first.Close()
	defer last.Close()
	var err error
	if m.heads, err = first.Tables(ctx); err != nil {
		m.t.Fatal(err)
	}
	returned, err := last.Tables(ctx)
	if err != nil || !slices.Equal(m.heads, returned) || len(m.heads) == 0 {
		m.t.Errorf("heads %v came back as %v, %v", m.heads, returned, err)
	}
	for _, h := range m.heads {
		a, err := first.Read(ctx, h.Table, 0, 0)
		if err != nil {
			m.t.Fatal(err)
		}
		b, err := last.Read(ctx, h.Table, 0, 0)
		if err != nil || journal.Sum(a) != journal.Sum(b) {
			m.t.Errorf("table %s came back changed (%v)", h.Table, err)
		}
	}
}

// servesOtherCommands lists, exports, imports and backs up tables in PostgreSQL.
func (m *moving) servesOtherCommands() {
	t := m.t
	open := m.openFolder(m.dir) // as a server opens it
	defer open.Close()
	if here, there := m.list("--data", m.dir), m.list("--journal", m.address); here != there {
		t.Errorf("the folder has\n%sPostgreSQL has\n%s", here, there)
	}
	file, empty := filepath.Join(t.TempDir(), "table.jsonl"), database(t, m.server)
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{cli.Failed, "there are no tables in postgres://", []string{"export", "--list", "--journal", empty}},
		{
			cli.Failed, "there are no tables in postgres://",
			[]string{"move", "--from", empty, "--to", "sqlite:" + filepath.Join(m.back, "none"), "--all"},
		},
		{cli.Done, "", []string{"export", "--table", m.quiet, "--journal", m.address, "--out", file}},
		{cli.Done, "everything fits", []string{"verify", file}},
		{cli.Done, "after the nodes’ address", []string{"import", file, "--journal", empty}},
		{cli.Failed, "is here already", []string{"import", file, "--journal", empty}},
		{cli.Failed, "pg_dump", []string{"backup", filepath.Join(m.back, "copy"), "--journal", m.address}},
		{cli.Done, "norn.db", []string{"backup", filepath.Join(t.TempDir(), "copy"), "--journal", "sqlite:" + m.dir}},
		{cli.WrongUsage, "--journal: must be sqlite", []string{"export", "--list", "--journal", "mysql://"}},
	} {
		if status, out, errs := norn(t, c.args...); status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%v: status %d\n%s%s", c.args, status, out, errs)
		}
	}
	if out := m.list("--journal", empty); strings.Count(out, "\n") != 1 || !strings.HasPrefix(out, m.quiet) {
		t.Errorf("one table was taken in:\n%s", out)
	}
}

// refusesTheOlder moves from a place where a table has fewer entries than in the other.
func (m *moving) refusesTheOlder() {
	there, err := postgres.Open(m.t.Context(), m.address)
	if err != nil {
		m.t.Fatal(err)
	}
	m.append(there, m.heads[2], 9, anEntry)
	_, errs := m.move(cli.Failed, "--from", "sqlite:"+m.dir, "--to", m.address, "--all")
	if !strings.Contains(errs, fmt.Sprintf("has gone on with table %s: its entries from %d on", m.heads[2].Table,
		m.heads[2].Seq+1)) {
		m.t.Errorf("it says:\n%s", errs)
	}
}

// refusesAnother moves a table that has changed in both places. The others can still be moved.
func (m *moving) refusesAnother() {
	there, err := postgres.Open(m.t.Context(), m.address)
	if err != nil {
		m.t.Fatal(err)
	}
	m.append(m.openFolder(m.dir), m.heads[0], 0, anEntry)
	m.append(there, m.heads[0], 1, anEntry)
	id := m.heads[0].Table
	_, errs := m.move(cli.Failed, "--from", "sqlite:"+m.dir, "--to", m.address, "--table", id)
	if !strings.Contains(errs, "has another table "+id+": it differs from entry") {
		m.t.Errorf("it says:\n%s", errs)
	}
	if len(m.heads) > 1 {
		m.move(cli.Done, "--from", "sqlite:"+m.dir, "--to", m.address, "--table", m.heads[1].Table)
	}
}

// refusesNewerEntries moves a table with an entry that this norn can't read.
func (m *moving) refusesNewerEntries() {
	m.append(m.openFolder(m.dir), m.heads[1], 9, []byte(`{"v":99}`))
	_, errs := m.move(cli.Failed, "--from", "sqlite:"+m.dir, "--to", m.address, "--table", m.heads[1].Table)
	if !strings.Contains(errs, "can’t be read by this norn: it is of version 99") {
		m.t.Errorf("it says:\n%s", errs)
	}
	if _, err := os.Stat(filepath.Join(m.dir, sqlite.File)); err != nil {
		m.t.Error(err)
	}
}

// anEntry is an entry that any table may have after its first.
var anEntry = json.RawMessage(`{"v":1,"kind":"talk","rules":"test","done":true,"events":[{"n":0,"type":"table.talk-said","v":1,"data":{"text":"Well?"}}]}`)

func database(t *testing.T, server *pgtest.Server) string {
	t.Helper()
	address, err := server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func TestMoveRefusesWrongJournalsAndCreatesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--to", "sqlite:" + dir, "--all"}, cli.WrongUsage, "--from is missing"},
		{[]string{"--from", "sqlite:" + dir, "--all"}, cli.WrongUsage, "--to is missing"},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x"}, cli.WrongUsage, "which tables?"},
		{
			[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x", "--all", "--table", "t"},
			cli.WrongUsage,
			"which tables?",
		},
		{[]string{"--from", "sqlite:" + dir, "--to", "sqlite:x", "--all"}, cli.Failed, "there are no tables in " + dir},
		{
			[]string{"--from", "sqlite:" + dir, "--to", "sqlite:" + dir + "/", "--all"},
			cli.WrongUsage,
			"are the same journal",
		},
		{
			[]string{"--from", "sqlite:" + dir, "--to", "postgres://norn@127.0.0.1:1/norn", "--all"},
			cli.Failed,
			"there are no tables in " + dir,
		},
		{
			[]string{"--from", "postgres://norn@127.0.0.1:1/norn", "--to", "sqlite:" + dir, "--all"},
			cli.Failed,
			"can’t reach PostgreSQL at postgres://norn@127.0.0.1:1/norn: connection refused",
		},
		{[]string{"--from", "mysql://", "--to", "sqlite:x", "--all"}, cli.WrongUsage, "--from: must be sqlite"},
	} {
		if status, _, errs := norn(t, append([]string{"move"}, c.args...)...); status != c.status ||
			!strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d: %s", c.args, status, errs)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}
