// Package kvstore stores items under ids in scopes, and jobs until they are done: notification
// targets, pending calls, and the bindings of chats to tables. They are stored separately from the
// tables: a subscription gives access to a person's phone, so no log, export or backup may contain
// it, and deleting it must remove it.
//
// A single norn stores them in DIR/norn.calls, a SQLite file; nodes that share a PostgreSQL share
// them there. Stored data survives a crash, and if several nodes Claim a job, one succeeds. The
// package imports nothing of norn.
package kvstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// File is the name of the file in the tables' folder.
const File = "norn.calls"

// Store is an open store. It is safe for concurrent use.
type Store struct {
	db     *sql.DB
	sqlite bool
}

// Item is a value stored under an id in a scope. A scope is a table's id, or "" for norn itself.
type Item struct{ Scope, ID, Data string }

// Job is a pending call. A finished one stays until it's forgotten, so that it isn't done twice.
type Job struct {
	ID, Scope string
	Due       time.Time
	Tries     int
	Data      string
}

// Open opens the file in a folder, and creates it if there is none.
func Open(ctx context.Context, dir string) (*Store, error) {
	path := filepath.Join(dir, File)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600) // secrets: for its owner only
	if err != nil {
		return nil, err
	}
	f.Close()
	at := url.URL{
		Scheme: "file", Path: filepath.ToSlash(path),
		RawQuery: "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=secure_delete(1)&_txlock=immediate",
	}
	db, err := sql.Open("sqlite", at.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // writers wait here, not in SQLite
	return prepare(ctx, &Store{db: db, sqlite: true})
}

// OpenPostgres opens the store in the database that nodes share.
func OpenPostgres(ctx context.Context, address string) (*Store, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("kvstore: the address can't be read") // the error may contain the password
	}
	config.RuntimeParams["application_name"] = "norn"
	config.RuntimeParams["search_path"] = "norn" // the schema of the journal, which was opened before
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(1)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return prepare(ctx, &Store{db: db})
}

var tables = []string{
	`CREATE TABLE IF NOT EXISTS norn_kept (scope TEXT NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (scope, id))`,
	`CREATE TABLE IF NOT EXISTS norn_jobs (id TEXT PRIMARY KEY, scope TEXT NOT NULL, due BIGINT NOT NULL, tries BIGINT NOT NULL, done BIGINT NOT NULL, data TEXT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS norn_jobs_due ON norn_jobs (done, due)`,
	`CREATE INDEX IF NOT EXISTS norn_jobs_scope ON norn_jobs (scope)`,
}

