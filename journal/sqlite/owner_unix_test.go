//go:build !windows

package sqlite_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"norn/journal"
	"norn/journal/sqlite"
)

// Everything that is created in a folder belongs to the folder's owner, also if root creates it.
func TestFilesBelongToTheOwnerOfTheirFolder(t *testing.T) {
	dir := t.TempDir()
	owner := os.Geteuid()
	if owner == 0 {
		owner = 65534
		if err := os.Chown(dir, owner, owner); err != nil {
			t.Fatal(err)
		}
	}
	j, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append(t.Context(), "table", 0, journal.Entry{Time: time.Unix(1, 0), Body: []byte("1")}); err != nil {
		t.Fatal(err)
	}
	if err := j.KeepSnapshot(t.Context(), "table", []byte("1")); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		found := 0
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if by := info.Sys().(*syscall.Stat_t); int(by.Uid) != owner {
				t.Errorf("%s belongs to %d, want %d", path, by.Uid, owner)
			}
			found++
			return nil
		})
		if err != nil || found < 5 {
			t.Errorf("%d files: %v", found, err)
		}
	}
	check()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	only, err := sqlite.OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer only.Close()
	if _, _, err := only.Backup(t.Context(), filepath.Join(dir, "copy")); err != nil {
		t.Fatal(err)
	}
	check()
}
