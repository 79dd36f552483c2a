package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"norn/internal/rescue"
	"norn/journal"
	"norn/journal/queue"
)

const (
	newTables = `INSERT INTO tables (id, head, at) SELECT id, 0, 'epoch' FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING`
	lockHeads = `SELECT id, head FROM tables WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE`
	findKeys  = `SELECT e.table_id, e.seq, e.at, e.seat, e.move, e.key, e.body
		FROM unnest($1::text[], $2::text[], $3::text[]) AS k (table_id, seat, key) CROSS JOIN LATERAL
		(SELECT * FROM entries WHERE table_id = k.table_id AND seat = k.seat AND key = k.key AND key <> '' LIMIT 1) AS e`
	newEntries = `INSERT INTO entries (` + columns + `)
		SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::bytea[])`
	setBodies = `UPDATE entries SET body = n.body FROM unnest($2::bigint[], $3::bytea[]) AS n (seq, body)
		WHERE table_id = $1 AND entries.seq = n.seq`
	moveHeads = `UPDATE tables SET head = n.head, at = n.at
		FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS n (id, head, at) WHERE tables.id = n.id`
)

// writer is the state of the goroutine that writes.
type writer struct {
	config *pgx.ConnConfig
	place  string
	queue  *queue.Queue
	done   chan struct{} // closed when the goroutine ends
	conn   *pgx.Conn     // nil before the first transaction and after a failure; used only by the goroutine
}

// run is the body of the goroutine.
func (w *writer) run() {
	defer close(w.done)
	w.queue.Run(func(batch []*queue.Request) error {
		limit := writeTime
		if batch[0].Erases() {
			limit = eraseTime
		}
		ctx, cancel := context.WithTimeout(context.Background(), limit) // a batch belongs to no single caller
		defer cancel()
		err := rescue.Run(nil, "journal", func() error { return w.write(ctx, batch) })
		if err == nil {
			return nil
		}
		if _, broken := errors.AsType[*rescue.Error](err); broken {
			w.discard() // its transaction may be open
		}
		return failure(context.Background(), w.place, "append", err)
	})
}

// write writes a batch in one transaction and sets the refusals in it. On an error nothing of the
// batch was written, unless the connection was lost during the commit.
func (w *writer) write(ctx context.Context, batch []*queue.Request) (err error) {
	defer func() {
		if err != nil {
			w.discard()
		}
	}()
	kept := w.conn != nil
	stands, err := w.begin(ctx, batch)
	if err != nil && kept && w.conn.IsClosed() { // the server restarted; nothing is written yet
		w.discard()
		stands, err = w.begin(ctx, batch)
	}
	if err != nil {
		return err
	}
	if r := batch[0]; !r.Delete.IsZero() {
		return w.delete(ctx, stands, r)
	}
	return w.commit(ctx, stands.judge(batch), batch[0])
}

// delete removes a table, if the request is valid, and ends the transaction.
func (w *writer) delete(ctx context.Context, stands standing, r *queue.Request) error {
	trip := &pgx.Batch{}
	if have := stands.heads[r.Table]; have != r.Expect {
		r.Err = &journal.ConflictError{Table: r.Table, Expected: r.Expect, Have: have}
	} else {
		trip.Queue("SET LOCAL norn.erasing = 'on'")
		for _, from := range []string{"entries WHERE table_id", "snapshots WHERE table_id", "tables WHERE id"} {
			trip.Queue("DELETE FROM "+from+" = $1", r.Table)
		}
		trip.Queue("INSERT INTO deletions (table_id, entries, at) VALUES ($1, $2, $3)", r.Table, int64(r.Expect), r.Delete)
	}
	return w.end(ctx, trip)
}

// standing holds the current state of the tables in a batch.
type standing struct {
	heads map[string]uint64
	keys  map[use]journal.Entry
}

// use is a key that a seat used at a table.
type use struct{ table, seat, key string }

