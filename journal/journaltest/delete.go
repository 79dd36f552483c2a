package journaltest

import (
	"context"
	"errors"
	"testing"
	"time"

	"norn/journal"
)

var later = start.Add(time.Hour)

func mustDelete(t *testing.T, j journal.Journal, table string, expect uint64) {
	t.Helper()
	if err := j.Delete(context.Background(), table, expect, later); err != nil {
		t.Fatal("delete:", err)
	}
}

func mustList(t *testing.T, j journal.Journal) []journal.Deletion {
	t.Helper()
	all, err := j.Deletions(context.Background())
	if err != nil {
		t.Fatal("deletions:", err)
	}
	return all
}

// deletion deletes a table between others and looks at everything that can be read.
func deletion(t *testing.T, open Open) {
	j := openJournal(t, open)
	for _, table := range []string{"a", "b", "c"} {
		mustAppend(t, j, table, 0, entryWithKey(1, "gm", "k"), entry(2))
		if err := j.KeepSnapshot(context.Background(), table, []byte(table)); err != nil {
			t.Fatal(err)
		}
	}
	mustDelete(t, j, "b", 2)
	look := func() {
		t.Helper()
		if got := mustRead(t, j, "b", 0, 0); len(got) > 0 {
			t.Errorf("it can still be read: %v", got)
		}
		if got, err := j.ReadMove(context.Background(), "b", entry(2).Move); err != nil || len(got) > 0 {
			t.Errorf("its move can still be read: %v, %v", got, err)
		}
		if _, err := j.Find(context.Background(), "b", "gm", "k"); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("its key is found: %v", err)
		}
		if _, err := j.Snapshot(context.Background(), "b"); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("its snapshot is there: %v", err)
		}
		heads, err := j.Tables(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "tables", heads, []journal.Head{
			{Table: "a", Seq: 2, Time: entry(2).Time}, {Table: "c", Seq: 2, Time: entry(2).Time},
		})
		same(t, "deletions", mustList(t, j), []journal.Deletion{{Table: "b", Time: later}})
		for _, table := range []string{"a", "c"} {
			if got := mustRead(t, j, table, 0, 0); len(got) != 2 {
				t.Errorf("%s has %d entries", table, len(got))
			}
			if data, err := j.Snapshot(context.Background(), table); err != nil || string(data) != table {
				t.Errorf("%s has the snapshot %q, %v", table, data, err)
			}
		}
	}
	look()
	_, err := j.Append(context.Background(), "b", 2, entry(3)) // by somebody who knew it
	same(t, "append", wantErr[*journal.ConflictError](t, err), &journal.ConflictError{Table: "b", Expected: 2})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openJournal(t, open)
	look()
	mustAppend(t, j, "a", 2, entry(3))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openJournal(t, open)
	mustAppend(t, j, "b", 0, entryWithKey(7, "gm", "k"))
	same(t, "an import", mustRead(t, j, "b", 0, 0), []journal.Entry{entryAt("b", 1, entryWithKey(7, "gm", "k"))})
	if got := mustList(t, j); len(got) > 0 {
		t.Errorf("a table that is there again counts as deleted: %v", got)
	}
}

func deletionRefused(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entry(1), entry(2))
	for _, expect := range []uint64{1, 3} {
		err := j.Delete(context.Background(), "t", expect, later)
		same(t, "refusal", wantErr[*journal.ConflictError](t, err),
			&journal.ConflictError{Table: "t", Expected: expect, Have: 2})
	}
	err := j.Delete(context.Background(), "none", 1, later)
	same(t, "refusal", wantErr[*journal.ConflictError](t, err), &journal.ConflictError{Table: "none", Expected: 1})
	wantErr[*journal.InvalidError](t, j.Delete(context.Background(), "t", 0, later))
	wantErr[*journal.InvalidError](t, j.Delete(context.Background(), "", 1, later))
	wantErr[*journal.InvalidError](t, j.Delete(context.Background(), "t", 2, time.Time{}))
	if got := mustRead(t, j, "t", 0, 0); len(got) != 2 {
		t.Errorf("a refused deletion left %d entries", len(got))
	}
}

// blanking replaces bodies and says so in one entry.
func blanking(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entry(1), entryWithKey(2, "gm", "k"), entry(3))
	mustAppend(t, j, "other", 0, entry(1), entry(2), entry(3))
	if err := j.KeepSnapshot(context.Background(), "t", []byte("names")); err != nil {
		t.Fatal(err)
	}
	blanked := []journal.Entry{{Seq: 1, Body: []byte("-")}, {Seq: 2, Body: []byte{}}}
	if _, err := j.Blank(context.Background(), "t", 2, blanked, entry(4)); err == nil {
		t.Error("an entry was blanked by who didn't know the newest")
	} else {
		wantErr[*journal.ConflictError](t, err)
	}
	_, err := j.Blank(context.Background(), "t", 3, []journal.Entry{{Seq: 4}}, entry(4))
	wantErr[*journal.InvalidError](t, err)
	same(t, "after refusals", mustRead(t, j, "t", 0, 1), []journal.Entry{entryAt("t", 1, entry(1))})
	got, err := j.Blank(context.Background(), "t", 3, blanked, entry(4))
	if err != nil {
		t.Fatal("blank:", err)
	}
	want := []journal.Entry{
		entryAt("t", 1, entry(1)), entryAt("t", 2, entryWithKey(2, "gm", "k")), entryAt("t", 3, entry(3)),
		entryAt("t", 4, entry(4)),
	}
	want[0].Body, want[1].Body = []byte("-"), []byte{}
	same(t, "said", got, want[3:])
	same(t, "read", mustRead(t, j, "t", 0, 0), want)
	if _, err := j.Snapshot(context.Background(), "t"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("the snapshot is there: %v", err)
	}
	if found, err := j.Find(context.Background(), "t", "gm", "k"); err != nil || len(found.Body) > 0 {
		t.Errorf("found %v, %v", found, err)
	}
	same(t, "another table", mustRead(t, j, "other", 0, 1), []journal.Entry{entryAt("other", 1, entry(1))})
}
