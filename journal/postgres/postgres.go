// Package postgres keeps the journal in a PostgreSQL database, where many
// norns may share it. It needs PostgreSQL 14 or newer with the encoding UTF8.
//
// Promised, beyond the contract of package journal:
//
//   - An Append that returns a context's error has written nothing. While it
//     waits in the queue a context takes it out; once the writer has begun on
//     it, Append waits for the outcome, which is at most ten seconds away.
//   - A lost connection, a server that restarts or one that only reads is a
//     *journal.UnavailableError, and the next call tries anew. Where the connection
//     went while a commit was under way nobody knows its fate; Find tells.
//   - A commit is durable on the server when it's told: where the server's or
//     the role's default is synchronous_commit=off, it's on here.
//   - Passwords are in no error.
//
// # Writing
//
// Open starts one goroutine, the writer; Close ends it. Appends are gathered as
// package queue says and share a transaction, on a connection of the writer's
// own. It makes two trips to the server: the first begins, locks the rows of the
// batch's tables in the order of their ids, so that two nodes never lock each
// other out, and reads their heads and the keys that stand; the appends are
// then judged one by one, in the order of arrival; the second trip inserts what
// stands and commits. A conflict or a duplicate fails that one append alone. A
// transaction that fails fails all of its appends.
//
// A node that falls silent inside a transaction is disconnected by the server
// after three seconds, so that it doesn't hold others' tables.
//
// Readers have a pool of connections, eight unless the address says
// pool_max_conns, and never wait for a writer.
//
// # The schema
//
// All stands in the schema "norn" of the database. Open brings it up to date;
// of several nodes that start at once one does and the others wait. Migrations
// must leave the schema usable for the norn before. A trigger keeps other
// programs from changing or removing entries. Sessions must be the client's
// own: a pooler in transaction mode between norn and the server won't do.
//
// The package imports the contract, its queue, pgx and goose; nothing else of norn.
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

	"norn/journal"
	"norn/journal/queue"
)

// Bounds of the connections.
const (
	readerConns = 8
	dialTime    = 5 * time.Second
	writeTime   = 10 * time.Second // for one transaction, connecting included
)

// Journal is an open journal. It implements journal.Journal.
type Journal struct {
	writer *writer
	reader *reader
	close  func() error
}

var _ journal.Journal = (*Journal)(nil)

// Check returns what is wrong with an address, without trying it. The error shows no password.
func Check(address string) error {
	_, err := configure(address)
	return err
}

// Open opens the journal in the database at an address such as
// postgres://norn@db.example/norn?sslmode=verify-full; what it leaves out is taken from
// PostgreSQL's own environment variables and password file. Missing tables are made. It returns
// *journal.UnavailableError, *journal.NewerError, *journal.CorruptError or what Check says. The
// context bounds Open alone, and not the making of an index over what is there, of which it tells
// those who ask.
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
	go j.writer.run()
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

// configure reads an address and sets what norn relies on.
func configure(address string) (*pgxpool.Config, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New(
			"journal: the address can't be read",
		) // what the error says may hold a part of the password
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
		"idle_in_transaction_session_timeout": "3000", // of a node that went silent
		"lock_timeout":                        "5000",
		// all that is asked for goes by an index, however small a table looks
		"enable_seqscan": "off",
	} {
		c.RuntimeParams[name] = value
	}
	config.AfterConnect = durable
	return config, nil
}

// durable makes the connection wait until a commit is on the disk.
func durable(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(
		ctx,
		`SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
	)
	return err
}

// place names a database for people: where it is, and nothing that opens it.
func place(c *pgx.ConnConfig) string {
	host := c.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, strconv.Itoa(int(c.Port)))
	}
	return "postgres://" + host + "/" + c.Database
}
