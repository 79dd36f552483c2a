package journaltest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"norn/journal"
)

// Bench measures a driver: durable appends per second by 1, 8, 64 and 256 callers, each at its own
// table and with a key on every entry, and reading 1,000 entries.
func Bench(b *testing.B, place func(b *testing.B) Open) {
	body := fmt.Appendf(
		nil,
		`{"trail":[{"sides":10,"faces":[3,9,10]}],"events":[{"type":"spire.stress.v1","text":"%0200d"}]}`,
		0,
	)
	for _, callers := range []int{1, 8, 64, 256} {
		b.Run(fmt.Sprintf("append/callers=%d", callers), func(b *testing.B) {
			j := openForBench(b, place(b))
			var left atomic.Int64
			left.Store(int64(b.N))
			var all sync.WaitGroup
			b.ResetTimer()
			for i := range callers {
				all.Go(func() {
					table := fmt.Sprint("table-", i)
					for n := uint64(0); left.Add(-1) >= 0; n++ {
						e := entryWithKey(int(n), "gm", fmt.Sprint("key-", n))
						e.Body = body
						if _, err := j.Append(context.Background(), table, n, e); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
		})
	}
	b.Run("read/entries=1000", func(b *testing.B) {
		j := openForBench(b, place(b))
		for n := range uint64(100) { // mixed with the entries of another table
			for _, table := range []string{"t", "u"} {
				var entries []journal.Entry
				for range 10 {
					e := entry(int(n))
					e.Body = body
					entries = append(entries, e)
				}
				if _, err := j.Append(context.Background(), table, n*10, entries...); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ResetTimer()
		for range b.N {
			got, err := j.Read(context.Background(), "t", 0, 0)
			if err != nil || len(got) != 1000 {
				b.Fatalf("read %d entries, %v", len(got), err)
			}
		}
		b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "entries/s")
	})
}

func openForBench(b *testing.B, open Open) journal.Journal {
	b.Helper()
	j, err := open()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { j.Close() })
	return j
}
