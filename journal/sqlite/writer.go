package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"norn/internal/rescue"
	"norn/journal"
	"norn/journal/queue"
)

const writerParams = "mode=rw&_busy_timeout=5000&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_dqs=0" +
	"&_pragma=fullfsync(1)&_pragma=checkpoint_fullfsync(1)" + // on macOS a plain fsync only reaches the disk's cache
	"&_pragma=journal_size_limit(67108864)" +
	"&_pragma=secure_delete(1)" // what Delete and Blank remove is overwritten

// writer is the state of the goroutine that writes.
type writer struct {
	path  string
	db    *sql.DB
	queue *queue.Queue
	done  chan struct{} // closed when the goroutine ends
	s     *session      // nil after a failure, until the next transaction; used only by the goroutine

	position *os.File // the file that records how far the database is written
	told     position
	file     os.FileInfo // the database file as it was opened
	unswept  bool        // the log may have bytes that were deleted
}

// startWriter opens the database for writing and starts the goroutine.
func startWriter(ctx context.Context, path string) (*writer, error) {
	db, err := connect(path, writerParams)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	w := &writer{path: path, db: db, queue: queue.New(), done: make(chan struct{})}
	if w.s, err = openSession(ctx, db); err != nil {
		db.Close()
		return nil, failure(path, "open", err)
	}
	if err := w.tellFirst(ctx); err != nil {
		w.s.discard()
		db.Close()
		return nil, err
	}
	if w.file, err = os.Stat(path); err != nil {
		w.s.discard()
		db.Close()
		w.position.Close()
		return nil, fmt.Errorf("journal: %w", err)
	}
	go rescue.Wrap(nil, "journal", w.run)()
	return w, nil
}

// tellFirst records the position of the database before the first write.
func (w *writer) tellFirst(ctx context.Context) (err error) {
	if w.told, err = newest(ctx, w.s.conn, 0); err != nil {
		return failure(w.path, "open", err)
	}
	if w.position, err = openFile(beside(w.path, positionFile), os.O_RDWR); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := w.told.write(w.position); err != nil {
		w.position.Close()
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// tell records how far the database is written. If that fails, the old position stays valid, and
// the next batch tries again.
func (w *writer) tell() {
	now := w.s.newest
	now.Database = w.told.Database
	if now.Entries > w.told.Entries && now.write(w.position) == nil {
		w.told = now
	}
}

// run is the body of the goroutine.
func (w *writer) run() {
	defer close(w.done)
	w.queue.Run(func(batch []*queue.Request) error {
		err := rescue.Run(nil, "journal", func() error { return w.write(batch) })
		if err == nil {
			return nil
		}
		if _, broken := errors.AsType[*rescue.Error](err); broken && w.s != nil {
			w.s.discard() // its transaction may be open
			w.s = nil
		}
		return failure(w.path, "append", err)
	})
}

// write makes a batch durable and sets the refusals in it. It returns an error if the database was
// moved, before the commit or after: data in a file that nobody can open again isn't durable and
// mustn't be acknowledged.
func (w *writer) write(batch []*queue.Request) error {
	if err := w.inPlace(); err != nil {
		return err
	}
	if err := w.commit(batch); err != nil {
		return err
	}
	if err := w.inPlace(); err != nil {
		return err
	}
	w.tell()
	return nil
}

// inPlace checks that the database and its log are still the open files. Somebody may have removed
// or replaced them, which SQLite doesn't notice, because an open file survives its name.
func (w *writer) inPlace() error {
	if err := samePlace(w.path, w.file); err != nil || w.s == nil || w.s.log == nil {
		return err
	}
	return samePlace(w.path+"-wal", w.s.log)
}

func samePlace(path string, file os.FileInfo) error {
	now, err := os.Stat(path)
	switch {
	case err == nil && os.SameFile(now, file):
		return nil
	case err == nil || errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf(
			"%s was removed or replaced while norn has it open; put it back, or stop norn and start it again",
			path,
		)
	}
	return &journal.UnavailableError{Err: err, Unwritable: true}
}

// commit writes a batch in one transaction. On an error nothing of the batch is written.
func (w *writer) commit(batch []*queue.Request) (err error) {
	ctx := context.Background() // a batch belongs to no single caller
	if w.s == nil {
		if w.s, err = openSession(ctx, w.db); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil { // closing the connection rolls back its transaction
			w.s.discard()
			w.s = nil
		}
	}()
	if _, err := w.s.begin.ExecContext(ctx); err != nil {
		return err
	}
	for _, r := range batch {
		if r.Delete.IsZero() {
			r.Err, err = w.s.add(ctx, r)
		} else {
			r.Err, err = w.s.delete(ctx, r)
		}
		if err != nil {
			return err
		}
		w.unswept = w.unswept || r.Err == nil && r.Erases()
	}
	if _, err = w.s.commit.ExecContext(ctx); err != nil {
		return err
	}
	if w.unswept {
		w.sweep(ctx)
	}
	if w.s.log == nil { // it exists by now
		w.s.log, err = os.Stat(w.path + "-wal")
	}
	return err
}

// stop drains the queue and ends the goroutine. The connection stays open until its pool is closed.
func (w *writer) stop() error {
	w.queue.Close()
	<-w.done
	err := w.position.Close()
	if w.s == nil {
		return err
	}
	w.s.finalize()
	return errors.Join(err, w.s.conn.Close())
}

// session is the writer's connection and its prepared statements.
type session struct {
	conn  *sql.Conn
	stmts []*sql.Stmt // all of the following ones
	begin, commit,
	head, find, newTable, newEntry *sql.Stmt

	log    os.FileInfo     // the write-ahead log, from the first commit on
	newest position        // after the last entry added, without the database's identity
	heads  map[string]head // of tables that were written to; valid because nobody else writes
}

// head is a table's row and its last seq.
type head struct{ table, seq int64 }

// maxHeads bounds the cache of heads. When it's full, it is cleared.
const maxHeads = 50_000

func openSession(ctx context.Context, db *sql.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{conn: conn, heads: map[string]head{}}
	if err := s.prepare(ctx); err != nil {
		s.discard()
		return nil, err
	}
	return s, nil
}

func (s *session) prepare(ctx context.Context) error {
	var mode string
	if err := s.conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" { // without shared memory SQLite keeps the old mode and returns no error
		return fmt.Errorf("the file system can't hold SQLite's write-ahead log (mode %q)", mode)
	}
	for _, p := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&s.begin, `BEGIN IMMEDIATE`},
		{&s.commit, `COMMIT`},
		{&s.head, `SELECT id, coalesce((SELECT max(seq) FROM entries WHERE table_id = tables.id), 0) FROM tables WHERE name = ?`},
		{&s.find, findEntry},
		{&s.newTable, `INSERT INTO tables (name) VALUES (?)`},
		{&s.newEntry, `INSERT INTO entries (table_id, seq, at, seat, move, key, body) VALUES (?, ?, ?, ?, ?, ?, ?)`},
	} {
		stmt, err := s.conn.PrepareContext(ctx, p.text)
		if err != nil {
			return err
		}
		*p.stmt = stmt
		s.stmts = append(s.stmts, stmt)
	}
	return nil
}

