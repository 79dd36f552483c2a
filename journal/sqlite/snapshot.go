package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"sync"

	"norn/journal"
)

// snapshotFile is the file of snapshots next to the database. It can be lost without harm.
const snapshotFile = "norn.snapshots"

// snapshotParams let the system choose when to write to the disk. A kill loses nothing; a power cut
// may.
const snapshotParams = "mode=rw&_busy_timeout=5000&_journal_mode=WAL&_synchronous=OFF&_dqs=0&_pragma=secure_delete(1)"

// snapshotVersion marks a file in which older snapshots were always overwritten. Another is removed.
const snapshotVersion = 1

// snapshots is the file of snapshots, opened when it's first used.
type snapshots struct {
	path   string
	mu     sync.Mutex
	db     *sql.DB
	closed bool
}

// open returns the database, which it creates if there is none.
func (s *snapshots) open(ctx context.Context) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, journal.ErrClosed
	}
	if s.db != nil {
		return s.db, nil
	}
	f, err := openFile(s.path, os.O_WRONLY)
	if err != nil {
		return nil, &journal.UnavailableError{Err: err, Unwritable: true}
	}
	f.Close()
	db, err := connect(s.path, snapshotParams)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2)
	db.SetMaxIdleConns(2)
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		db.Close()
		return nil, s.wrapError(ctx, err)
	}
	if version < snapshotVersion {
		for _, step := range []string{"DROP TABLE IF EXISTS snapshots", "VACUUM"} {
			if _, err := db.ExecContext(ctx, step); err != nil {
				db.Close()
				return nil, s.wrapError(ctx, err)
			}
		}
	}
	if _, err := db.ExecContext(ctx,
		`CREATE TABLE IF NOT EXISTS snapshots (name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
		PRAGMA user_version = 1`); err != nil {
		db.Close()
		return nil, s.wrapError(ctx, err)
	}
	s.db = db
	return db, nil
}

// stop closes the file. Later calls return that the journal is closed.
func (s *snapshots) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.db != nil {
		s.db.Close()
		s.db = nil
	}
}

// wrapError converts an error. It removes a damaged file, so that the next call creates a new one.
func (s *snapshots) wrapError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	err = failure(s.path, "snapshot", err)
	if corrupt := (*journal.CorruptError)(nil); errors.As(err, &corrupt) {
		for _, name := range []string{s.path, s.path + "-wal", s.path + "-shm"} {
			if e := os.Remove(name); e != nil && !errors.Is(e, fs.ErrNotExist) {
				return err
			}
		}
		return &journal.UnavailableError{Err: err}
	}
	return err
}

// forget is wrapError for a caller that has the database open.
func (s *snapshots) forget(ctx context.Context, db *sql.DB, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return journal.ErrClosed
	}
	err = s.wrapError(ctx, err)
	if s.db == db && errors.As(err, new(*journal.UnavailableError)) {
		s.db.Close()
		s.db = nil
	}
	return err
}

// Snapshot implements journal.Snapshots.
func (j *Journal) Snapshot(ctx context.Context, table string) (data []byte, err error) {
	db, err := j.snapshots.open(ctx)
	if err != nil {
		return nil, err
	}
	err = db.QueryRowContext(ctx, `SELECT data FROM snapshots WHERE name = ?`, table).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, journal.ErrNotFound
	}
	if err != nil {
		return nil, j.snapshots.forget(ctx, db, err)
	}
	return data, nil
}

// KeepSnapshot implements journal.Snapshots.
func (j *Journal) KeepSnapshot(ctx context.Context, table string, data []byte) error {
	db, err := j.snapshots.open(ctx)
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx,
		`INSERT INTO snapshots (name, data) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET data = excluded.data`, table,
		data); err != nil {
		return j.snapshots.forget(ctx, db, err)
	}
	return nil
}
