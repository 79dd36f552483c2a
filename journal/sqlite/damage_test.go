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

// TestDamageInALargeFile has a file that is too large to be looked through at
// Open: Open is quick, tables that the damage doesn't touch are read and written, and
// the one that it touches says so.
func TestDamageInALargeFile(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir)
	body := bytes.Repeat([]byte("x"), journal.MaxBody)
	const entries = checkUpTo/journal.MaxBody + 2
	for _, c := range []struct {
		table string
		n     int
	}{{"damaged", 40}, {"large", entries}, {"whole", 40}} {
		for n := range uint64(c.n) {
			e := journal.Entry{Time: noon, Seat: "seat of " + c.table, Key: fmt.Sprint(n), Body: []byte(strings.Repeat(c.table, 100))}
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
	// A page in the middle of the table's entries.
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
