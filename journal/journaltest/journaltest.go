// Package journaltest holds the test suite that every driver of package journal must pass, and the
// benchmarks that compare them.
//
// It imports package journal and testing libraries, but no driver.
package journaltest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/journal"
)

// Open opens the same journal each time it's called; the one before must be closed.
type Open func() (journal.Journal, error)

// Run runs the suite. place returns a new, empty place for a journal.
func Run(t *testing.T, place func(t *testing.T) Open) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, open Open)
	}{
		{"an empty journal has nothing", empty},
		{"entries are read as they were appended", roundTrip},
		{"entries are numbered by table", numbering},
		{"a read returns the page asked for", paging},
		{"entries of a move are found", byMove},
		{"the newest snapshot of a table is kept", snapshots},
		{"tables are listed with their last entry", heads},
		{"a deleted table is gone, and others aren't", deletion},
		{"a deletion with a wrong expected number is refused", deletionRefused},
		{"bodies are blanked with the entry that says so", blanking},
		{"invalid calls are refused", invalid},
		{"a wrong expected number is a conflict", conflict},
		{"a repeated key returns the first entry", duplicate},
		{"keys of other seats and tables are others", keysApart},
		{"a batch is appended whole or not at all", allOrNothing},
		{"any bytes are kept in bodies", bodies},
		{"of writers at once one wins", oneWriterWins},
		{"of repeats at once one is written", oneKeyWins},
		{"many tables are written at once", manyTables},
		{"readers see whole appends", wholeAppends},
		{"followers miss nothing", followers},
		{"entries are there after reopening", reopen},
		{"calls end with their context", contexts},
		{"who gives up finds out by the key", contextWhileWaiting},
		{"calls after closing are refused", refusesAfterClose},
		{"closing loses no acknowledged append", closeDrains},
		{"random calls behave like slices", model},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, place(t))
		})
	}
}

// RunShared runs the tests of a journal that several nodes have open at once. Every call of the
// function that place returns opens one more.
func RunShared(t *testing.T, place func(t *testing.T) Open) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, nodes []journal.Journal)
	}{
		{"of nodes at once one wins", oneNodeWins},
		{"of repeats on nodes at once one is written", oneKeyOfNodes},
		{"nodes write many tables without locking out others", manyNodes},
		{"followers on every node miss nothing", nodesFollow},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			open := place(t)
			nodes := make([]journal.Journal, 3)
			together(len(nodes), func(i int) { // which create or find the schema at the same time
				var err error
				if nodes[i], err = open(); err != nil {
					t.Error("open:", err)
				}
			})
			for _, j := range nodes {
				if j == nil {
					return
				}
				t.Cleanup(func() { j.Close() })
			}
			c.run(t, nodes)
		})
	}
}

var start = time.Date(2026, 3, 1, 18, 30, 0, 0, time.UTC)

// entry returns the n-th entry, with n in its fields.
func entry(n int) journal.Entry {
	return journal.Entry{
		Time: start.Add(time.Duration(n) * time.Second),
		Seat: "gm",
		Move: fmt.Sprint("move-", n),
		Body: fmt.Appendf(nil, `{"n":%d}`, n),
	}
}

func entryWithKey(n int, seat, key string) journal.Entry {
	e := entry(n)
	e.Seat, e.Key = seat, key
	return e
}

func entryAt(table string, seq uint64, e journal.Entry) journal.Entry {
	e.Table, e.Seq = table, seq
	return e
}

// openJournal opens a journal and closes it at the end of the test.
func openJournal(t *testing.T, open Open) journal.Journal {
	t.Helper()
	j, err := open()
	if err != nil {
		t.Fatal("open:", err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func mustAppend(
	t *testing.T,
	j journal.Journal,
	table string,
	expect uint64,
	entries ...journal.Entry,
) []journal.Entry {
	t.Helper()
	got, err := j.Append(context.Background(), table, expect, entries...)
	if err != nil {
		t.Fatal("append:", err)
	}
	return got
}

func mustRead(t *testing.T, j journal.Journal, table string, after uint64, limit int) []journal.Entry {
	t.Helper()
	got, err := j.Read(context.Background(), table, after, limit)
	if err != nil {
		t.Fatal("read:", err)
	}
	return got
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// wantErr checks the type of an error and returns it.
func wantErr[E error](t *testing.T, err error) E {
	t.Helper()
	var e E
	if !errors.As(err, &e) {
		t.Fatalf("got error %v (%T), want %T", err, err, e)
	}
	return e
}
