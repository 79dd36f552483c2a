package sqlite

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"norn/journal"
)

// oldEntries is the number of entries in oldDatabase: two complete steps of indexing and a partial
// one.
const oldEntries = 2*indexStep + 100

// oldDatabase makes a database without an index of moves.
func oldDatabase(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	path := filepath.Join(dir, File)
	old := fstest.MapFS{}
	for _, name := range []string{"00001_entries.sql", "00002_identity.sql"} {
		text, err := fs.ReadFile(migrations(), name)
		if err != nil {
			t.Fatal(err)
		}
		old[name] = &fstest.MapFile{Data: text}
	}
	if err := create(t.Context(), path, old); err != nil {
		t.Fatal(err)
	}
	db, err := connect(path, rollbackParams)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO tables (name) VALUES ('t');
		WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
		INSERT INTO entries (table_id, seq, at, seat, move, key, body) SELECT 1, n, n, 's1', iif(n % 3 = 0, '', 'm' || (n / 10)), '', x'' FROM n`, oldEntries); err != nil {
		t.Fatal(err)
	}
	db.Close()
	return dir
}

// findsMoves checks that a reader finds all entries of moves from the beginning, the middle and the
// end.
func findsMoves(t *testing.T, reader interface {
	ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error)
},
) {
	t.Helper()
	for _, n := range []int{1, 17, oldEntries/10 - 1} {
		found, err := reader.ReadMove(t.Context(), "t", fmt.Sprint("m", n))
		if err != nil {
			t.Fatal(err)
		}
		var seqs []uint64
		for seq := uint64(n * 10); seq < uint64(n*10+10); seq++ {
			if seq%3 != 0 {
				seqs = append(seqs, seq)
			}
		}
		for i, e := range found {
			if len(found) != len(seqs) || e.Seq != seqs[i] {
				t.Errorf("of m%d there are %d entries, the first %d, want %v", n, len(found), e.Seq, seqs)
			}
		}
		if len(found) != len(seqs) {
			t.Errorf("of m%d there are %d entries, want %d", n, len(found), len(seqs))
		}
	}
}

// An old database gets its index of moves when it's opened, step by step, and continues after an
// interruption.
func TestOldDatabaseIsIndexedStepByStep(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	dir := oldDatabase(t)
	findsWithoutIndex := func() {
		t.Helper()
		only, err := OpenReadOnly(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		findsMoves(t, only)
		only.Close()
	}
	findsWithoutIndex()
	killed, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := Open(killed, dir, func(done, _ int64) { cancel() }); err == nil {
		t.Fatal("an index that was broken off is taken for whole")
	}
	findsWithoutIndex()
	var told []int64
	j, err := Open(t.Context(), dir, func(done, of int64) {
		if of != oldEntries {
			t.Errorf("of %d entries, want %d", of, oldEntries)
		}
		told = append(told, done)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(told) != 2 || told[0] != 2*indexStep || told[1] != oldEntries {
		t.Errorf("it went on by %v", told)
	}
	findsMoves(t, j)
	var rows int
	if err := j.reader.db.QueryRow(`SELECT count(*) FROM moves`).Scan(&rows); err != nil ||
		rows != oldEntries-oldEntries/3 {
		t.Errorf("%d rows, %v, want %d", rows, err, oldEntries-oldEntries/3)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = Open(t.Context(), dir, func(done, of int64) { t.Error("it's made again") }); err != nil {
		t.Fatal(err)
	}
	j.Close()
}

// Damaged snapshots are removed, and the journal still works.
func TestDamagedSnapshotsAreRemoved(t *testing.T) {
	dir, _ := made(t, 3)
	for _, rubbish := range [][]byte{
		[]byte("not a database, and long enough to be looked at as one"),
		make([]byte, 9000),
	} {
		if err := os.WriteFile(filepath.Join(dir, snapshotFile), rubbish, 0o600); err != nil {
			t.Fatal(err)
		}
		j := mustOpen(t, dir)
		if _, err := j.Snapshot(t.Context(), "t"); err == nil {
			t.Error("rubbish was read")
		}
		if err := j.KeepSnapshot(t.Context(), "t", []byte("new")); err != nil {
			t.Error(err)
		}
		if data, err := j.Snapshot(t.Context(), "t"); err != nil || string(data) != "new" {
			t.Errorf("%q, %v", data, err)
		}
		if info, err := os.Stat(filepath.Join(dir, snapshotFile)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		if got := count(t, j, "t"); got != 3 {
			t.Errorf("%d entries", got)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
