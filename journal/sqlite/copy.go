package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"norn/journal"
)

// duplicate creates a directory with a complete database, which write writes into an empty file. It
// returns its path and size. A directory that isn't empty is a *TakenError. After an error it
// removes what it wrote.
func duplicate(dir string, write func(draft string) error) (path string, bytes int64, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", 0, fmt.Errorf("journal: %w", err)
	}
	made, err := makeEmpty(dir)
	if err != nil {
		return "", 0, err
	}
	draft, path := filepath.Join(dir, File+".part"), filepath.Join(dir, File)
	defer func() {
		if err != nil {
			os.Remove(draft)
			os.Remove(draft + "-journal")
			if made {
				os.Remove(dir)
			}
		}
	}()
	// SQLite writes into an existing empty file and keeps its mode.
	f, err := openFile(draft, os.O_EXCL|os.O_WRONLY)
	if err != nil {
		return "", 0, fmt.Errorf("journal: %w", err)
	}
	defer f.Close()
	if err := write(draft); full(err) {
		return "", 0, noRoom(path)
	} else if err != nil {
		return "", 0, err
	}
	if err := f.Sync(); err != nil { // SQLite doesn't
		return "", 0, &journal.UnavailableError{Err: err}
	}
	info, err := f.Stat()
	if err != nil {
		return "", 0, fmt.Errorf("journal: %w", err)
	}
	if err := os.Rename(draft, path); err != nil {
		return "", 0, fmt.Errorf("journal: %w", err)
	}
	if err := errors.Join(syncDir(dir), syncDir(filepath.Dir(dir))); err != nil {
		return "", 0, err
	}
	return path, info.Size(), nil
}

// keep copies a database, before it is migrated to a newer schema, into a folder next to it that an
// older norn can open.
func keep(ctx context.Context, path string, newest int) error {
	db, err := connect(path, rollbackParams)
	if err != nil {
		return err
	}
	defer db.Close()
	for n := 1; ; n++ {
		_, _, err := duplicate(before(path, newest, n), func(draft string) error {
			_, err := db.ExecContext(ctx, "VACUUM INTO ?", draft)
			if err == nil || full(err) {
				return err
			}
			return failure(path, "copy before the update", err)
		})
		if _, taken := errors.AsType[*TakenError](err); !taken { // an older copy occupies the name and stays
			return err
		}
	}
}

// before returns the nth folder for copies made before the update to a schema version.
func before(path string, schema, n int) string {
	if n == 1 {
		return beside(path, fmt.Sprintf("before-version-%d", schema))
	}
	return beside(path, fmt.Sprintf("before-version-%d.%d", schema, n))
}

// newestCopy returns the newest folder with a copy that this norn, which knows schemas up to know,
// can open; "" for none. have is the schema of the database.
func newestCopy(path string, have, know int) string {
	for schema := know + 1; schema <= have; schema++ {
		folder := ""
		for n := 1; exists(filepath.Join(before(path, schema, n), File)); n++ {
			folder = before(path, schema, n)
		}
		if version, err := inspect(filepath.Join(folder, File)); folder != "" && err == nil && version <= know {
			return folder
		}
	}
	return ""
}

// Copies returns the folders with copies of the database in dir that were made before updates.
func Copies(dir string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, "before-version-*")) // the pattern is valid
	return found
}
