package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"norn/journal"
	"norn/journal/schema"
)

// ReadOnly is a journal for reading. Another norn may have it open and write to it: SQLite
// separates readers from the writer. It takes no lock of norn's and changes nothing in the
// database.
type ReadOnly struct {
	journal *Journal
	missing *journal.MissingError
}

// OpenReadOnly opens the journal in dir for reading. A directory without one is a *NoneError; other
// errors are those of Open except *journal.LockedError. A journal that lacks entries can be read:
// see Missing.
func OpenReadOnly(ctx context.Context, dir string) (*ReadOnly, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	path := filepath.Join(dir, File)
	know, err := schema.Newest(migrations())
	if err != nil {
		return nil, err
	}
	known, err := readPosition(beside(path, positionFile)) // before the database, which may be written to meanwhile
	if err != nil && !errors.Is(err, errPosition) {
		return nil, err
	}
	have, err := inspect(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && known != nil && known.Entries > 0:
		return nil, known.missing(path, 0)
	case errors.Is(err, fs.ErrNotExist):
		return nil, &NoneError{Path: path}
	case err != nil:
		return nil, err
	case have > know:
		return nil, &journal.NewerError{Path: path, Have: have, Know: know, Before: newestCopy(path, have, know)}
	}
	r, err := openReader(ctx, path, readOnlyParams)
	var gone *journal.UnavailableError
	if errors.As(err, &gone) && gone.Unwritable && !exists(path+"-wal") {
		// The folder isn't writable for SQLite's index of the log. So nobody is writing, and
		// without a log the file is complete.
		r, err = openReader(ctx, path, readOnlyParams+"&immutable=1")
	}
	if err != nil {
		return nil, err
	}
	only := &ReadOnly{journal: &Journal{path: path, reader: r}}
	if known != nil {
		err = only.compare(ctx, known)
	}
	if err != nil {
		return nil, errors.Join(err, only.Close())
	}
	return only, nil
}

// compare checks for missing entries if the record belongs to this database.
func (r *ReadOnly) compare(ctx context.Context, known *position) error {
	path, db := r.journal.path, r.journal.reader.db
	id, err := identity(ctx, db)
	if err == nil && id != known.Database {
		return nil
	}
	if err == nil {
		err = known.within(ctx, db, path)
	} else {
		err = failure(path, "look", err)
	}
	var corrupt *journal.CorruptError
	if errors.As(err, &r.missing) || errors.As(err, &corrupt) { // what isn't damaged can still be read
		return nil
	}
	return err
}

// Missing returns the acknowledged entries that the journal lacks, or nil.
func (r *ReadOnly) Missing() *journal.MissingError { return r.missing }

// NoneError reports that there is no journal to read.
type NoneError struct{ Path string }

func (e *NoneError) Error() string { return "journal: there is no " + e.Path }

// Read implements the method of journal.Journal.
func (r *ReadOnly) Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	return r.journal.Read(ctx, table, after, limit)
}

// ReadMove implements the method of journal.Journal. It is slow in a database without an index of
// moves, which only a current norn creates.
func (r *ReadOnly) ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error) {
	return r.journal.ReadMove(ctx, table, move)
}

// Tables implements the method of journal.Journal.
func (r *ReadOnly) Tables(ctx context.Context) ([]journal.Head, error) { return r.journal.Tables(ctx) }

// Close releases the database.
func (r *ReadOnly) Close() error { return r.journal.reader.stop() }

// Backup copies the journal into another directory, which is created if it's missing and must
// otherwise be empty. The copy is the journal at one moment, even during writes. It's on the disk
// when Backup returns, and norn can be started on it. It has a new identity, so that it may replace
// its source. Backup returns the copy's path and size.
//
// A directory that isn't empty is a *TakenError; a *os.PathError names a file that can't be
// written, as on a full disk. After any error Backup removes what it wrote.
func (r *ReadOnly) Backup(ctx context.Context, dir string) (path string, bytes int64, err error) {
	source := r.journal.reader
	if err := source.enter(); err != nil {
		return "", 0, err
	}
	defer source.gate.RUnlock()
	return duplicate(dir, func(draft string) error {
		if _, err := source.db.ExecContext(ctx, "VACUUM INTO ?", draft); err != nil {
			if full(err) { // the target's disk is full: the journal itself is only read
				return err
			}
			return source.failure(ctx, "back up", err)
		}
		return stamp(ctx, draft)
	})
}

// noRoom returns the error that a file's disk is full.
func noRoom(path string) error {
	err := &os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
	return &journal.UnavailableError{Err: err, Unwritable: true}
}

// TakenError reports that the directory for a backup isn't empty. It was not changed.
type TakenError struct{ Path string }

func (e *TakenError) Error() string { return "journal: " + e.Path + " is not empty" }

// makeEmpty ensures that there is an empty directory, and reports whether it created it.
func makeEmpty(dir string) (made bool, err error) {
	found, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := errors.Join(os.MkdirAll(dir, 0o700), adopt(dir)); err != nil {
			return false, fmt.Errorf("journal: %w", err)
		}
		return true, nil
	case err != nil:
		return false, fmt.Errorf("journal: %w", err)
	case len(found) > 0:
		return false, &TakenError{Path: dir}
	}
	return false, nil
}
