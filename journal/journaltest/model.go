package journaltest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/journal"
)

// model compares a journal with plain slices over random calls. All checks share one journal, but
// each has its own tables.
func model(t *testing.T, open Open) {
	j := openJournal(t, open)
	check := 0
	rapid.Check(t, func(t *rapid.T) {
		check++
		tables := []string{fmt.Sprint(check, "-a"), fmt.Sprint(check, "-b")}
		table := rapid.SampledFrom(tables)
		seat := rapid.SampledFrom([]string{"", "gm", "player"})
		key := rapid.SampledFrom([]string{"", "k1", "k2", "k3"})
		m := make(map[string][]journal.Entry)

		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				table := table.Draw(t, "table")
				off := rapid.SampledFrom([]int{0, 0, 0, 0, -1, 1}).Draw(t, "off")
				expect := uint64(max(0, len(m[table])+off))
				var entries []journal.Entry
				for i := range rapid.IntRange(1, 3).Draw(t, "entries") {
					entries = append(entries, entryWithKey(len(m[table])+i, seat.Draw(t, "seat"), key.Draw(t, "key")))
				}
				got, err := j.Append(context.Background(), table, expect, entries...)
				after, want := modelAppend(m[table], table, expect, entries)
				m[table] = after
				if want == nil {
					want = err
					if err != nil {
						t.Fatalf("append: %v", err)
					}
					if d := cmp.Diff(after[expect:], got); d != "" {
						t.Fatalf("appended (-want +got):\n%s", d)
					}
				}
				if fmt.Sprintf("%T %v", err, err) != fmt.Sprintf("%T %v", want, want) {
					t.Fatalf("append: got error %v, want %v", err, want)
				}
			},
			"find": func(t *rapid.T) {
				table, seat, key := table.Draw(t, "table"), seat.Draw(t, "seat"), key.Draw(t, "key")
				got, err := j.Find(context.Background(), table, seat, key)
				at := slices.IndexFunc(
					m[table],
					func(e journal.Entry) bool { return key != "" && e.Seat == seat && e.Key == key },
				)
				if at < 0 {
					if !errors.Is(err, journal.ErrNotFound) {
						t.Fatalf("find: got error %v, want ErrNotFound", err)
					}
					return
				}
				if d := cmp.Diff(m[table][at], got); err != nil || d != "" {
					t.Fatalf("find: %v (-want +got):\n%s", err, d)
				}
			},
			"read": func(t *rapid.T) {
				table := table.Draw(t, "table")
				after, limit := rapid.IntRange(0, 12).Draw(t, "after"), rapid.IntRange(0, 6).Draw(t, "limit")
				want := m[table][min(after, len(m[table])):]
				if limit > 0 {
					want = want[:min(limit, len(want))]
				}
				got, err := j.Read(context.Background(), table, uint64(after), limit)
				if d := cmp.Diff(append([]journal.Entry{}, want...), append([]journal.Entry{}, got...)); err != nil ||
					d != "" {
					t.Fatalf("read: %v (-want +got):\n%s", err, d)
				}
			},
		})
	})
}

// modelAppend is Append on a slice. It returns the expected error, or the table afterwards.
func modelAppend(have []journal.Entry, table string, expect uint64, entries []journal.Entry) ([]journal.Entry, error) {
	numbered, err := journal.Number(table, expect, entries)
	if err != nil {
		return have, err
	}
	for _, e := range numbered {
		for _, h := range have {
			if e.Key != "" && e.Seat == h.Seat && e.Key == h.Key {
				return have, &journal.DuplicateError{Entry: h}
			}
		}
	}
	if expect != uint64(len(have)) {
		return have, &journal.ConflictError{Table: table, Expected: expect, Have: uint64(len(have))}
	}
	return append(slices.Clip(have), numbered...), nil
}
