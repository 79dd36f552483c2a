// Package sqlite stores a journal in one SQLite file, DIR/norn.db. It is the store of a norn that
// runs as one process.
//
// Guarantees in addition to those of package journal:
//
//   - An Append that returns a context's error has written nothing. The context can remove
//     it from the queue; once the writer has started on it, Append waits for the outcome,
//     which is one commit away.
//   - One norn at a time: DIR and DIR/norn.lock are locked from Open to Close by the
//     operating system, which releases the locks when the process ends. A second Open, in
//     this process or another, gets a *journal.LockedError, even if norn.lock was removed.
//   - Lost entries are noticed: DIR/norn.position records the number of acknowledged entries,
//     and Open refuses a database that has fewer, for any reason, with
//     *journal.MissingError. Accept continues with what is left. A database with another
//     identity, as Backup creates it, was put there on purpose: see Past.
//   - A file that isn't SQLite, isn't norn's, is cut off, or belongs to a newer norn is
//     refused by its header, before SQLite opens it: it isn't changed, and no other files
//     but the lock are created.
//
// # Writing
//
// Open starts one goroutine, the writer; Close ends it. Appends wait in a queue. The writer takes
// all that wait, up to a limit, and puts them into one transaction, so that many tables share the
// cost of making it durable. Inside the transaction each append is checked by itself, in order of
// arrival, and sees those before it; a conflict or a duplicate fails only that one. All are
// answered after the commit, including the refused ones, because what they were refused for is
// durable only then. If the transaction fails, all its appends get that error, the connection is
// closed and the next transaction starts on a new one, so the journal recovers by itself when a
// full disk has space again. Close makes the queue refuse new appends, and the writer ends when the
// queue is empty.
//
// Readers have their own connections and never wait for the writer.
//
// Delete and Blank overwrite what they remove, in the database (secure_delete) and in its
// write-ahead log, which is emptied afterwards; if somebody reads at that moment, after a later
// write or by Close. DIR/norn.deleted names the deleted tables, so that Restored recognises a backup
// from before. A deleted table leaves its number of entries and an entry that belongs to no table:
// what the position counts never falls.
//
// Snapshots are in a separate file, DIR/norn.snapshots, so that no commit waits for them and no
// backup contains them. It isn't synced; if it's damaged, it's created again.
//
// # The file
//
// The file is in WAL mode with synchronous=FULL: a commit is on the disk before it is acknowledged.
// Migrations run in rollback mode instead, and a new database is created under another name and
// then renamed, so that the file's header always shows its owner and version, even after a crash. A
// file of up to 64 MiB is checked page by page at Open, which takes about a tenth of a second; a
// larger one isn't, and damage in it appears as *journal.CorruptError when the page is used.
// Triggers prevent other programs from changing or removing entries. Copy the file only while norn
// is stopped, or by ReadOnly.Backup.
//
// The package imports journal, its queue, SQLite's driver and goose; nothing else of norn.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"norn/journal"
	"norn/journal/schema"
)

// File is the name of the database in its directory.
const File = "norn.db"

// Journal is an open journal. It implements journal.Journal.
type Journal struct {
	path   string
	lock   *lock
	writer *writer
	reader *reader
	close  func() error

	snapshots snapshots
	noting    sync.Mutex // held while the file of deletions is written

	past    Past
	entries uint64 // number at Open
}

var _ journal.Journal = (*Journal)(nil)

// Open opens the journal in dir; a missing directory or database is created. It returns
// *journal.LockedError, *journal.NewerError, *journal.CorruptError, *journal.MissingError,
// *journal.UnavailableError or an error of the file system. The context bounds only Open. The
// progress of building an index is passed to told; if it's interrupted, the next Open continues.
func Open(ctx context.Context, dir string, told ...Progress) (*Journal, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	path := filepath.Join(dir, File)
	lock, err := acquire(path)
	if err != nil {
		return nil, err
	}
	j, err := open(ctx, path, lock, func(done, of int64) {
		for _, tell := range told {
			tell(done, of)
		}
	})
	if err != nil {
		return nil, errors.Join(err, lock.release())
	}
	return j, nil
}

func open(ctx context.Context, path string, lock *lock, told Progress) (*Journal, error) {
	steps := migrations()
	know, err := schema.Newest(steps)
	if err != nil {
		return nil, err
	}
	found, err := judge(ctx, path, lock.marked, know)
	if err != nil {
		return nil, err
	}
	if err := lock.mark(false); err != nil { // from here on the log may be merged into the database
		return nil, fmt.Errorf("journal: %w", err)
	}
	if err := found.settle(ctx, path, steps); err != nil {
		return nil, err
	}
	if found.version > 0 { // a new one has no entries
		if err := index(ctx, path, told); err != nil {
			return nil, err
		}
	}
	w, err := startWriter(ctx, path)
	if err != nil {
		return nil, err
	}
	r, err := openReader(ctx, path, readerParams)
	if err != nil {
		w.stop()
		return nil, err
	}
	j := &Journal{
		path:      path,
		lock:      lock,
		writer:    w,
		reader:    r,
		snapshots: snapshots{path: beside(path, snapshotFile)},
		past:      found.past,
		entries:   uint64(w.told.Entries),
	}
	j.close = sync.OnceValue(j.shut)
	if err := lock.mark(true); err != nil { // the writer has created the log
		return nil, errors.Join(fmt.Errorf("journal: %w", err), j.Close())
	}
	if err := j.noteDeletions(ctx); err != nil { // a crash may have prevented that
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// Past returns the result of comparing the database with the record of what was acknowledged, and
// the number of entries at Open.
func (j *Journal) Past() (past Past, entries uint64) { return j.past, j.entries }

// Append implements journal.Journal.
func (j *Journal) Append(
	ctx context.Context,
	table string,
	expect uint64,
	entries ...journal.Entry,
) ([]journal.Entry, error) {
	return j.writer.queue.Append(ctx, table, expect, entries)
}

// Close implements journal.Journal.
func (j *Journal) Close() error { return j.close() }

// shut stops the writer before the readers, and releases the lock when this process can't touch the
// file any more.
func (j *Journal) shut() error {
	err := j.writer.stop()
	j.snapshots.stop()
	if e := j.reader.stop(); err == nil {
		err = e
	}
	// Closing the last connection removes the log when all of it is in the database. A crash at
	// this moment mustn't leave the mark behind.
	var busy, frames, moved int
	row := j.writer.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
	emptied := row.Scan(&busy, &frames, &moved) == nil && busy == 0
	if emptied {
		err = errors.Join(err, j.lock.mark(false))
	}
	if e := j.writer.db.Close(); err == nil {
		err = e
	}
	if _, e := os.Stat(j.path + "-wal"); !emptied && errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, j.lock.mark(false))
	}
	if e := j.lock.release(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("journal: close: %w", err)
	}
	return nil
}

// connect opens a pool of connections to an existing database.
func connect(path, params string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", uri(path, params))
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return db, nil
}
