package postgres

import (
	"context"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"norn/journal"
)

const (
	columns     = `table_id, seq, at, seat, move, key, body`
	readEntries = `SELECT ` + columns + ` FROM entries WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`
	findEntry   = `SELECT ` + columns + ` FROM entries WHERE table_id = $1 AND seat = $2 AND key = $3 AND key <> ''`
	listHeads   = `SELECT id, head, at FROM tables ORDER BY id`
)

// reader is the pool of connections that read.
type reader struct {
	place  string
	pool   *pgxpool.Pool
	gate   sync.RWMutex // held for reading while a read runs
	closed bool
}

// stop waits for the reads that run and lets no new ones in.
func (r *reader) stop() {
	r.gate.Lock()
	defer r.gate.Unlock()
	r.closed = true
	r.pool.Close()
}

// enter opens the gate for one read; leave it by r.gate.RUnlock.
func (r *reader) enter() error {
	r.gate.RLock()
	if r.closed {
		r.gate.RUnlock()
		return journal.ErrClosed
	}
	return nil
}

// Read implements journal.Journal.
func (j *Journal) Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	if limit < 0 {
		return nil, &journal.InvalidError{Field: "limit", Problem: "is " + strconv.Itoa(limit) + "; 0 or more is allowed"}
	}
	var most *int // none means all
	if limit > 0 {
		most = &limit
	}
	return list(ctx, j.reader, "read", scanEntry, readEntries, storable(table), int64(min(after, math.MaxInt64)), most)
}

// Find implements journal.Journal.
func (j *Journal) Find(ctx context.Context, table, seat, key string) (journal.Entry, error) {
	found, err := list(ctx, j.reader, "find", scanEntry, findEntry, storable(table), storable(seat), storable(key))
	if err != nil {
		return journal.Entry{}, err
	}
	if len(found) == 0 {
		return journal.Entry{}, journal.ErrNotFound
	}
	return found[0], nil
}

// Tables implements journal.Journal.
func (j *Journal) Tables(ctx context.Context) ([]journal.Head, error) {
	return list(ctx, j.reader, "list tables", scanHead, listHeads)
}

// list runs a query and scans all of its rows. Where the connection is lost it
// asks once more, on a new one: after a restart of the server all that the pool
// holds are dead.
func list[T any](ctx context.Context, r *reader, doing string, scan func(pgx.CollectableRow) (T, error), query string, args ...any) ([]T, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.gate.RUnlock()
	ask := func() ([]T, error) {
		rows, err := r.pool.Query(ctx, query, args...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, scan)
	}
	found, err := ask()
	if lost(err) && ctx.Err() == nil {
		r.pool.Reset()
		found, err = ask()
	}
	if err != nil {
		return nil, failure(ctx, r.place, doing, err)
	}
	if len(found) == 0 {
		return nil, nil
	}
	return found, nil
}

// storable is a text that PostgreSQL can look for, NULL where it can hold no such text.
func storable(text string) *string {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil
	}
	return &text
}

func scanEntry(row pgx.CollectableRow) (journal.Entry, error) {
	var e journal.Entry
	err := row.Scan(&e.Table, &e.Seq, &e.Time, &e.Seat, &e.Move, &e.Key, &e.Body)
	e.Time = e.Time.UTC()
	return e, err
}

func scanHead(row pgx.CollectableRow) (journal.Head, error) {
	var h journal.Head
	err := row.Scan(&h.Table, &h.Seq, &h.Time)
	h.Time = h.Time.UTC()
	return h, err
}
