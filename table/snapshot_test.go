package table_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"norn/games"
	"norn/journal"
	"norn/table"
)

// Folding from the first entry or from a snapshot gives the same state, to the byte. The tables are
// those of all editions of all games, with every case of their rules, and the snapshots are taken
// anywhere.
func TestFoldingFromASnapshotGivesTheSameState(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	paths, err := filepath.Glob("../playtest/editions/testdata/*/*.json.zst")
	if err != nil || len(paths) < 2*len(games.All()) {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimPrefix(filepath.ToSlash(path), "../playtest/editions/testdata/"), func(t *testing.T) {
			t.Parallel()
			packed, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer packed.Close()
			r, err := zstd.NewReader(packed, zstd.WithDecoderMaxWindow(1<<30))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var recorded struct {
				Evenings []struct {
					Table   string
					Entries []struct {
						Time            time.Time
						Seat, Move, Key string
						Body            json.RawMessage
					}
				}
			}
			if err := json.NewDecoder(r).Decode(&recorded); err != nil {
				t.Fatal(err)
			}
			drawn := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 25))
			taken := 0
			for _, ev := range recorded.Evenings {
				entries := make([]journal.Entry, len(ev.Entries))
				for i, e := range ev.Entries {
					entries[i] = journal.Entry{
						Table: ev.Table, Seq: uint64(i + 1), Time: e.Time, Seat: e.Seat,
						Move: e.Move, Key: e.Key, Body: e.Body,
					}
				}
				some := 1 + len(entries)/4
				n, err := table.Refold(t.Context(), games.All(), ev.Table, entries, func(uint64) bool {
					return drawn.IntN(some) == 0
				})
				if err != nil {
					t.Fatal(err)
				}
				taken += n
			}
			if taken < 20 {
				t.Errorf("only %d snapshots were taken", taken)
			}
		})
	}
}
