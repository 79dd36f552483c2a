package sqlite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"norn/journal"
)

// killed creates what a crash leaves: entries in the database and entries in its log.
func killed(t *testing.T, file, log int) (dir string) {
	t.Helper()
	from, _ := made(t, file)
	j := mustOpen(t, from)
	for n := file; n < file+log; n++ {
		mustAppend(t, j, "t", uint64(n), journal.Entry{Time: noon, Body: bytes.Repeat([]byte("y"), 3000)})
	}
	return copied(t, from)
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// loss removes entries from the journal at path.
type loss struct {
	name string
	does func(t *testing.T, path string)
	most uint64 // the most that can remain of 20 entries in the file and 9 in the log
}

// losses lists ways in which a disk or an administrator may lose acknowledged entries.
func losses() []loss {
	flip := func(t *testing.T, path string, at int64) {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if at < 0 {
			at += int64(len(b))
		}
		patch(t, path, at, b[at]^1)
	}
	return []loss{
		{"a byte of the log", func(t *testing.T, path string) { flip(t, path+"-wal", 32+24+5000) }, 21},
		{"the log's first byte", func(t *testing.T, path string) { flip(t, path+"-wal", 0) }, 20},
		{"the log's last byte", func(t *testing.T, path string) { flip(t, path+"-wal", -1) }, 28},
		{
			"a byte of the database's log, of a frame's head",
			func(t *testing.T, path string) { flip(t, path+"-wal", 32+2) },
			20,
		},
		{"the log's tail", func(t *testing.T, path string) {
			info, err := os.Stat(path + "-wal")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path+"-wal", info.Size()-100); err != nil {
				t.Fatal(err)
			}
		}, 28},
		{"all of the log", func(t *testing.T, path string) {
			if err := os.Truncate(path+"-wal", 0); err != nil {
				t.Fatal(err)
			}
		}, 20},
		{"the log", func(t *testing.T, path string) { remove(t, path+"-wal") }, 20},
		{"the log and the lock", func(t *testing.T, path string) {
			remove(t, path+"-wal")
			remove(t, beside(path, lockFile))
		}, 20},
		{"the log and the position", func(t *testing.T, path string) { // then the lock has the mark
			remove(t, path+"-wal")
			remove(t, beside(path, positionFile))
		}, 20},
		{"all of the database", func(t *testing.T, path string) {
			remove(t, path+"-wal")
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		}, 0},
		{"the database", func(t *testing.T, path string) {
			remove(t, path+"-wal")
			remove(t, path)
		}, 0},
		{"newer pages", func(t *testing.T, path string) {
			older := mustOpen(t, copied(t, filepath.Dir(path)))
			if err := older.Close(); err != nil {
				t.Fatal(err)
			}
			remove(t, path+"-wal")
		}, 20},
	}
}

// Every loss is refused, twice; the refusal changes nothing, and Accept continues with what is
// left.
func TestOpenRefusesMissingEntriesUntilAccepted(t *testing.T) {
	for _, c := range losses() {
		t.Run(c.name, func(t *testing.T) {
			dir := killed(t, 20, 9)
			path := filepath.Join(dir, File)
			c.does(t, path)
			before := state(t, dir)
			for range 2 { // the refusal doesn't clear the record
				var missing *journal.MissingError
				if _, err := Open(t.Context(), dir); !errors.As(err, &missing) {
					t.Fatalf("got error %v, want *MissingError", err)
				}
				if missing.Want > 0 &&
					(missing.Want != 29 || missing.Have > c.most || missing.Table != "t" || missing.Seq != 29) ||
					missing.Want == 0 && missing.Log == "" {
					t.Fatalf("%+v", missing)
				}
			}
			after := state(t, dir)
			delete(after, File+"-shm") // SQLite's index of the log
			delete(before, File+"-shm")
			if len(before) != len(after) {
				t.Errorf("before %d files, after %d", len(before), len(after))
			}
			for name := range before {
				if before[name] != after[name] {
					t.Errorf("the refusal changed %s", name)
				}
			}

			hadLog := exists(path + "-wal")
			given, kept, err := Accept(t.Context(), dir)
			if err != nil || given == nil || (kept != "") != hadLog {
				t.Fatal(given, kept, err)
			}
			j := mustOpen(t, dir)
			left := uint64(count(t, j, "t"))
			if left > c.most || given.Want > 0 && left != given.Have {
				t.Errorf("%d entries are left, %+v were", left, given)
			}
			mustAppend(t, j, "t", left, journal.Entry{Time: noon})
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if given, _, err := Accept(t.Context(), dir); given != nil || err != nil {
				t.Error("accepted twice:", given, err)
			}
			mustOpen(t, dir)
		})
	}
}

