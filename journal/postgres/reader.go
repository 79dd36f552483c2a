package postgres

import (
	"context"
	"math"
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
	readMove    = `SELECT ` + columns + ` FROM entries WHERE table_id = $1 AND move = $2 AND move <> '' ORDER BY seq`
	findEntry   = `SELECT ` + columns + ` FROM entries WHERE table_id = $1 AND seat = $2 AND key = $3 AND key <> ''`
	listDeleted = `SELECT table_id, max(at) FROM deletions WHERE NOT EXISTS (SELECT FROM tables WHERE id = table_id)
		GROUP BY table_id ORDER BY table_id`
	// a node that is late doesn't bring back what was deleted
	keepSnapshot = `INSERT INTO snapshots (table_id, data) SELECT $1, $2
		WHERE EXISTS (SELECT FROM tables WHERE id = $1) OR NOT EXISTS (SELECT FROM deletions WHERE table_id = $1)
		ON CONFLICT (table_id) DO UPDATE SET data = excluded.data RETURNING ''`
	listHeads = `SELECT id, head, at FROM tables ORDER BY id`
)

// reader is the pool of connections for reading.
type reader struct {
	place  string
	pool   *pgxpool.Pool
	gate   sync.RWMutex // read-locked while a read runs
	closed bool
}

// stop waits for running reads and refuses new ones.
func (r *reader) stop() {
	r.gate.Lock()
	defer r.gate.Unlock()
	r.closed = true
	r.pool.Close()
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

// Read implements journal.Journal.
func (j *Journal) Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	if err := journal.CheckLimit(limit); err != nil {
		return nil, err
	}
	var most *int // nil means all
	if limit > 0 {
		most = &limit
	}
	return list(ctx, j.reader, "read", scanEntry, readEntries, storable(table), int64(min(after, math.MaxInt64)), most)
}

// ReadMove implements journal.Journal.
func (j *Journal) ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error) {
	return list(ctx, j.reader, "read", scanEntry, readMove, storable(table), storable(move))
}

// Snapshot implements journal.Snapshots.
func (j *Journal) Snapshot(ctx context.Context, table string) ([]byte, error) {
	found, err := list(
		ctx,
		j.reader,
		"snapshot",
		pgx.RowTo[[]byte],
		`SELECT data FROM snapshots WHERE table_id = $1`,
		storable(table),
	)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, journal.ErrNotFound
	}
	return found[0], nil
}

// KeepSnapshot implements journal.Snapshots.
func (j *Journal) KeepSnapshot(ctx context.Context, table string, data []byte) error {
	_, err := list(ctx, j.reader, "snapshot", pgx.RowTo[string], keepSnapshot, storable(table), data)
	return err
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

// Deletions implements journal.Journal.
func (j *Journal) Deletions(ctx context.Context) ([]journal.Deletion, error) {
	return list(ctx, j.reader, "list deletions", scanDeletion, listDeleted)
}

func scanDeletion(row pgx.CollectableRow) (journal.Deletion, error) {
	var d journal.Deletion
	err := row.Scan(&d.Table, &d.Time)
	d.Time = d.Time.UTC()
	return d, err
}

// list runs a query and scans all of its rows. If the connection is lost it tries once more on a
// new one: after a restart of the server all connections of the pool are dead.
func list[T any](
	ctx context.Context,
	r *reader,
	doing string,
	scan func(pgx.CollectableRow) (T, error),
	query string,
	args ...any,
) ([]T, error) {
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
	if isConnectionLost(err) && ctx.Err() == nil {
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

// storable returns a text as a query argument, or nil, which matches nothing, if PostgreSQL can't
// store such a text.
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
