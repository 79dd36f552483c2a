// Package postgres stores the journal in a PostgreSQL database, which many instances of norn may
// share. It needs PostgreSQL 14 or newer with the encoding UTF8.
//
// Guarantees in addition to those of package journal:
//
//   - An Append that returns a context's error has written nothing. The context can remove
//     it from the queue; once the writer has started on it, Append waits for the outcome,
//     for at most ten seconds.
//   - A lost connection, a server that restarts or one that is read-only is a
//     *journal.UnavailableError, and the next call tries again. If the connection is lost
//     during a commit, the outcome is unknown until Find is called.
//   - An acknowledged commit is durable on the server: if the server's or the role's default
//     is synchronous_commit=off, norn turns it on.
//   - No error contains a password.
//
// # Writing
//
// Open starts one goroutine, the writer; Close ends it. Appends are batched by package queue and
// share a transaction, on the writer's own connection. It takes two round trips to the server. The
// first begins the transaction, locks the rows of the batch's tables in the order of their ids, so
// that two nodes never deadlock, and reads their heads and existing keys. Then the appends are
// checked one by one, in order of arrival. The second trip inserts the accepted ones and commits. A
// conflict or a duplicate fails only its own append; a failed transaction fails all of its appends.
//
// If a node stops responding inside a transaction, the server disconnects it after three seconds,
// so that it doesn't block the tables of others.
//
// Readers have a pool of connections, eight unless the address says pool_max_conns, and never wait
// for a writer.
//
// # The schema
//
// Everything is in the schema "norn" of the database. Open brings it up to date; if several nodes
// start at once, one does it and the others wait. Migrations must leave the schema usable for the
// previous version of norn. A trigger prevents other programs from changing or removing entries.
// What Delete and Blank remove stays in the server's files until it reuses the space, or until
// VACUUM FULL. A client must have a session of its own: norn doesn't work through a pooler in transaction mode.
//
// The package imports journal, its queue, pgx and goose; nothing else of norn.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"norn/internal/rescue"
	"norn/journal"
	"norn/journal/queue"
)

// Limits of the connections.
const (
	readerConns = 8
	dialTime    = 5 * time.Second
	writeTime   = 10 * time.Second // for one transaction, including connecting
	eraseTime   = time.Minute      // for one that deletes a table or blanks entries
)

// Journal is an open journal. It implements journal.Journal.
type Journal struct {
	writer *writer
	reader *reader
	close  func() error
}

var _ journal.Journal = (*Journal)(nil)

// Check checks an address without connecting to it. The error contains no password.
func Check(address string) error {
	_, err := configure(address)
	return err
}

// Open opens the journal in the database at an address such as
// postgres://norn@db.example/norn?sslmode=verify-full; what it leaves out comes from PostgreSQL's
// environment variables and password file. Missing tables are created. It returns
// *journal.UnavailableError, *journal.NewerError, *journal.CorruptError or the error of Check. The
// context bounds only Open, without building an index over existing entries, whose progress is
// passed to told.
func Open(ctx context.Context, address string, told ...Progress) (*Journal, error) {
	config, err := configure(address)
	if err != nil {
		return nil, err
	}
	place := place(config.ConnConfig)
	tell := func(done, of int64) {
		for _, tell := range told {
			tell(done, of)
		}
	}
	if err := prepare(ctx, config.ConnConfig, place, migrations(), tell); err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, failure(ctx, place, "open", err)
	}
	j := &Journal{
		writer: &writer{config: config.ConnConfig, place: place, queue: queue.New(), done: make(chan struct{})},
		reader: &reader{pool: pool, place: place},
	}
	j.close = sync.OnceValue(j.shut)
	go rescue.Wrap(nil, "journal", j.writer.run)()
	return j, nil
}

// Append implements journal.Journal.
func (j *Journal) Append(
	ctx context.Context,
	table string,
	expect uint64,
	entries ...journal.Entry,
) ([]journal.Entry, error) {
	return j.writer.queue.Append(ctx, table, expect, entries)
}

// Delete implements journal.Journal.
func (j *Journal) Delete(ctx context.Context, table string, expect uint64, at time.Time) error {
	return j.writer.queue.Delete(ctx, table, expect, at)
}

// Blank implements journal.Journal.
func (j *Journal) Blank(ctx context.Context, table string, expect uint64, blanked []journal.Entry,
	said journal.Entry,
) ([]journal.Entry, error) {
	return j.writer.queue.Blank(ctx, table, expect, blanked, said)
}

// Close implements journal.Journal.
func (j *Journal) Close() error { return j.close() }

func (j *Journal) shut() error {
	err := j.writer.stop()
	j.reader.stop()
	if err != nil {
		return fmt.Errorf("journal: close: %w", err)
	}
	return nil
}

// configure parses an address and sets what norn relies on.
func configure(address string) (*pgxpool.Config, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New(
			"journal: the address can't be read",
		) // the error may contain a part of the password
	}
	if u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errors.New("journal: an address begins with postgres://")
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if !strings.Contains(address, "pool_max_conns") {
		config.MaxConns = readerConns
	}
	c := config.ConnConfig
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = dialTime
	}
	for name, value := range map[string]string{
		"application_name":                    "norn",
		"search_path":                         namespace,
		"idle_in_transaction_session_timeout": "3000", // for a node that stopped responding
		"lock_timeout":                        "5000",
		// all queries have an index, even if a table looks small
		"enable_seqscan": "off",
	} {
		c.RuntimeParams[name] = value
	}
	config.AfterConnect = durable
	return config, nil
}

// durable makes commits on the connection wait for the disk.
func durable(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(
		ctx,
		`SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
	)
	return err
}

// place names a database for people: its location, without credentials.
func place(c *pgx.ConnConfig) string {
	host := c.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, strconv.Itoa(int(c.Port)))
	}
	return "postgres://" + host + "/" + c.Database
}
