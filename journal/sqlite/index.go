package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// Progress is called with the number of entries indexed so far and the total.
type Progress func(done, of int64)

// indexStep is the number of entries that an index takes in at once. A kill loses at most one step.
const indexStep = 20_000

// index adds the entries that are older than the index of moves to it, from where it was
// interrupted.
func index(ctx context.Context, path string, told Progress) error {
	db, err := connect(path, writerParams)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for {
		done, of, err := indexMore(ctx, db)
		switch {
		case err != nil:
			return failure(path, "index", err)
		case of == 0:
			return nil
		case told != nil:
			told(done, of)
		}
	}
}

// indexMore does one step and returns its progress. of is 0 if there is nothing to do.
func indexMore(ctx context.Context, db *sql.DB) (done, of int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	defer tx.Rollback() // does nothing after the commit
	var upto int64
	switch err := tx.QueryRowContext(ctx, `SELECT upto, last FROM indexing`).Scan(&upto, &of); {
	case errors.Is(err, sql.ErrNoRows):
		return 0, 0, nil
	case err != nil:
		return 0, 0, err
	}
	done = min(upto+indexStep, of)
	if _, err := tx.ExecContext(ctx, `INSERT INTO moves (table_id, move, seq)
		SELECT table_id, move, seq FROM entries WHERE id > ? AND id <= ? AND move <> '' ORDER BY table_id, move, seq`,
		upto, done); err != nil {
		return 0, 0, err
	}
	then, args := `UPDATE indexing SET upto = ?`, []any{done}
	if done == of {
		then, args = `DELETE FROM indexing`, nil
	}
	if _, err := tx.ExecContext(ctx, then, args...); err != nil {
		return 0, 0, err
	}
	return done, of, tx.Commit()
}

// hasIndex reports whether a database has its complete index of moves.
func hasIndex(ctx context.Context, q queryer) (bool, error) {
	var tables, left int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'indexing'`).Scan(&tables)
	if err != nil || tables == 0 {
		return false, err
	}
	err = q.QueryRowContext(ctx, `SELECT count(*) FROM indexing`).Scan(&left)
	return left == 0, err
}
