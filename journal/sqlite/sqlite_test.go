package sqlite_test

import (
	"context"
	"testing"

	"norn/journal"
	"norn/journal/journaltest"
	"norn/journal/sqlite"
)

func TestSQLiteKeepsTheJournalContract(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journaltest.Open {
		return in(t.TempDir())
	})
}

func BenchmarkJournal(b *testing.B) {
	journaltest.Bench(b, func(b *testing.B) journaltest.Open {
		return in(b.TempDir())
	})
}

func in(dir string) journaltest.Open {
	return func() (journal.Journal, error) { return sqlite.Open(context.Background(), dir) }
}
