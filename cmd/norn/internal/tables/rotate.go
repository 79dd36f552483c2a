package tables

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"norn/journal/sqlite"
)

// dateLayout names the folder of a dated backup, such as 2026-11-28T0315.
const dateLayout = "2006-01-02T1504"

// What backup --rotate keeps: the newest backup of each of so many days and weeks.
const (
	keptDays  = 7
	keptWeeks = 4
)

// expired returns the backups that may be removed: all but the newest one of each of the
// last days, and of each of the last weeks, that have any.
func expired(backups []time.Time, days, weeks int) (old []time.Time) {
	newestFirst := slices.SortedFunc(slices.Values(backups), func(a, b time.Time) int { return b.Compare(a) })
	seenDays, seenWeeks := map[string]bool{}, map[string]bool{}
	for _, at := range newestFirst {
		year, week := at.ISOWeek()
		keep := claim(seenDays, at.Format(time.DateOnly), days)
		if claim(seenWeeks, fmt.Sprint(year, week), weeks) || keep {
			continue
		}
		old = append(old, at)
	}
	return old
}

// claim reports whether a period has no backup yet and is one of the first so many.
func claim(seen map[string]bool, period string, most int) bool {
	if seen[period] || len(seen) == most {
		return false
	}
	seen[period] = true
	return true
}

// removeExpired removes the expired backups from dir. It touches only folders with the name of a date,
// and in them only the database: a folder with anything else stays.
func removeExpired(dir string) error {
	found, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var backups []time.Time
	for _, f := range found {
		at, err := time.Parse(dateLayout, f.Name())
		if err == nil && f.IsDir() {
			backups = append(backups, at)
		}
	}
	for _, at := range expired(backups, keptDays, keptWeeks) {
		folder := filepath.Join(dir, at.Format(dateLayout))
		inside, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		if len(inside) != 1 || inside[0].Name() != sqlite.File {
			continue
		}
		if err := errors.Join(os.Remove(filepath.Join(folder, sqlite.File)), os.Remove(folder)); err != nil {
			return err
		}
	}
	return nil
}
