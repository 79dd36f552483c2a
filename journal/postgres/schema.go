package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"norn/internal/rescue"
	"norn/journal"
	"norn/journal/schema"
)

// namespace is the PostgreSQL schema that contains norn's tables.
const namespace = "norn"

// migrating is the advisory lock for changing the schema: "norn" in ASCII.
const migrating = 0x6e6f726e

//go:embed migrations/*.sql
var embedded embed.FS

func migrations() fs.FS {
	files, err := fs.Sub(embedded, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return files
}

// Progress is called with the number of entries indexed so far and the total.
type Progress func(done, of int64)

// prepare brings the schema up to date, or returns an error for the existing one. It doesn't
// interrupt a step, since an index over years of entries takes long; if norn is killed, the step is
// rolled back.
func prepare(ctx context.Context, config *pgx.ConnConfig, place string, steps fs.FS, told Progress) error {
	know, err := schema.Newest(steps)
	if err != nil {
		return err
	}
	conn, have, err := inspect(ctx, config, place, know)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) // also releases the lock
	if have == know {
		return nil
	}
	// Only ctx bounds the wait for another node's migration.
	if _, err := conn.Exec(ctx, "SET lock_timeout = 0; SELECT pg_advisory_lock("+fmt.Sprint(migrating)+
		"); CREATE SCHEMA IF NOT EXISTS "+namespace); err != nil {
		return failure(ctx, place, "migrate", err)
	}
	ctx = context.WithoutCancel(ctx)
	made := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(rescue.Wrap(nil, "journal", func() { follow(ctx, conn, told, made) }))
	err = migrate(ctx, config, steps)
	close(made)
	watch.Wait()
	if err != nil {
		return failure(ctx, place, "migrate", err)
	}
	return nil
}

// follow reports the progress of indexes until all are complete.
func follow(ctx context.Context, conn *pgx.Conn, told Progress, made chan struct{}) {
	for every := time.NewTicker(time.Second); ; {
		select {
		case <-made:
			every.Stop()
			return
		case <-every.C:
		}
		var done, of int64
		err := conn.QueryRow(
			ctx,
			`SELECT blocks_done, blocks_total FROM pg_stat_progress_create_index WHERE datname = current_database()`,
		).Scan(
			&done,
			&of,
		)
		if err == nil && of > 0 {
			told(done, of)
		}
	}
}

// inspect connects to a database and returns its schema version, 0 if there is none. It returns an
// error for an unsuitable database and for a newer version. The caller must close the connection.
func inspect(ctx context.Context, config *pgx.ConnConfig, place string, know int) (_ *pgx.Conn, have int, err error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, 0, failure(ctx, place, "open", err)
	}
	defer func() {
		if err != nil {
			conn.Close(context.WithoutCancel(ctx))
		}
	}()
	var encoding string
	if err := conn.QueryRow(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
		return nil, 0, failure(ctx, place, "open", err)
	}
	if encoding != "UTF8" {
		return nil, 0, &journal.CorruptError{Path: place, Err: fmt.Errorf("its encoding is %s, not UTF8", encoding)}
	}
	if have, err = version(ctx, conn); err != nil {
		return nil, 0, failure(ctx, place, "open", err)
	}
	if have > know {
		return nil, 0, &journal.NewerError{Path: place, Have: have, Know: know}
	}
	return conn, have, nil
}

// version returns the version of the schema, 0 if there is none.
func version(ctx context.Context, conn *pgx.Conn) (int, error) {
	var there bool
	if err := conn.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL",
		namespace+".goose_db_version").Scan(&there); err != nil ||
		!there {
		return 0, err
	}
	var have int
	err := conn.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&have)
	return have, err
}

func migrate(ctx context.Context, config *pgx.ConnConfig, steps fs.FS) (err error) {
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	return schema.Up(ctx, goose.DialectPostgres, db, steps)
}