// begin begins a transaction, locks the tables of a batch and reads their state, in one round trip.
func (w *writer) begin(ctx context.Context, batch []*queue.Request) (standing, error) {
	if w.conn == nil {
		conn, err := pgx.ConnectConfig(ctx, w.config)
		if err != nil {
			return standing{}, err
		}
		w.conn = conn
		if err := durable(ctx, conn); err != nil {
			return standing{}, err
		}
	}
	tables, fresh := map[string]bool{}, map[string]bool{}
	var keyTables, seats, keys []string
	for _, r := range batch {
		tables[r.Table] = true
		if r.Expect == 0 {
			fresh[r.Table] = true
		}
		for _, e := range r.Entries {
			if e.Key != "" {
				keyTables, seats, keys = append(keyTables, r.Table), append(seats, e.Seat), append(keys, e.Key)
			}
		}
	}
	s := standing{heads: map[string]uint64{}, keys: map[use]journal.Entry{}}
	trip := &pgx.Batch{}
	trip.Queue("begin")
	if len(fresh) > 0 {
		trip.Queue(newTables, slices.Sorted(maps.Keys(fresh)))
	}
	trip.Queue(lockHeads, slices.Sorted(maps.Keys(tables))).Query(func(rows pgx.Rows) error {
		var table string
		var head uint64
		_, err := pgx.ForEachRow(rows, []any{&table, &head}, func() error {
			s.heads[table] = head
			return nil
		})
		return err
	})
	if len(keys) > 0 {
		trip.Queue(findKeys, keyTables, seats, keys).Query(func(rows pgx.Rows) error {
			found, err := pgx.CollectRows(rows, scanEntry)
			for _, e := range found {
				s.keys[use{e.Table, e.Seat, e.Key}] = e
			}
			return err
		})
	}
	return s, w.conn.SendBatch(ctx, trip).Close()
}

// judge sets the refusals of a batch and returns the entries to write. Each append sees those
// before it.
func (s standing) judge(batch []*queue.Request) []journal.Entry {
	var accepted []journal.Entry
	for _, r := range batch {
		if r.Err = s.refusal(r); r.Err != nil {
			continue
		}
		accepted = append(accepted, r.Entries...)
		s.heads[r.Table] = r.Entries[len(r.Entries)-1].Seq
		for _, e := range r.Entries {
			if e.Key != "" {
				s.keys[use{e.Table, e.Seat, e.Key}] = e
			}
		}
	}
	return accepted
}

func (s standing) refusal(r *queue.Request) error {
	for _, e := range r.Entries {
		if stands, ok := s.keys[use{r.Table, e.Seat, e.Key}]; ok {
			return &journal.DuplicateError{Entry: stands}
		}
	}
	if have := s.heads[r.Table]; have != r.Expect {
		return &journal.ConflictError{Table: r.Table, Expected: r.Expect, Have: have}
	}
	return nil
}

// commit writes entries and ends the transaction in one round trip. It blanks what the batch's first
// request says, unless that was refused.
func (w *writer) commit(ctx context.Context, entries []journal.Entry, first *queue.Request) error {
	trip := &pgx.Batch{}
	if n := len(first.Blanked); n > 0 && first.Err == nil {
		seqs, bodies := make([]int64, n), make([][]byte, n)
		for i, e := range first.Blanked {
			seqs[i], bodies[i] = int64(e.Seq), e.Body
		}
		trip.Queue("SET LOCAL norn.erasing = 'on'")
		trip.Queue(setBodies, first.Table, seqs, bodies)
		trip.Queue("DELETE FROM snapshots WHERE table_id = $1", first.Table)
	}
	if n := len(entries); n > 0 {
		tables, seqs, times := make([]string, n), make([]int64, n), make([]time.Time, n)
		seats, moves, keys, bodies := make([]string, n), make([]string, n), make([]string, n), make([][]byte, n)
		last := map[string]int{} // the index of each table's last entry
		for i, e := range entries {
			tables[i], seqs[i], times[i], seats[i], moves[i], keys[i], bodies[i] = e.Table, int64(
				e.Seq,
			), e.Time, e.Seat, e.Move, e.Key, e.Body
			last[e.Table] = i
		}
		trip.Queue(newEntries, tables, seqs, times, seats, moves, keys, bodies)
		ids, heads, at := make([]string, 0, len(last)), make([]int64, 0, len(last)), make([]time.Time, 0, len(last))
		for table, i := range last {
			ids, heads, at = append(ids, table), append(heads, seqs[i]), append(at, times[i])
		}
		trip.Queue(moveHeads, ids, heads, at)
	}
	return w.end(ctx, trip)
}

// end sends the rest of the transaction and commits it.
func (w *writer) end(ctx context.Context, trip *pgx.Batch) error {
	trip.Queue("commit")
	sent := w.conn.SendBatch(ctx, trip)
	for range trip.Len() - 1 {
		if _, err := sent.Exec(); err != nil {
			sent.Close()
			return err
		}
	}
	tag, err := sent.Exec()
	if closed := sent.Close(); err == nil {
		err = closed
	}
	if err == nil && tag.String() != "COMMIT" {
		err = fmt.Errorf("the transaction was not committed: %s", tag)
	}
	return err
}

// discard closes the connection, which rolls back its transaction.
func (w *writer) discard() {
	if w.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = w.conn.Close(ctx) // it's abandoned anyway
	w.conn = nil
}

// stop drains the queue and ends the goroutine.
func (w *writer) stop() error {
	w.queue.Close()
	<-w.done
	if w.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return w.conn.Close(ctx)
}
