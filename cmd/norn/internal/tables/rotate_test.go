package tables

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"norn/journal/sqlite"
)

// A backup every night for 60 days, and one by hand at noon: what is left is the newest of each of
// seven days, and of each of the four newest weeks.
func TestRotationKeepsSevenDaysAndFourWeeks(t *testing.T) {
	dir := t.TempDir()
	write := func(at time.Time) {
		folder := filepath.Join(dir, at.Format(dateLayout))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, sqlite.File), []byte("norn"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := removeExpired(dir); err != nil {
			t.Fatal(err)
		}
	}
	first := time.Date(2026, 10, 1, 3, 15, 0, 0, time.UTC) // a Thursday
	var last time.Time
	for day := range 60 {
		last = first.AddDate(0, 0, day)
		write(last)
	}
	write(last.Add(9 * time.Hour)) // 2026-11-29, a Sunday
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2026-11-08T0315", "2026-11-15T0315", "2026-11-22T0315", // Sundays, the last days of their weeks
		"2026-11-23T0315", "2026-11-24T0315", "2026-11-25T0315", "2026-11-26T0315", "2026-11-27T0315", "2026-11-28T0315",
		"2026-11-29T1215",
	}
	var have []string
	for _, f := range found {
		have = append(have, f.Name())
	}
	if len(have) != len(want) {
		t.Fatalf("left are %v, want %v", have, want)
	}
	for i := range want {
		if have[i] != want[i] {
			t.Errorf("left are %v, want %v", have, want)
			break
		}
	}
}

func TestRotationLeavesWhatIsNoBackup(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{
		"2026-01-01T0000/norn.db", "2026-01-01T0000/notes.txt", "friends/norn.db", "2026-01-02",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for day := range 40 {
		folder := filepath.Join(dir, time.Date(2026, 2, 1+day, 0, 0, 0, 0, time.UTC).Format(dateLayout))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, sqlite.File), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeExpired(dir); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"2026-01-01T0000/norn.db", "2026-01-01T0000/notes.txt", "friends/norn.db", "2026-01-02"} {
		if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
			t.Error(err)
		}
	}
}
