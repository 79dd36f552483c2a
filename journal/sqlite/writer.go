package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"norn/journal"
	"norn/journal/queue"
)

const writerParams = "mode=rw&_busy_timeout=5000&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_dqs=0" +
	"&_pragma=fullfsync(1)&_pragma=checkpoint_fullfsync(1)" + // on macOS a plain fsync stops at the disk's cache
	"&_pragma=journal_size_limit(67108864)"

// writer is the one goroutine that writes, and what it writes with.
type writer struct {
	path  string
	db    *sql.DB
	queue *queue.Queue
	done  chan struct{} // closed when the goroutine has ended
	s     *session      // nil after a failure, until the next transaction; the goroutine's own
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
	go w.run()
	return w, nil
}

// run is the goroutine.
func (w *writer) run() {
	defer close(w.done)
	w.queue.Run(func(batch []*queue.Request) error {
		if err := w.write(batch); err != nil {
			return failure(w.path, "append", err)
		}
		return nil
	})
}

// write puts a batch into one transaction and sets the refusals in it. On an
// error nothing of the batch is written.
func (w *writer) write(batch []*queue.Request) (err error) {
	ctx := context.Background() // a batch belongs to no single caller
	if w.s == nil {
		if w.s, err = openSession(ctx, w.db); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil { // closing the connection rolls back, in whatever state it is
			w.s.discard()
			w.s = nil
		}
	}()
	if _, err := w.s.begin.ExecContext(ctx); err != nil {
		return err
	}
	for _, r := range batch {
		if r.Err, err = w.s.add(ctx, r); err != nil {
			return err
		}
	}
	_, err = w.s.commit.ExecContext(ctx)
	return err
}

// stop drains the queue and ends the goroutine. The connection stays until its pool is closed.
func (w *writer) stop() error {
	w.queue.Close()
	<-w.done
	if w.s == nil {
		return nil
	}
	w.s.finalize()
	return w.s.conn.Close()
}

// session is the writer's connection and its prepared statements.
type session struct {
	conn  *sql.Conn
	stmts []*sql.Stmt // all of the following
	begin, commit,
	head, find, newTable, newEntry *sql.Stmt
}

func openSession(ctx context.Context, db *sql.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{conn: conn}
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
	if mode != "wal" { // SQLite stays with the old mode, without an error, where it can't share memory
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

// finalize closes the statements. SQLite keeps a closed connection, with its
// transaction and its locks, for as long as one of them is open.
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

// add judges one request and, if it stands, inserts its entries.
func (s *session) add(ctx context.Context, r *queue.Request) (refusal, err error) {
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
	var table, head int64
	err = s.head.QueryRowContext(ctx, r.Table).Scan(&table, &head)
	fresh := errors.Is(err, sql.ErrNoRows)
	if err != nil && !fresh {
		return nil, err
	}
	if uint64(head) != r.Expect {
		return &journal.ConflictError{Table: r.Table, Expected: r.Expect, Have: uint64(head)}, nil
	}
	if fresh {
		made, err := s.newTable.ExecContext(ctx, r.Table)
		if err != nil {
			return nil, err
		}
		if table, err = made.LastInsertId(); err != nil {
			return nil, err
		}
	}
	for _, e := range r.Entries {
		if _, err := s.newEntry.ExecContext(ctx, table, int64(e.Seq), e.Time.UnixMicro(), e.Seat, e.Move, e.Key, e.Body); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
