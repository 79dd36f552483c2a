package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"norn/journal"
	"norn/journal/schema"
)

// ReadOnly reads a journal that others may write to. It makes and migrates nothing, so a replica of
// the database will do.
type ReadOnly struct{ journal *Journal }

// OpenReadOnly opens the journal at an address for reading. A database without
// one is a *NoneError; other errors are those of Open.
func OpenReadOnly(ctx context.Context, address string) (*ReadOnly, error) {
	config, err := configure(address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	place := place(config.ConnConfig)
	know, err := schema.Newest(migrations())
	if err != nil {
		return nil, err
	}
	conn, have, err := inspect(ctx, config.ConnConfig, place, know)
	if err != nil {
		return nil, err
	}
	if err := conn.Close(ctx); err != nil {
		return nil, failure(ctx, place, "open", err)
	}
	if have == 0 {
		return nil, &NoneError{Place: place}
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, failure(ctx, place, "open", err)
	}
	return &ReadOnly{&Journal{reader: &reader{pool: pool, place: place}}}, nil
}

// NoneError says that a database holds no journal.
type NoneError struct{ Place string }

func (e *NoneError) Error() string { return "journal: there is none in " + e.Place }

// Read is as in journal.Journal.
func (r *ReadOnly) Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	return r.journal.Read(ctx, table, after, limit)
}

// ReadMove is as in journal.Journal. In a database that no norn of today has opened it has no index
// to go by.
func (r *ReadOnly) ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error) {
	return r.journal.ReadMove(ctx, table, move)
}

// Tables is as in journal.Journal.
func (r *ReadOnly) Tables(ctx context.Context) ([]journal.Head, error) { return r.journal.Tables(ctx) }

// Close closes the connections.
func (r *ReadOnly) Close() error {
	r.journal.reader.stop()
	return nil
}
