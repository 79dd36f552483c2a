package postgres_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"norn/journal"
	"norn/journal/journaltest"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
)

// server is what the tests of this package share, each with a database of its own.
var server *pgtest.Server

func TestMain(m *testing.M) {
	var err error
	if server, err = pgtest.Start("fsync=off"); err != nil { // those who need fsync start their own
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

func TestContract(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journaltest.Open { return at(database(t)) })
}

func TestSharedByNodes(t *testing.T) {
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

// database makes a new database.
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
