package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"norn/journal"
	"norn/journal/journaltest"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
)

// server is shared by the tests of this package; each test has its own database.
var server *pgtest.Server

func TestMain(m *testing.M) {
	var err error
	server, err = pgtest.Start("fsync=off") // tests that need fsync start another server
	if errors.Is(err, pgtest.ErrMissing) {
		fmt.Println("skipped:", err)
		os.Exit(0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func TestPostgresKeepsTheJournalContract(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journaltest.Open { return at(database(t)) })
}

func TestNodesSharingADatabaseKeepTheContract(t *testing.T) {
	journaltest.RunShared(t, func(t *testing.T) journaltest.Open { return at(database(t)) })
}

func BenchmarkJournal(b *testing.B) {
	synced, err := pgtest.Start()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { synced.Stop() })
	journaltest.Bench(b, func(b *testing.B) journaltest.Open {
		address, err := synced.Database(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		return at(address)
	})
}

// The minimal cost of a durable append on this machine: inserting and committing a row of about an
// entry's size over one connection, and syncing one page to disk without any database.
func BenchmarkDurableInsertWithoutNorn(b *testing.B) {
	synced, err := pgtest.Start()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { synced.Stop() })
	body := bytes.Repeat([]byte("x"), 300)
	b.Run("commit", func(b *testing.B) {
		conn, err := pgx.Connect(b.Context(), synced.URL("postgres"))
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close(context.Background())
		if _, err := conn.Exec(b.Context(),
			"CREATE TABLE IF NOT EXISTS bare (n bigint PRIMARY KEY, body bytea); TRUNCATE bare"); err != nil {
			b.Fatal(err)
		}
		b.ResetTimer()
		for n := range b.N {
			if _, err := conn.Exec(b.Context(), "INSERT INTO bare VALUES ($1, $2)", n, body); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
	})
	b.Run("sync", func(b *testing.B) {
		file, err := os.Create(filepath.Join(b.TempDir(), "page"))
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		page := make([]byte, 8192)
		b.ResetTimer()
		for range b.N {
			if _, err := file.Write(page); err != nil {
				b.Fatal(err)
			}
			if err := file.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// database creates a new database.
func database(t *testing.T) string {
	t.Helper()
	address, err := server.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func at(address string) journaltest.Open {
	return func() (journal.Journal, error) { return postgres.Open(context.Background(), address) }
}
