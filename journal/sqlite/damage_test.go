package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"norn/journal"
)

// TestDamagedTableInALargeFileLeavesOthersUsable has a file that is too large to be checked at
// Open: Open is quick, undamaged tables can be read and written, and the damaged one returns an
// error.
func TestDamagedTableInALargeFileLeavesOthersUsable(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir)
	body := bytes.Repeat([]byte("x"), journal.MaxBody)
	const entries = checkUpTo/journal.MaxBody + 2
	for _, c := range []struct {
		table string
		n     int
	}{{"damaged", 40}, {"large", entries}, {"whole", 40}} {
		for n := range uint64(c.n) {
			e := journal.Entry{
				Time: noon,
				Seat: "seat of " + c.table,
				Key:  fmt.Sprint(n),
				Body: []byte(strings.Repeat(c.table, 100)),
			}
			if c.table == "large" {
				e.Body = body
			}
			mustAppend(t, j, c.table, n, e)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, File)
	info, err := os.Stat(path)
	if err != nil || info.Size() <= checkUpTo {
		t.Fatal(info.Size(), err)
	}
	// The damaged page is in the middle of the table's entries.
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, 1<<20)
	if _, err := f.ReadAt(start, 0); err != nil {
		t.Fatal(err)
	}
	f.Close()
	at := bytes.LastIndex(start, []byte("damageddamaged"))
	patch(t, path, int64(at/4096*4096), bytes.Repeat([]byte{0xa5}, 4096)...)

	began := time.Now()
	j = mustOpen(t, dir)
	t.Logf("%d MiB opened in %v", info.Size()>>20, time.Since(began).Round(time.Millisecond))
	var corrupt *journal.CorruptError
	if _, err := j.Read(context.Background(), "damaged", 0, 0); !errors.As(err, &corrupt) || corrupt.Path != path {
		t.Errorf("reading the damaged table: %v, want a *CorruptError that names the file", err)
	}
	if got := count(t, j, "whole"); got != 40 {
		t.Errorf("the whole table has %d entries, want 40", got)
	}
	mustAppend(t, j, "whole", 40, journal.Entry{Time: noon})
	if got := count(t, j, "large"); got != entries {
		t.Errorf("the large table has %d entries, want %d", got, entries)
	}
}

// damagedFolder returns a folder with two tables, of which the first has a damaged page.
func damagedFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	j := mustOpen(t, dir)
	for _, table := range []string{"damaged", "whole"} {
		for n := range uint64(40) {
			mustAppend(
				t,
				j,
				table,
				n,
				journal.Entry{Time: noon, Seat: "s1", Key: fmt.Sprint(n), Body: []byte(strings.Repeat(table, 100))},
			)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, File)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte("damageddamaged"))
	patch(t, path, int64(at/4096*4096), bytes.Repeat([]byte{0xa5}, 4096)...)
	return dir
}

// checkSalvaged opens a folder and checks that it holds only the undamaged table.
func checkSalvaged(t *testing.T, dir string) {
	t.Helper()
	j := mustOpen(t, dir)
	heads, err := j.Tables(t.Context())
	if err != nil || len(heads) != 1 || heads[0].Table != "whole" || heads[0].Seq != 40 {
		t.Errorf("%+v, %v", heads, err)
	}
	mustAppend(t, j, "whole", 40, journal.Entry{Time: noon, Body: []byte("{}")})
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

func TestADamagedDatabaseIsCopiedWithoutTheDamagedTable(t *testing.T) {
	dir, to := damagedFolder(t), filepath.Join(t.TempDir(), "copy")
	r, err := OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	found, err := r.Salvage(t.Context(), to)
	if err != nil || found.Tables != 1 || len(found.Lost) != 1 || found.Lost[0] != "damaged" {
		t.Fatalf("%+v, %v", found, err)
	}
	checkSalvaged(t, to)
	if _, err := r.Salvage(t.Context(), to); err == nil {
		t.Error("a folder that isn't empty is written over")
	}
}

func TestAcceptDamageKeepsUndamagedTables(t *testing.T) {
	dir := damagedFolder(t)
	if _, err := Open(t.Context(), dir); err == nil {
		t.Fatal("the damaged database is opened")
	}
	found, err := AcceptDamage(t.Context(), dir)
	if err != nil || found.Tables != 1 || len(found.Lost) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := os.Stat(found.Kept); err != nil {
		t.Error("the damaged database is gone:", err)
	}
	checkSalvaged(t, dir)
}
