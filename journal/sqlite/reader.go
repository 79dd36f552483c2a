package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"sync"
	"time"

	"norn/journal"
)

const (
	readerParams   = "mode=rw&_busy_timeout=5000&_foreign_keys=1&_dqs=0&_query_only=1"
	readOnlyParams = "mode=ro&_busy_timeout=5000&_foreign_keys=1&_dqs=0"
)

// readerConns bounds the number of concurrent reads; others wait.
const readerConns = 8

const (
	columns   = `seq, at, seat, move, key, body`
	findEntry = `SELECT ` + columns + ` FROM entries
		WHERE table_id = (SELECT id FROM tables WHERE name = ?) AND seat = ? AND key = ? AND key <> ''`
	readEntries = `SELECT ` + columns + ` FROM entries
		WHERE table_id = (SELECT id FROM tables WHERE name = ?) AND seq > ? ORDER BY seq LIMIT ?`
	readMove = `SELECT ` + columns + ` FROM entries
		WHERE table_id = (SELECT id FROM tables WHERE name = ?) AND move = ? AND move <> ''`
	readIndexed = `SELECT entries.seq, at, seat, entries.move, key, body FROM moves CROSS JOIN entries
		ON entries.table_id = moves.table_id AND entries.seq = moves.seq
		WHERE moves.table_id = (SELECT id FROM tables WHERE name = ?) AND moves.move = ? AND moves.move <> '' ORDER BY moves.seq`
	listHeads = `SELECT tables.name, entries.seq, entries.at FROM tables JOIN entries
		ON entries.table_id = tables.id AND entries.seq = (SELECT max(seq) FROM entries WHERE table_id = tables.id)
		WHERE tables.name <> '' ORDER BY tables.name`
)

// reader is the pool of connections for reading.
type reader struct {
	path                    string
	db                      *sql.DB
	read, move, find, heads *sql.Stmt
	gate                    sync.RWMutex // read-locked while a read runs
	closed                  bool
}

func openReader(ctx context.Context, path, params string) (*reader, error) {
	db, err := connect(path, params)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readerConns)
	db.SetMaxIdleConns(readerConns)
	r := &reader{path: path, db: db}
	ofMove := readMove + ` ORDER BY seq`
	indexed, err := hasIndex(ctx, db)
	if err != nil {
		db.Close()
		return nil, failure(path, "open", err)
	}
	if indexed {
		ofMove = readIndexed
	}
	for _, p := range []struct {
		stmt **sql.Stmt
		text string
	}{{&r.read, readEntries}, {&r.move, ofMove}, {&r.find, findEntry}, {&r.heads, listHeads}} {
		if *p.stmt, err = db.PrepareContext(ctx, p.text); err != nil {
			db.Close()
			return nil, failure(path, "open", err)
		}
	}
	return r, nil
}

// stop waits for running reads and refuses new ones.
func (r *reader) stop() error {
	r.gate.Lock()
	defer r.gate.Unlock()
	r.closed = true
	return r.db.Close()
}

// enter opens the gate for one read, which ends it by r.gate.RUnlock.
func (r *reader) enter() error {
	r.gate.RLock()
	if r.closed {
		r.gate.RUnlock()
		return journal.ErrClosed
	}
	return nil
}

// failure returns the context's error for an interrupted read, since SQLite's error says only that
// it was interrupted.
func (r *reader) failure(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return failure(r.path, doing, err)
}

// Read implements journal.Journal.
func (j *Journal) Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	if err := journal.CheckLimit(limit); err != nil {
		return nil, err
	}
	if limit == 0 {
		limit = -1 // means all in SQLite
	}
	return j.reader.list(ctx, j.reader.read, table, int64(min(after, math.MaxInt64)), limit)
}

// ReadMove implements journal.Journal.
func (j *Journal) ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error) {
	return j.reader.list(ctx, j.reader.move, table, move)
}

func (r *reader) list(ctx context.Context, stmt *sql.Stmt, table string, args ...any) ([]journal.Entry, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.gate.RUnlock()
	rows, err := stmt.QueryContext(ctx, append([]any{table}, args...)...)
	if err != nil {
		return nil, r.failure(ctx, "read", err)
	}
	defer rows.Close()
	var entries []journal.Entry
	for rows.Next() {
		e, err := scanEntry(table, rows)
		if err != nil {
			return nil, r.failure(ctx, "read", err)
		}
		entries = append(entries, e)
	}
	if err := rows.Err(); err != nil {
		return nil, r.failure(ctx, "read", err)
	}
	return entries, nil
}

// Find implements journal.Journal.
func (j *Journal) Find(ctx context.Context, table, seat, key string) (journal.Entry, error) {
	r := j.reader
	if err := r.enter(); err != nil {
		return journal.Entry{}, err
	}
	defer r.gate.RUnlock()
	e, err := scanEntry(table, r.find.QueryRowContext(ctx, table, seat, key))
	if errors.Is(err, sql.ErrNoRows) {
		return journal.Entry{}, journal.ErrNotFound
	}
	if err != nil {
		return journal.Entry{}, r.failure(ctx, "find", err)
	}
	return e, nil
}

// Tables implements journal.Journal.
func (j *Journal) Tables(ctx context.Context) ([]journal.Head, error) {
	r := j.reader
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.gate.RUnlock()
	rows, err := r.heads.QueryContext(ctx)
	if err != nil {
		return nil, r.failure(ctx, "list tables", err)
	}
	defer rows.Close()
	var heads []journal.Head
	for rows.Next() {
		var h journal.Head
		var at int64
		if err := rows.Scan(&h.Table, &h.Seq, &at); err != nil {
			return nil, r.failure(ctx, "list tables", err)
		}
		h.Time = time.UnixMicro(at).UTC()
		heads = append(heads, h)
	}
	if err := rows.Err(); err != nil {
		return nil, r.failure(ctx, "list tables", err)
	}
	return heads, nil
}

// scanEntry reads the columns of one entry of a table.
func scanEntry(table string, row interface{ Scan(...any) error }) (journal.Entry, error) {
	e := journal.Entry{Table: table}
	var at int64
	if err := row.Scan(&e.Seq, &at, &e.Seat, &e.Move, &e.Key, &e.Body); err != nil {
		return journal.Entry{}, err
	}
	if e.Body == nil {
		e.Body = []byte{}
	}
	e.Time = time.UnixMicro(at).UTC()
	return e, nil
}