// A database that replaces a newer one, or one with other entries, lacks acknowledged entries.
func TestOpenRefusesAnOlderOrOtherDatabase(t *testing.T) {
	dir, path := made(t, 20)
	older, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	j := mustOpen(t, dir)
	for n := range uint64(5) {
		mustAppend(t, j, "t", 20+n, journal.Entry{Time: noon})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, path, older)
	var missing *journal.MissingError
	if _, err := Open(t.Context(), dir); !errors.As(err, &missing) || missing.Have != 20 || missing.Want != 25 ||
		missing.Seq != 25 {
		t.Fatalf("got error %v, want *MissingError with 20 of 25", err)
	}

	// The older one, to which more was added elsewhere.
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, File), older)
	position, err := os.ReadFile(beside(path, positionFile))
	if err != nil {
		t.Fatal(err)
	}
	known, err := readPosition(beside(path, positionFile))
	if err != nil {
		t.Fatal(err)
	}
	further := *known
	further.Entries, further.Seq = 20, 20
	f, err := os.Create(filepath.Join(elsewhere, positionFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := further.write(f); err != nil { // so that it keeps its identity
		t.Fatal(err)
	}
	j = mustOpen(t, elsewhere)
	for n := range uint64(9) {
		mustAppend(t, j, "t", 20+n, journal.Entry{Time: noon.Add(time.Hour)})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	gone, err := os.ReadFile(filepath.Join(elsewhere, File))
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, gone)
	write(t, beside(path, positionFile), position)
	if _, err := Open(t.Context(), dir); !errors.As(err, &missing) {
		t.Errorf("of the same beginning: %v, want *MissingError", err)
	}
}

// A backup may replace the database it was made of, any number of times, whatever was there before
// and however norn ended.
func TestOpenAcceptsARestoredBackup(t *testing.T) {
	dir, path := made(t, 20)
	r, err := OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	backup, _, err := r.Backup(t.Context(), filepath.Join(t.TempDir(), "backup"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 3 {
		j := mustOpen(t, dir)
		switch past, entries := j.Past(); {
		case round == 0 && past != Whole, round > 0 && past != Another, entries != 20:
			t.Errorf("round %d: %v, %d entries", round, past, entries)
		}
		for n := range uint64(5) {
			mustAppend(t, j, "t", 20+n, journal.Entry{Time: noon})
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if past, _ := mustOpenClosed(t, dir).Past(); past != Whole {
			t.Errorf("round %d, again: %v", round, past)
		}
		write(t, path, saved)
	}

	// After a crash, the log of the previous database mustn't be applied to it.
	dir = killed(t, 20, 9)
	path = filepath.Join(dir, File)
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, saved)
	var corrupt *journal.CorruptError
	if _, err := Open(t.Context(), dir); !errors.As(err, &corrupt) || !strings.Contains(err.Error(), path+"-wal") {
		t.Fatalf("got error %v, want *CorruptError that names the log", err)
	}
	if now, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Equal(now, log) {
		t.Error("the log was changed", err)
	}
	remove(t, path+"-wal")
	if got := count(t, mustOpen(t, dir), "t"); got != 20 {
		t.Errorf("got %d entries, want the backup's", got)
	}

	// In its own folder it is a normal database.
	if past, entries := mustOpen(t, filepath.Dir(backup)).Past(); past != Whole || entries != 20 {
		t.Errorf("the backup itself: %v, %d entries", past, entries)
	}
}

func mustOpenClosed(t *testing.T, dir string) *Journal {
	t.Helper()
	j := mustOpen(t, dir)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return j
}

// The position isn't synced, so a power cut may leave an old or unreadable one. An old one is still
// correct, and an unreadable one must not prevent opening.
func TestOpenWorksWithAnOldOrBrokenPosition(t *testing.T) {
	dir, path := made(t, 20)
	at := beside(path, positionFile)
	older, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	j := mustOpen(t, dir)
	mustAppend(t, j, "t", 20, journal.Entry{Time: noon})
	from := copied(t, dir)
	for _, c := range []struct {
		name string
		text []byte
		past Past
	}{
		{"older", older, Whole},
		{"empty", nil, Unknown},
		{"zeros", make([]byte, positionSize), Unknown},
		{"half", older[:40], Unknown},
		{"garbage", []byte("dear diary"), Unknown},
	} {
		dir := copied(t, from)
		write(t, filepath.Join(dir, positionFile), c.text)
		j := mustOpen(t, dir)
		if past, entries := j.Past(); past != c.past || entries != 21 {
			t.Errorf("%s: %v, %d entries", c.name, past, entries)
		}
		mustAppend(t, j, "t", 21, journal.Entry{Time: noon})
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if past, _ := mustOpen(t, dir).Past(); past != Whole {
			t.Errorf("%s, again: %v", c.name, past)
		}
	}
	dir = copied(t, from)
	remove(t, filepath.Join(dir, positionFile))
	if past, _ := mustOpen(t, dir).Past(); past != Whole {
		t.Errorf("none: %v", past)
	}
}

// A crash while the log is copied into the file may leave a file that can't be read without its
// log.
func TestOpenRecoversATruncatedFileFromItsLog(t *testing.T) {
	dir := killed(t, 0, 20)
	path := filepath.Join(dir, File)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if err := mustOpen(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	write(t, path+"-wal", log)
	if err := os.Truncate(path, before.Size()); err != nil { // its header claims more pages
		t.Fatal(err)
	}
	j := mustOpen(t, dir)
	if past, _ := j.Past(); past != Whole || count(t, j, "t") != 20 {
		t.Errorf("%v, %d entries", past, count(t, j, "t"))
	}
}

// A read-only journal reports what is missing, and the rest can be read.
func TestReadOnlyReportsMissingEntries(t *testing.T) {
	dir := killed(t, 20, 9)
	r, err := OpenReadOnly(t.Context(), dir)
	if err != nil || r.Missing() != nil {
		t.Fatal(err, r.Missing())
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, File)
	remove(t, path+"-wal")
	if r, err = OpenReadOnly(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if m := r.Missing(); m == nil || m.Have != 20 || m.Want != 29 {
		t.Errorf("missing: %+v", m)
	}
	if entries, err := r.Read(t.Context(), "t", 0, 0); err != nil || len(entries) != 20 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	var missing *journal.MissingError
	if _, err := OpenReadOnly(t.Context(), dir); !errors.As(err, &missing) || missing.Have != 0 {
		t.Errorf("of an emptied one: %v, want *MissingError", err)
	}
}

func TestAcceptRefusesAMissingOrOpenJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	var none *NoneError
	if _, _, err := Accept(t.Context(), dir); !errors.As(err, &none) {
		t.Errorf("got error %v, want *NoneError", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it was made")
	}
	j := mustOpen(t, dir)
	var locked *journal.LockedError
	if _, _, err := Accept(t.Context(), dir); !errors.As(err, &locked) {
		t.Errorf("of an open one: %v, want *LockedError", err)
	}
	j.Close()
}

// TestAnOpenJournalStaysLockedWithoutItsLockFile removes the lock file of an open journal: the
// journal must stay locked.
func TestAnOpenJournalStaysLockedWithoutItsLockFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows removes no file that is open")
		return
	}
	dir := t.TempDir()
	j := mustOpen(t, dir)
	remove(t, filepath.Join(dir, lockFile))
	var locked *journal.LockedError
	if _, err := Open(context.Background(), dir); !errors.As(err, &locked) {
		t.Fatalf("got error %v, want *LockedError", err)
	}
	mustAppend(t, j, "t", 0, journal.Entry{Time: noon})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := count(t, mustOpen(t, dir), "t"); got != 1 {
		t.Errorf("got %d entries, want 1", got)
	}
}
