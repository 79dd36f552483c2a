package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"norn/journal"
)

// If a database is moved away while its journal is open, appends must fail, since nobody could open
// what they write. When it's moved back, they work again.
func TestAppendFailsWhileTheDatabaseIsMovedAway(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file can't be moved there")
	}
	for name, c := range map[string]struct {
		file string
		then func(path, away string) error
	}{
		"the database is removed":  {File, os.Rename},
		"the database is replaced": {File, replaced},
		"an empty file is there": {File, func(path, away string) error {
			return errors.Join(os.Rename(path, away), os.WriteFile(path, nil, 0o600))
		}},
		"the log is removed":  {File + "-wal", os.Rename},
		"the log is replaced": {File + "-wal", replaced},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			j := mustOpen(t, dir)
			mustAppend(t, j, "t", 0, journal.Entry{Time: noon})
			path, away := filepath.Join(dir, c.file), filepath.Join(t.TempDir(), "away")
			if err := c.then(path, away); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				_, err := j.Append(context.Background(), "t", 1, journal.Entry{Time: noon, Body: []byte("{}")})
				if gone, ok := errors.AsType[*journal.UnavailableError](err); !ok || !gone.Unwritable {
					t.Fatalf("an append: %v", err)
				}
			}
			if read, err := j.Read(context.Background(), "t", 0, 0); err != nil || len(read) != 1 {
				t.Errorf("reads %d entries, %v", len(read), err)
			}
			if err := os.Rename(away, path); err != nil {
				t.Fatal(err)
			}
			mustAppend(t, j, "t", 1, journal.Entry{Time: noon})
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			again := mustOpen(t, dir)
			if read, err := again.Read(context.Background(), "t", 0, 0); err != nil || len(read) != 2 {
				t.Errorf("opened again it has %d entries, %v", len(read), err)
			}
		})
	}
}

// replaced replaces a file by a copy.
func replaced(path, away string) error {
	data, err := os.ReadFile(path)
	return errors.Join(err, os.Rename(path, away), os.WriteFile(path, data, 0o600))
}
