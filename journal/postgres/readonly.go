package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"norn/journal"
	"norn/journal/schema"
)

// ReadOnly reads a journal that others may write to. It creates and migrates nothing, so it works
// on a replica of the database.
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

// NoneError reports that a database holds no journal.
type NoneError struct{ Place string }

func (e *NoneError) Error() string { return "journal: there is none in " + e.Place }

// Read implements the method of journal.Journal.
func (r *ReadOnly) Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	return r.journal.Read(ctx, table, after, limit)
}

// ReadMove implements the method of journal.Journal. It is slow in a database without an index of
// moves, which only a current norn creates.
func (r *ReadOnly) ReadMove(ctx context.Context, table, move string) ([]journal.Entry, error) {
	return r.journal.ReadMove(ctx, table, move)
}

// Tables implements the method of journal.Journal.
func (r *ReadOnly) Tables(ctx context.Context) ([]journal.Head, error) { return r.journal.Tables(ctx) }

// Close closes the connections.
func (r *ReadOnly) Close() error {
	r.journal.reader.stop()
	return nil
}
