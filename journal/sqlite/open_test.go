package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"norn/journal"
	"norn/journal/schema"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// made creates a closed journal with entries in a new directory.
func made(t *testing.T, entries int) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	j := mustOpen(t, dir)
	for n := range uint64(entries) {
		mustAppend(t, j, "t", n, journal.Entry{Time: noon, Key: fmt.Sprint(n), Body: bytes.Repeat([]byte("x"), 2000)})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, File)
}

func mustOpen(t *testing.T, dir string) *Journal {
	t.Helper()
	j, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func mustAppend(t *testing.T, j *Journal, table string, expect uint64, entries ...journal.Entry) {
	t.Helper()
	if _, err := j.Append(context.Background(), table, expect, entries...); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, j *Journal, table string) int {
	t.Helper()
	got, err := j.Read(context.Background(), table, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(got)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// patch overwrites bytes of a file.
func patch(t *testing.T, path string, at int64, b ...byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// unusableDatabase replaces a database by something that Open refuses.
type unusableDatabase struct {
	name string
	make func(t *testing.T, path string) // replaces the valid database at path
	want func(t *testing.T, err error)
}

// unusable lists what Open may find instead of a valid database.
func unusable() []unusableDatabase {
	corrupt := func(says string) func(*testing.T, error) {
		return func(t *testing.T, err error) {
			var e *journal.CorruptError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), says) {
				t.Errorf("got error %v (%T), want *CorruptError that says %q", err, err, says)
			}
		}
	}
	return []unusableDatabase{
		{"text", func(t *testing.T, path string) {
			write(t, path, []byte("dear diary, "+strings.Repeat("so it goes ", 50)))
		}, corrupt("not an SQLite database")},
		{
			"short text",
			func(t *testing.T, path string) { write(t, path, []byte("x")) },
			corrupt("not an SQLite database"),
		},
		{
			"half a header",
			func(t *testing.T, path string) { write(t, path, []byte("SQLite format 3\x00")) },
			corrupt("another program"),
		},
		{
			"zeros",
			func(t *testing.T, path string) { write(t, path, make([]byte, 8192)) },
			corrupt("not an SQLite database"),
		},
		{"another program's", func(t *testing.T, path string) {
			os.Remove(path)
			db, err := connect(path, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec("CREATE TABLE entries (x); PRAGMA application_id = 7"); err != nil {
				t.Fatal(err)
			}
			db.Close()
		}, corrupt("another program (application id 0x7, norn's is 0x6e6f726e)")},
		{"newer", func(t *testing.T, path string) { patch(t, path, 60, 0, 0, 1, 4) }, func(t *testing.T, err error) {
			know, _ := schema.Newest(migrations())
			var e *journal.NewerError
			if !errors.As(err, &e) || e.Have != 260 || e.Know != know {
				t.Errorf("got error %v, want *NewerError with 260 and %d", err, know)
			}
		}},
		{"newer, with a log", func(t *testing.T, path string) {
			patch(t, path, 60, 0, 0, 0, 9)
			write(t, path+"-wal", []byte("of the newer norn"))
		}, func(t *testing.T, err error) {
			var e *journal.NewerError
			if !errors.As(err, &e) || e.Have != 9 {
				t.Errorf("got error %v, want *NewerError with 9", err)
			}
		}},
		{"cut off", func(t *testing.T, path string) {
			if err := os.Truncate(path, 20_000); err != nil {
				t.Fatal(err)
			}
		}, corrupt("cut off: 20000 bytes of")},
		{"damaged page", func(t *testing.T, path string) {
			patch(t, path, 2*4096, bytes.Repeat([]byte{0xa5}, 4096)...)
		}, corrupt("can't be used")},
		{"log without database", func(t *testing.T, path string) {
			os.Remove(path)
			write(t, path+"-wal", []byte("entries that were never moved over"))
		}, corrupt("missing, but its write-ahead log is there")},
		{"directory", func(t *testing.T, path string) {
			os.Remove(path)
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, corrupt("not a regular file")},
	}
}

func TestOpenRefusesWhatItCannotUseAndLeavesNoTrace(t *testing.T) {
	for _, c := range unusable() {
		t.Run(c.name, func(t *testing.T) {
			dir, path := made(t, 20)
			c.make(t, path)
			past := noon.AddDate(-1, 0, 0)
			for _, name := range names(t, dir) {
				if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
					t.Fatal(err)
				}
			}
			before := state(t, dir)

			j, err := Open(context.Background(), dir)
			if err == nil {
				j.Close()
			}
			c.want(t, err)
			if after := state(t, dir); !maps.Equal(before, after) {
				t.Errorf(
					"the refusal left traces:\nbefore %v\nafter  %v",
					slices.Collect(maps.Keys(before)),
					slices.Collect(maps.Keys(after)),
				)
			}
			// The lock is free again.
			_, err = Open(context.Background(), dir)
			c.want(t, err)
		})
	}
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// state returns names, times and contents of the files of a directory, except the lock.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for _, name := range names(t, dir) {
		if name == "norn.lock" {
			continue
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		var b []byte
		if info.Mode().IsRegular() {
			if b, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		files[name] = fmt.Sprint(info.ModTime(), info.Mode(), string(b))
	}
	return files
}

// crashed creates what a crash leaves, with entries in the file and one more in the log: a copy
// taken while the journal is open.
func crashed(t *testing.T, entries int) (dir, path string) {
	t.Helper()
	from, _ := made(t, entries)
	j := mustOpen(t, from)
	mustAppend(t, j, "t", uint64(entries), journal.Entry{Time: noon})
	dir = t.TempDir()
	for _, name := range []string{File, File + "-wal"} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil || len(b) == 0 {
			t.Fatalf("%s: %d bytes, %v", name, len(b), err)
		}
		write(t, filepath.Join(dir, name), b)
	}
	return dir, filepath.Join(dir, File)
}

func TestOpenRefusesDamageNextToAWriteAheadLog(t *testing.T) {
	dir, path := crashed(t, 40)
	patch(t, path, 12*4096, bytes.Repeat([]byte{0xa5}, 4096)...)
	before := state(t, dir)
	_, err := Open(context.Background(), dir)
	var corrupt *journal.CorruptError
	if !errors.As(err, &corrupt) {
		t.Fatalf("got error %v, want *CorruptError", err)
	}
	after := state(t, dir)
	delete(after, File+"-shm") // SQLite's index of the log
	if !maps.Equal(before, after) {
		t.Error("the refusal changed the file or its log")
	}
}

// TestReadReportsDamageThatOpenDidNotCheck has damage in a page that Open didn't check.
func TestReadReportsDamageThatOpenDidNotCheck(t *testing.T) {
	dir, path := made(t, 40)
	j := mustOpen(t, dir)
	patch(t, path, 16*4096, bytes.Repeat([]byte{0xa5}, 4096)...)
	_, err := j.Read(context.Background(), "t", 0, 0)
	var corrupt *journal.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Path != path {
		t.Errorf("got error %v, want *CorruptError", err)
	}
}

func TestOpenLocksTheFolderUntilClosed(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir)
	mustAppend(t, j, "t", 0, journal.Entry{Time: noon})
	_, err := Open(context.Background(), dir)
	var locked *journal.LockedError
	if !errors.As(err, &locked) {
		t.Fatalf("second open: got error %v, want *LockedError", err)
	}
	if locked.Path != filepath.Join(dir, File) || locked.Process != os.Getpid() {
		t.Errorf("got %+v", locked)
	}
	mustAppend(t, j, "t", 1, journal.Entry{Time: noon}) // the first table still works
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := count(t, mustOpen(t, dir), "t"); got != 2 {
		t.Errorf("got %d entries, want 2", got)
	}
}

func TestOpenMakesAFolderWithAnyName(t *testing.T) {
	// The path has every special character of a URI, and a missing directory.
	dir := filepath.Join(t.TempDir(), "стіл 1?mode=memory&x#y%41;'", "data")
	j := mustOpen(t, dir)
	mustAppend(t, j, "t", 0, journal.Entry{Time: noon})
	if runtime.GOOS != "windows" {
		for _, name := range []string{File, File + "-wal", File + "-shm", lockFile, positionFile} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v: others can read the table's secrets", name, info.Mode())
			}
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{"norn.db", "norn.lock", "norn.position"}; !slices.Equal(got, want) {
		t.Errorf("after close there are %v, want %v", got, want)
	}
	if version, err := inspect(filepath.Join(dir, File)); err != nil || version != 4 {
		t.Errorf("the header says version %d, %v", version, err)
	}
	if got := count(t, mustOpen(t, dir), "t"); got != 1 {
		t.Errorf("got %d entries, want 1", got)
	}
}

func TestOpenRecoversFromAnInterruptedCreation(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, File), nil)
	write(t, filepath.Join(dir, File+".new"), []byte("half made"))
	write(t, filepath.Join(dir, File+".new-journal"), []byte("half made"))
	j := mustOpen(t, dir)
	mustAppend(t, j, "t", 0, journal.Entry{Time: noon})
	for _, name := range names(t, dir) {
		if strings.Contains(name, ".new") {
			t.Errorf("%s is left", name)
		}
	}
}

func TestOpenGivesUpWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if _, err := Open(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
	if got, want := names(t, dir), []string{"norn.lock"}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	mustOpen(t, dir)
}

// laterMigrations returns norn's migrations with one more, and those with another that fails.
func laterMigrations(t *testing.T, know int) (later, broken fstest.MapFS) {
	t.Helper()
	later = fstest.MapFS{}
	steps, err := fs.Glob(migrations(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range steps {
		text, err := fs.ReadFile(migrations(), name)
		if err != nil {
			t.Fatal(err)
		}
		later[name] = &fstest.MapFile{Data: text}
	}
	step := func(to fstest.MapFS, n int, text string) {
		to[fmt.Sprintf("%05d_step.sql", n)] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "-- +goose Up\n%s\nPRAGMA user_version = %d;\n", text, n),
		}
	}
	step(
		later,
		know+1,
		"CREATE TABLE mode AS SELECT journal_mode FROM pragma_journal_mode;\nALTER TABLE tables ADD COLUMN note TEXT NOT NULL DEFAULT '';",
	)
	broken = maps.Clone(later)
	step(broken, know+2, "CREATE TABLE more (x);\nSELECT nonsense;")
	return later, broken
}

// checkMigrated checks the version and the entries of a database after a migration.
func checkMigrated(t *testing.T, path string, version, want int) {
	t.Helper()
	if got, err := inspect(path); err != nil || got != version {
		t.Errorf("the header says version %d, %v, want %d", got, err, version)
	}
	db, err := connect(path, "mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	var got int
	counts := "SELECT count(*) FROM entries JOIN tables ON tables.id = table_id WHERE note = ''"
	if err := db.QueryRow(counts).Scan(&got); err != nil ||
		got != want {
		t.Errorf("after migrating: got %d entries, %v, want %d", got, err, want)
	}
	var mode string
	if err := db.QueryRow("SELECT journal_mode FROM mode").Scan(&mode); err != nil || mode != "delete" {
		t.Errorf("migrated in mode %q, %v: a crash there would leave the header behind the schema", mode, err)
	}
	db.Close()
}

// With migrations of a later norn, the header must have the right version after every step, also
// with a write-ahead log left by a crash.
func TestMigrationsKeepTheVersionInTheHeader(t *testing.T) {
	know, err := schema.Newest(migrations())
	if err != nil {
		t.Fatal(err)
	}
	later, broken := laterMigrations(t, know)
	for name, log := range map[string]bool{"without a log": false, "with a log left by a crash": true} {
		t.Run(name, func(t *testing.T) {
			dir, path := made(t, 3)
			want := 3
			if log {
				dir, path = crashed(t, 3)
				want = 4
			}
			if got := count(t, mustOpen(t, copied(t, dir)), "t"); got != want {
				t.Fatalf("before migrating: got %d entries, want %d", got, want)
			}
			if err := prepare(t, path, later); err != nil {
				t.Fatal(err)
			}
			checkMigrated(t, path, know+1, want)

			// A failing migration leaves the result of the step before it.
			if err := prepare(t, path, broken); err == nil {
				t.Error("a broken migration passed")
			}
			if version, err := inspect(path); err != nil || version != know+1 {
				t.Errorf("after a broken migration the header says version %d, %v, want %d", version, err, know+1)
			}
			// This norn must report that it is too old.
			var newer *journal.NewerError
			if _, err := Open(context.Background(), dir); !errors.As(err, &newer) || newer.Have != know+1 ||
				newer.Know != know {
				t.Fatalf("got error %v, want *NewerError with %d and %d", err, know+1, know)
			}
			// The copy from before the update opens and can be written to.
			old := mustOpen(t, newer.Before)
			if got := count(t, old, "t"); got != want {
				t.Errorf("the copy from before the update: got %d entries, want %d", got, want)
			}
			mustAppend(t, old, "t", uint64(want), journal.Entry{Time: noon})
		})
	}
}

// prepare does what Open does before it writes.
func prepare(t *testing.T, path string, steps fs.FS) error {
	t.Helper()
	know, err := schema.Newest(steps)
	if err != nil {
		t.Fatal(err)
	}
	found, err := judge(t.Context(), path, false, know)
	if err != nil {
		return err
	}
	return found.settle(t.Context(), path, steps)
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestMigrationsAreNumbered(t *testing.T) {
	files, err := fs.Glob(migrations(), "*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for i, name := range files {
		b, err := fs.ReadFile(migrations(), name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(name, fmt.Sprintf("%05d_", i+1)) {
			t.Errorf("migration %d is named %s", i+1, name)
		}
		if !strings.Contains(string(b), fmt.Sprintf("PRAGMA user_version = %d;", i+1)) {
			t.Errorf("%s doesn't set user_version to %d", name, i+1)
		}
	}
}
