package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"norn/journal"
)

// isConnectionLost reports whether an error means that the connection is closed.
func isConnectionLost(err error) bool {
	if err == nil {
		return false
	}
	e, said := errors.AsType[*pgconn.PgError](err)
	return !said || strings.HasPrefix(e.Code, "57P0") // the server is shutting down
}

// failure converts an error of PostgreSQL, or of the connection to it, to one of package journal.
// If the caller's ctx has ended, that is the reason.
func failure(ctx context.Context, place, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("journal: %s: %w", doing, ctx.Err())
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return &journal.UnavailableError{Err: err} // no answer from the server: it can't be reached any more
	}
	// https://www.postgresql.org/docs/current/errcodes-appendix.html
	switch e.Code {
	case "XX001", "XX002": // data_corrupted, index_corrupted
		return &journal.CorruptError{Path: place, Err: err}
	case "25006", "53100": // read-only, disk full
		return &journal.UnavailableError{Err: err, Unwritable: true}
	case "3D000", "55P03": // no such database, lock timeout
		return &journal.UnavailableError{Err: err}
	}
	// These classes cover connections, authorisation, rolled-back transactions, resources,
	// operators and the system.
	if slices.Contains([]string{"08", "28", "40", "53", "57", "58", "25"}, e.Code[:2]) {
		return &journal.UnavailableError{Err: err}
	}
	return fmt.Errorf("journal: %s: %w", doing, err)
}
