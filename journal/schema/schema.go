// Package schema brings the database of a journal to its newest schema, by
// numbered SQL steps. What a step may do, and who may run them when, is up to
// the store. It may import nothing of norn, holds no goroutines and no state.
package schema

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Newest is the number of the last step among the *.sql files of steps, whose
// names begin with it.
func Newest(steps fs.FS) (int, error) {
	names, err := fs.Glob(steps, "*.sql")
	if err != nil {
		return 0, fmt.Errorf("journal: migrations: %w", err)
	}
	var last int64
	for _, name := range names {
		n, err := goose.NumericComponent(name)
		if err != nil {
			return 0, fmt.Errorf("journal: migration %s: %w", name, err)
		}
		last = max(last, n)
	}
	return int(last), nil
}

// Up runs the steps that a database lacks. Errors are the driver's.
func Up(ctx context.Context, dialect goose.Dialect, db *sql.DB, steps fs.FS) error {
	provider, err := goose.NewProvider(dialect, db, steps,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}