func prepare(ctx context.Context, s *Store) (*Store, error) {
	for _, text := range tables {
		var err error
		for range 3 { // nodes that start at once may create it at once
			if _, err = s.db.ExecContext(ctx, text); err == nil {
				break
			}
		}
		if err != nil {
			s.db.Close()
			return nil, fmt.Errorf("kvstore: %w", err)
		}
	}
	return s, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// in returns a statement for the current database: parameters are $1 in PostgreSQL and ?1 in
// SQLite.
func (s *Store) in(text string) string {
	if s.sqlite {
		return strings.ReplaceAll(text, "$", "?")
	}
	return text
}

func (s *Store) do(ctx context.Context, text string, args ...any) (int64, error) {
	result, err := s.db.ExecContext(ctx, s.in(text), args...)
	if err != nil {
		return 0, fmt.Errorf("kvstore: %w", err)
	}
	return result.RowsAffected()
}

// Put stores an item, replacing an existing one.
func (s *Store) Put(ctx context.Context, i Item) error {
	_, err := s.do(ctx, `INSERT INTO norn_kept (scope, id, data) VALUES ($1, $2, $3) ON CONFLICT (scope, id) DO UPDATE SET data = excluded.data`, i.Scope, i.ID, i.Data)
	return err
}

// Alter replaces an item if it still exists.
func (s *Store) Alter(ctx context.Context, i Item) error {
	_, err := s.do(ctx, `UPDATE norn_kept SET data = $3 WHERE scope = $1 AND id = $2`, i.Scope, i.ID, i.Data)
	return err
}

// First stores an item unless there is one already, and returns the stored one.
func (s *Store) First(ctx context.Context, i Item) (Item, error) {
	if _, err := s.do(ctx, `INSERT INTO norn_kept (scope, id, data) VALUES ($1, $2, $3) ON CONFLICT (scope, id) DO NOTHING`, i.Scope, i.ID, i.Data); err != nil {
		return Item{}, err
	}
	all, err := s.All(ctx, i.Scope)
	for _, stands := range all {
		if stands.ID == i.ID {
			return stands, nil
		}
	}
	return Item{}, errors.Join(err, errors.New("kvstore: what was kept is gone"))
}

// Drop deletes an item.
func (s *Store) Drop(ctx context.Context, scope, id string) error {
	_, err := s.do(ctx, `DELETE FROM norn_kept WHERE scope = $1 AND id = $2`, scope, id)
	return err
}

// Erase deletes everything that is stored for a table or names it: subscriptions, pending calls, and
// what chats keep. In a file it overwrites the bytes, too.
func (s *Store) Erase(ctx context.Context, table string) error {
	named := `%"` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(table) + `"%`
	for _, from := range []string{"norn_kept", "norn_jobs"} {
		if _, err := s.do(ctx, `DELETE FROM `+from+` WHERE scope = $1 OR data LIKE $2 ESCAPE '\'`, table, named); err != nil {
			return err
		}
	}
	if !s.sqlite {
		return nil
	}
	var busy, frames, moved int
	err := s.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	if err != nil {
		return fmt.Errorf("kvstore: %w", err)
	}
	return nil
}

// Take deletes an item and returns it. Of several concurrent callers one gets it; the others get
// false.
func (s *Store) Take(ctx context.Context, scope, id string) (i Item, ok bool, err error) {
	i = Item{Scope: scope, ID: id}
	err = s.db.QueryRowContext(ctx, s.in(`DELETE FROM norn_kept WHERE scope = $1 AND id = $2 RETURNING data`), scope,
		id).Scan(&i.Data)
	if errors.Is(err, sql.ErrNoRows) {
		return Item{}, false, nil
	}
	if err != nil {
		return Item{}, false, fmt.Errorf("kvstore: %w", err)
	}
	return i, true, nil
}

// Swap replaces an item if its data is still seen, and reports whether it did.
func (s *Store) Swap(ctx context.Context, i Item, seen string) (bool, error) {
	n, err := s.do(ctx, `UPDATE norn_kept SET data = $3 WHERE scope = $1 AND id = $2 AND data = $4`, i.Scope, i.ID,
		i.Data, seen)
	return n > 0, err
}

// All returns a scope's items, ordered by id.
func (s *Store) All(ctx context.Context, scope string) (all []Item, err error) {
	rows, err := s.db.QueryContext(ctx, s.in(`SELECT id, data FROM norn_kept WHERE scope = $1 ORDER BY id`), scope)
	if err != nil {
		return nil, fmt.Errorf("kvstore: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		i := Item{Scope: scope}
		if err := rows.Scan(&i.ID, &i.Data); err != nil {
			return nil, fmt.Errorf("kvstore: %w", err)
		}
		all = append(all, i)
	}
	return all, rows.Err()
}

// Scopes returns the scopes that have items.
func (s *Store) Scopes(ctx context.Context) (scopes []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT scope FROM norn_kept WHERE scope <> ''`)
	if err != nil {
		return nil, fmt.Errorf("kvstore: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var scope string
		if err := rows.Scan(&scope); err != nil {
			return nil, fmt.Errorf("kvstore: %w", err)
		}
		scopes = append(scopes, scope)
	}
	return scopes, rows.Err()
}

// Add adds a job unless there is one with its id, and reports whether it did.
func (s *Store) Add(ctx context.Context, j Job) (bool, error) {
	n, err := s.do(ctx, `INSERT INTO norn_jobs (id, scope, due, tries, done, data) VALUES ($1, $2, $3, 0, 0, $4) ON CONFLICT (id) DO NOTHING`, j.ID, j.Scope, j.Due.UnixMilli(), j.Data)
	return n > 0, err
}

// Due returns at most limit unfinished jobs, the earliest first.
func (s *Store) Due(ctx context.Context, limit int) ([]Job, error) {
	return s.jobs(ctx, `SELECT id, scope, due, tries, data FROM norn_jobs WHERE done = 0 ORDER BY due LIMIT $1`, limit)
}

// Jobs returns all jobs of a scope, including finished ones.
func (s *Store) Jobs(ctx context.Context, scope string) ([]Job, error) {
	return s.jobs(ctx, `SELECT id, scope, due, tries, data FROM norn_jobs WHERE scope = $1`, scope)
}

func (s *Store) jobs(ctx context.Context, text string, args ...any) (all []Job, err error) {
	rows, err := s.db.QueryContext(ctx, s.in(text), args...)
	if err != nil {
		return nil, fmt.Errorf("kvstore: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var (
			j   Job
			due int64
		)
		if err := rows.Scan(&j.ID, &j.Scope, &due, &j.Tries, &j.Data); err != nil {
			return nil, fmt.Errorf("kvstore: %w", err)
		}
		j.Due = time.UnixMilli(due)
		all = append(all, j)
	}
	return all, rows.Err()
}

// Claim reserves a job for this node until a time, if it's unchanged since it was read, and reports
// whether it did. tried is added to its tries.
func (s *Store) Claim(ctx context.Context, j Job, until time.Time, tried int) (bool, error) {
	n, err := s.do(ctx, `UPDATE norn_jobs SET due = $1, tries = tries + $2 WHERE id = $3 AND due = $4 AND done = 0`,
		until.UnixMilli(), tried, j.ID, j.Due.UnixMilli())
	return n > 0, err
}

// FinishJob marks a job as done.
func (s *Store) FinishJob(ctx context.Context, id string) error {
	_, err := s.do(ctx, `UPDATE norn_jobs SET done = 1 WHERE id = $1`, id)
	return err
}

// Forget deletes a job, so that it can be added again.
func (s *Store) Forget(ctx context.Context, id string) error {
	_, err := s.do(ctx, `DELETE FROM norn_jobs WHERE id = $1`, id)
	return err
}