// finalize closes the statements. Otherwise SQLite keeps a closed connection with its transaction
// and locks.
func (s *session) finalize() {
	for _, stmt := range s.stmts {
		stmt.Close()
	}
}

// discard closes the connection instead of giving it back to the pool.
func (s *session) discard() {
	s.finalize()
	s.conn.Raw(func(any) error { return driver.ErrBadConn }) // returns ErrBadConn
}

// add checks one request and, if it's valid, inserts its entries. A unique index detects repeated
// keys. The existing entry is looked up only if the index refuses a row, or if the request is
// refused anyway.
func (s *session) add(ctx context.Context, r *queue.Request) (refusal, err error) {
	now, err := s.headOf(ctx, r.Table)
	if err != nil {
		return nil, err
	}
	if uint64(now.seq) != r.Expect {
		if refusal, err = s.findByKey(ctx, r); refusal != nil || err != nil {
			return refusal, err
		}
		return &journal.ConflictError{Table: r.Table, Expected: r.Expect, Have: uint64(now.seq)}, nil
	}
	if len(r.Entries) > 1 { // check all before inserting the first, because inserted rows stay in the transaction
		if refusal, err = s.findByKey(ctx, r); refusal != nil || err != nil {
			return refusal, err
		}
	}
	if now.table == 0 {
		made, err := s.newTable.ExecContext(ctx, r.Table)
		if err != nil {
			return nil, err
		}
		if now.table, err = made.LastInsertId(); err != nil {
			return nil, err
		}
	}
	err = s.insert(ctx, now, r.Entries)
	if isDuplicate(err) {
		if refusal, err := s.findByKey(ctx, r); refusal != nil || err != nil {
			return refusal, err
		}
	}
	if err != nil || len(r.Blanked) == 0 {
		return nil, err
	}
	return nil, s.blank(ctx, now.table, r.Blanked)
}

// insert inserts entries of one table, whose head is now.
func (s *session) insert(ctx context.Context, now head, entries []journal.Entry) error {
	for _, e := range entries {
		made, err := s.newEntry.ExecContext(
			ctx,
			now.table,
			int64(e.Seq),
			e.Time.UnixMicro(),
			e.Seat,
			e.Move,
			e.Key,
			e.Body,
		)
		if err != nil {
			return err
		}
		now.seq = int64(e.Seq)
		id, err := made.LastInsertId()
		if err != nil {
			return err
		}
		s.newest = position{Entries: id, Table: e.Table, Seq: now.seq, At: e.Time.UnixMicro()}
	}
	if len(s.heads) >= maxHeads {
		clear(s.heads)
	}
	s.heads[entries[0].Table] = now
	return nil
}

// headOf returns a table's head, zero for a new table.
func (s *session) headOf(ctx context.Context, name string) (head, error) {
	if h, known := s.heads[name]; known {
		return h, nil
	}
	var h head
	err := s.head.QueryRowContext(ctx, name).Scan(&h.table, &h.seq)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return head{}, err
	}
	return h, nil
}

// findByKey returns the existing entry with a key of the request, as a refusal.
func (s *session) findByKey(ctx context.Context, r *queue.Request) (refusal, err error) {
	for _, e := range r.Entries {
		if e.Key == "" {
			continue
		}
		stands, err := scanEntry(r.Table, s.find.QueryRowContext(ctx, r.Table, e.Seat, e.Key))
		if err == nil {
			return &journal.DuplicateError{Entry: stands}, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
	}
	return nil, nil
}

// isDuplicate reports whether an index refused a row.
func isDuplicate(err error) bool {
	refused, ok := errors.AsType[*sqlite.Error](err)
	return ok && refused.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}
