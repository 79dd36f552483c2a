package table_test

import (
	"testing"

	"norn/lang"
	"norn/relay/local"
	"norn/table/request"
)

// Reading and folding a table of 1,000 entries.
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

// One move from the request to the entry shown, with SQLite's commit.
func BenchmarkMove(b *testing.B) {
	d := newDesk(b)
	b.ReportAllocs()
	for b.Loop() {
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
	}
}

// The same without a disk: what the table itself costs.
func BenchmarkMoveInMemory(b *testing.B) {
	d := newDeskOver(b, newMemory())
	b.ReportAllocs()
	for b.Loop() {
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
	}
}

// The newest 100 entries as a player sees them.
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
