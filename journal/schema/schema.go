// Package schema brings a journal's database to its newest schema by numbered SQL steps. Each store
// decides what a step may do and when it runs. The package imports nothing of norn and has no
// goroutines or state.
package schema

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Newest returns the number of the last step among the *.sql files of steps, whose names begin with
// it.
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
