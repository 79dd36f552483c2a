package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/journal"
	"norn/journal/sqlite"
)

func filled(t *testing.T, dir string, entries int) *sqlite.Journal {
	t.Helper()
	j, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	for n := range uint64(entries) {
		if _, err := j.Append(t.Context(), "t", n,
			journal.Entry{Time: time.Unix(1, 0), Key: fmt.Sprint(n), Body: make([]byte, 2000)}); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

func readOnly(t *testing.T, dir string) *sqlite.ReadOnly {
	t.Helper()
	r, err := sqlite.OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

type reads interface {
	Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error)
}

func all(t *testing.T, j reads, table string) []journal.Entry {
	t.Helper()
	entries, err := j.Read(t.Context(), table, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// A reader sees what another norn has just written, and closing it doesn't disturb that norn.
func TestConcurrentReaderSeesNewEntriesOfAWriter(t *testing.T) {
	dir := t.TempDir()
	j := filled(t, dir, 3)
	r := readOnly(t, dir)
	if d := cmp.Diff(all(t, j, "t"), all(t, r, "t")); d != "" {
		t.Errorf("read beside (-writer +reader):\n%s", d)
	}
	if _, err := j.Append(t.Context(), "t", 3, journal.Entry{Time: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	if got := len(all(t, r, "t")); got != 4 {
		t.Errorf("got %d entries, want the fourth too", got)
	}
	heads, err := r.Tables(t.Context())
	if err != nil || len(heads) != 1 || heads[0].Seq != 4 {
		t.Errorf("tables: %v, %v", heads, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(t.Context(), "t", 0, 0); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := j.Append(t.Context(), "t", 4, journal.Entry{Time: time.Unix(1, 0)}); err != nil {
		t.Error("after the reader had gone:", err)
	}
	var locked *journal.LockedError
	if _, err := sqlite.Open(t.Context(), dir); !errors.As(err, &locked) {
		t.Errorf("a second writer: %v, want *LockedError", err)
	}
}

// A reader that outlives the other norn must not keep anybody from opening the database.
func TestReaderThatOutlivesAWriterBlocksNobody(t *testing.T) {
	dir := t.TempDir()
	j := filled(t, dir, 3)
	r := readOnly(t, dir)
	all(t, r, "t")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := len(all(t, r, "t")); got != 3 {
		t.Errorf("got %d entries, want 3", got)
	}
	again, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := again.Append(t.Context(), "t", 3, journal.Entry{Time: time.Unix(1, 0)}); err != nil {
		t.Error(err)
	}
	if got := len(all(t, r, "t")); got != 4 {
		t.Errorf("got %d entries, want 4", got)
	}
}

func TestReadOnlyOfAStoppedJournalChangesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := filled(t, dir, 3).Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, sqlite.File)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := readOnly(t, dir)
	if got := len(all(t, r, "t")); got != 3 {
		t.Errorf("got %d entries, want 3", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Errorf("the database was changed (%v)", err)
	}
}

func TestOpenReadOnlyRefusesMissingOrForeignFiles(t *testing.T) {
	var none *sqlite.NoneError
	if _, err := sqlite.OpenReadOnly(t.Context(), filepath.Join(t.TempDir(), "nowhere")); !errors.As(err, &none) {
		t.Errorf("nothing there: %v, want *NoneError", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, sqlite.File), []byte("no database at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	var corrupt *journal.CorruptError
	if _, err := sqlite.OpenReadOnly(t.Context(), dir); !errors.As(err, &corrupt) {
		t.Errorf("another file: %v, want *CorruptError", err)
	}
}

func TestABackupIsOneFileThatOpens(t *testing.T) {
	dir := t.TempDir()
	j := filled(t, dir, 20)
	to := filepath.Join(t.TempDir(), "far", "away")
	path, bytes, err := readOnly(t, dir).Backup(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || path != filepath.Join(to, sqlite.File) || info.Size() != bytes || info.Mode().Perm() != 0o600 {
		t.Errorf("%s of %d bytes: %v, %v", path, bytes, info, err)
	}
	if found, _ := os.ReadDir(to); len(found) != 1 {
		t.Errorf("beside the copy: %v", found)
	}
	copied, err := sqlite.Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if d := cmp.Diff(all(t, j, "t"), all(t, copied, "t")); d != "" {
		t.Errorf("copied (-want +got):\n%s", d)
	}
	if _, err := copied.Append(t.Context(), "t", 20, journal.Entry{Time: time.Unix(1, 0)}); err != nil {
		t.Error("the copy takes no entry:", err)
	}
	if got := len(all(t, j, "t")); got != 20 {
		t.Errorf("the journal has %d entries, want 20 as before", got)
	}
}

func TestBackupNeverOverwrites(t *testing.T) {
	dir, to := t.TempDir(), t.TempDir()
	filled(t, dir, 1)
	kept := filepath.Join(to, sqlite.File)
	if err := os.WriteFile(kept, []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	var taken *sqlite.TakenError
	if _, _, err := readOnly(t, dir).Backup(t.Context(), to); !errors.As(err, &taken) {
		t.Errorf("got %v, want *TakenError", err)
	}
	if _, _, err := readOnly(t, dir).Backup(t.Context(), dir); !errors.As(err, &taken) {
		t.Errorf("into its own folder: %v, want *TakenError", err)
	}
	if left, _ := os.ReadFile(kept); string(left) != "older" {
		t.Error("what was there was overwritten")
	}
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	filled(t, dir, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := readOnly(t, dir).Backup(ctx, to); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(to); !os.IsNotExist(err) {
		t.Errorf("something was left: %v", err)
	}
}

// While a process writes as fast as it can, each backup is a journal at one moment: complete
// appends, including all that were acknowledged before it began.
func TestConcurrentBackupsHoldAllAcknowledgedEntries(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir, 1).Close()
	w := startWriting(t, dir)
	defer w.kill()
	for round := range 3 {
		w.wait(t, 50*(round+1))
		before := w.acknowledged()
		to := filepath.Join(t.TempDir(), "copy")
		if _, _, err := readOnly(t, dir).Backup(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		copied, err := sqlite.Open(t.Context(), to)
		if err != nil {
			t.Fatal(err)
		}
		for i := range crashTables {
			table := fmt.Sprint("t", i)
			have := uint64(len(all(t, copied, table)))
			if have < before[table] || have%crashBatch != 0 {
				t.Errorf("round %d: %s has %d entries, %d were acknowledged before", round, table, have, before[table])
			}
		}
		copied.Close()
	}
}

// writing is the child of the crash test while it writes, with the appends that it has
// acknowledged.
type writing struct {
	child *exec.Cmd
	mu    sync.Mutex
	acked map[string]uint64
	n     int
	grown chan struct{}
}

func startWriting(t *testing.T, dir string) *writing {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &writing{child: exec.Command(self), acked: map[string]uint64{}, grown: make(chan struct{}, 1)}
	w.child.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := w.child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.child.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var word, table string
			var seq uint64
			if n, _ := fmt.Sscan(lines.Text(), &word, &table, &seq); n < 3 || word != "acknowledged" {
				continue
			}
			w.mu.Lock()
			w.acked[table], w.n = seq, w.n+1
			w.mu.Unlock()
			select {
			case w.grown <- struct{}{}:
			default:
			}
		}
	}()
	return w
}

func (w *writing) kill() {
	w.child.Process.Kill()
	w.child.Wait()
}

func (w *writing) acknowledged() map[string]uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.acked)
}

// wait waits for n acknowledged appends in all.
func (w *writing) wait(t *testing.T, n int) {
	t.Helper()
	for {
		w.mu.Lock()
		have := w.n
		w.mu.Unlock()
		if have >= n {
			return
		}
		select {
		case <-w.grown:
		case <-time.After(10 * time.Second):
			t.Fatalf("%d appends of %d", have, n)
		}
	}
}
