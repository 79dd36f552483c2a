package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Companions returns the paths of the files that norn keeps next to the database in dir.
func Companions(dir string) []string {
	return []string{
		filepath.Join(dir, lockFile),
		filepath.Join(dir, positionFile),
		filepath.Join(dir, snapshotFile),
		filepath.Join(dir, deletedFile),
	}
}

// openFile opens a file next to a database, and creates it, for the folder's owner alone, if there
// is none.
func openFile(path string, flags int) (*os.File, error) {
	_, err := os.Stat(path)
	missing := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(path, flags|os.O_CREATE, 0o600)
	if err != nil || !missing {
		return f, err
	}
	if err := adopt(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
