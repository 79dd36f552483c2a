// Package sqlite keeps a journal in one SQLite file, DIR/norn.db. It is the store of a norn that
// runs as one process.
//
// Promised, beyond the contract of package journal:
//
//   - An Append that returns a context's error has written nothing. While it
//     waits in the queue a context takes it out; once the writer has begun on
//     it, Append waits for the outcome, which is one commit away.
//   - One norn at a time: DIR and DIR/norn.lock are held from Open to Close, by the
//     operating system, so that it falls with the process. A second Open, in
//     this process or another, gets a *journal.LockedError, even when somebody has removed norn.lock.
//   - What was acknowledged is missed: DIR/norn.position says how many entries
//     there were, and Open refuses a database that has fewer, whatever became of it
//     or its log, with *journal.MissingError. Accept goes on with what is left. A
//     database with another identity, as Backup gives it, was put there on purpose: see Past.
//   - A file that isn't SQLite, isn't norn's, is cut off, or is of a newer norn
//     is refused by its header, before SQLite sees it: not a byte of it
//     changes and nothing is left beside it but the lock.
//
// # Writing
//
// Open starts one goroutine, the writer; Close ends it. Appends wait in a queue. The writer takes
// all that wait, up to a bound, and puts them into one transaction, so that many tables share the
// cost of making things durable. Inside the transaction each append is judged by itself, in the
// order of arrival, and sees those before it; a conflict or a duplicate fails that one alone. All
// are answered after the commit, the refused too: what they were refused for is durable by then. If
// the transaction fails, all its appends get that error, the connection is given up and the next
// transaction starts on a fresh one, so the journal goes on by itself when a full disk has room
// again. Close lets no new append into the queue, and the writer ends when the queue is empty.
//
// Readers have connections of their own and never wait for the writer.
//
// Snapshots stand in a file of their own, DIR/norn.snapshots, so that no commit waits for them and
// no backup has them. It isn't synced; damaged, it's made anew.
//
// # The file
//
// The file is in WAL mode with synchronous=FULL: a commit is on the disk before it is told.
// Migrations run in rollback mode instead, and a new database is made whole under another name and
// then renamed, so that the file's own header always tells whose it is and of which version, even
// after a crash. A file of up to 64 MiB is checked page by page at Open, which takes about a tenth
// of a second; a larger one is not, and damage in it shows as *journal.CorruptError when the page
// is used. Triggers keep other programs from changing or removing entries. Copy the file only while
// norn is stopped, or by ReadOnly.Backup.
//
// The package imports the contract, its queue, SQLite's driver and goose; nothing else of norn.
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

	past    Past
	entries uint64 // when it was opened
}

var _ journal.Journal = (*Journal)(nil)

// Open opens the journal in dir; a missing directory or database is made. It returns
// *journal.LockedError, *journal.NewerError, *journal.CorruptError, *journal.MissingError,
// *journal.UnavailableError or an error of the file system. The context bounds Open alone. Of an
// index that it makes it tells those who ask; killed meanwhile, the next one goes on with it.
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
	if err := lock.mark(false); err != nil { // from here on the log may go, into the database
		return nil, fmt.Errorf("journal: %w", err)
	}
	if err := found.settle(ctx, path, steps); err != nil {
		return nil, err
	}
	if found.version > 0 { // a new one has nothing in it
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
	if err := lock.mark(true); err != nil { // the writer has made the log
		return nil, errors.Join(fmt.Errorf("journal: %w", err), j.Close())
	}
	return j, nil
}

// Past returns what Open found about the entries that were acknowledged before, and how many
// entries there were.
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
	// Closing the last connection removes the log when all of it is in the
	// database. A crash just then mustn't leave the mark behind.
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
