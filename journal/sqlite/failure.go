package sqlite

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"norn/journal"
)

// failure converts an error of SQLite to one of package journal.
func failure(path, doing string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("journal: %s: %w", doing, err)
	}
	if errors.As(err, new(*journal.UnavailableError)) { // already converted
		return err
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("journal: %s: %w", doing, err)
	}
	switch e.Code() & 0xff { // the lowest byte of an extended code is the primary code
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return &journal.CorruptError{Path: path, Err: err}
	case sqlite3.SQLITE_FULL,
		sqlite3.SQLITE_READONLY,
		sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_PERM:
		return &journal.UnavailableError{Err: fmt.Errorf("%s: %w", path, e), Unwritable: true}
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM:
		return &journal.UnavailableError{Err: fmt.Errorf("%s: %w", path, e)}
	}
	return fmt.Errorf("journal: %s: %w", doing, err)
}

// full reports whether SQLite had no space to write.
func full(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == sqlite3.SQLITE_FULL || e.Code() == sqlite3.SQLITE_IOERR_WRITE)
}
