package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"norn/journal"
	"norn/journal/schema"
)

// Accept accepts the loss of the missing entries of the journal in dir and returns them, or nil if
// nothing is missing. Open succeeds afterwards. It preserves the write-ahead log in the file kept.
// Other errors are those of Open, and *NoneError.
func Accept(ctx context.Context, dir string) (given *journal.MissingError, kept string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, "", fmt.Errorf("journal: %w", err)
	}
	path := filepath.Join(dir, File)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, "", &NoneError{Path: path}
	}
	know, err := schema.Newest(migrations())
	if err != nil {
		return nil, "", err
	}
	lock, err := acquire(path)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	_, err = judge(ctx, path, lock.marked, know)
	if !errors.As(err, &given) {
		return nil, "", err
	}
	if exists(path + "-wal") {
		if kept, err = setAside(path + "-wal"); err != nil {
			return nil, "", err
		}
	}
	if err := os.Remove(beside(path, positionFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("journal: %w", err)
	}
	if err := lock.mark(false); err != nil {
		return nil, "", fmt.Errorf("journal: %w", err)
	}
	return given, kept, nil
}

// setAside copies a file to a new name.
func setAside(path string) (to string, err error) {
	from, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("journal: %w", err)
	}
	defer from.Close()
	var f *os.File
	for n := 1; f == nil; n++ {
		to = path + "." + strconv.Itoa(n)
		if f, err = openFile(to, os.O_EXCL|os.O_WRONLY); err != nil &&
			!errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("journal: %w", err)
		}
	}
	_, err = io.Copy(f, from)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("journal: %w", err), os.Remove(to))
	}
	return to, nil
}
