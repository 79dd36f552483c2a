package table_test

import (
	"testing"

	"norn/internal/relay/local"
	"norn/lang"
	"norn/table/request"
)

// BenchmarkFold1000 reads and folds a table of 1,000 entries.
func BenchmarkFold1000(b *testing.B) {
	d := newDeskOver(b, newMemory())
	for d.view(d.gm).Seq < 1000 {
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
		d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := newHost(d.journal, local.New()).Enter(b.Context(), d.id, d.secrets["s1"], lang.En); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMove makes a move, from the request to the response, with SQLite's commit.
func BenchmarkMove(b *testing.B) {
	d := newDesk(b)
	b.ReportAllocs()
	for b.Loop() {
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
	}
}

// BenchmarkMoveInMemory makes the same move without a disk, to measure the table alone.
func BenchmarkMoveInMemory(b *testing.B) {
	d := newDeskOver(b, newMemory())
	b.ReportAllocs()
	for b.Loop() {
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
	}
}

// BenchmarkLast100 returns the newest 100 entries to a player.
func BenchmarkLast100(b *testing.B) {
	d := newDeskOver(b, newMemory())
	for range 100 {
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.boris.Last(b.Context(), 100); err != nil {
			b.Fatal(err)
		}
	}
}
