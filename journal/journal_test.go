package journal

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 123_456_789, time.FixedZone("", 3600))

func TestNumberGivesEntriesTheirTableAndSequence(t *testing.T) {
	given := []Entry{{Time: noon, Seat: "gm", Key: "a", Body: []byte("{}")}, {Table: "t", Seq: 9, Time: noon}}
	want := []Entry{
		{
			Table: "t",
			Seq:   8,
			Time:  time.Date(2026, 3, 1, 11, 0, 0, 123_456_000, time.UTC),
			Seat:  "gm",
			Key:   "a",
			Body:  []byte("{}"),
		},
		{Table: "t", Seq: 9, Time: time.Date(2026, 3, 1, 11, 0, 0, 123_456_000, time.UTC), Body: []byte{}},
	}
	got, err := Number("t", 7, given)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("numbered (-want +got):\n%s", d)
	}
	if given[0].Table != "" || given[0].Seq != 0 || given[1].Body != nil {
		t.Error("the given entries were changed")
	}
}

func TestNumberRefusesEntriesBeyondTheirBounds(t *testing.T) {
	long := strings.Repeat("x", MaxText+1)
	one := func(e Entry) []Entry {
		e.Time = noon
		return []Entry{e}
	}
	for _, c := range []struct {
		name    string
		table   string
		expect  uint64
		entries []Entry
		field   string
		problem string // a part of the expected text
	}{
		{"no table", "", 0, one(Entry{}), "table", "1 to 200"},
		{"long table", long, 0, one(Entry{}), "table", "201 bytes long; at most 200"},
		{"table not UTF-8", "\xff", 0, one(Entry{}), "table", "UTF-8"},
		{"no entries", "t", 0, nil, "entries", "at least one"},
		{"expect past int64", "t", math.MaxInt64 + 1, one(Entry{}), "expect", "9223372036854775807"},
		{"expect all bits", "t", math.MaxUint64, one(Entry{}), "expect", "9223372036854775807"},
		{"no room above expect", "t", math.MaxInt64, one(Entry{}), "expect", "9223372036854775807"},
		{"other table", "t", 0, one(Entry{Table: "u"}), "entries[0].table", `only "t"`},
		{"other seq", "t", 4, one(Entry{Seq: 4}), "entries[0].seq", "only 5"},
		{"no time", "t", 0, []Entry{{Time: noon}, {}}, "entries[1].time", "not set"},
		{
			"time before year 1", "t", 0,
			[]Entry{{Time: time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)}},
			"entries[0].time",
			"1 to 9999",
		},
		{
			"time after year 9999", "t", 0,
			[]Entry{{Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}},
			"entries[0].time", "1 to 9999",
		},
		{
			"time beyond microseconds in int64", "t", 0,
			[]Entry{{Time: time.Unix(math.MaxInt64/4, 0)}},
			"entries[0].time",
			"1 to 9999",
		},
		{"long seat", "t", 0, one(Entry{Seat: long}), "entries[0].seat", "at most 200"},
		{"long move", "t", 0, one(Entry{Move: long}), "entries[0].move", "at most 200"},
		{"long key", "t", 0, one(Entry{Key: long}), "entries[0].key", "at most 200"},
		{"zero byte", "t", 0, one(Entry{Key: "a\x00b"}), "entries[0].key", "zero byte"},
		{
			"long body", "t", 0, one(Entry{Body: make([]byte, MaxBody+1)}), "entries[0].body",
			"1048577 bytes long; at most 1048576",
		},
		{"key twice", "t", 0, append(one(Entry{Key: "k"}), one(Entry{Key: "k"})...), "entries[1].key", "twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Number(c.table, c.expect, c.entries)
			var invalid *InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("got error %v, want *InvalidError", err)
			}
			if invalid.Field != c.field || !strings.Contains(invalid.Problem, c.problem) {
				t.Errorf(
					"got %q %q, want field %q and a problem with %q",
					invalid.Field,
					invalid.Problem,
					c.field,
					c.problem,
				)
			}
		})
	}
}

func TestNumberAcceptsEntriesAtTheLimits(t *testing.T) {
	edge := strings.Repeat("я", MaxText/2)
	_, err := Number(edge, math.MaxInt64-2, []Entry{
		{
			Time: time.Date(1, 1, 1, 0, 0, 0, 1000, time.UTC),
			Seat: edge,
			Move: edge,
			Key:  edge,
			Body: make([]byte, MaxBody),
		},
		{Time: time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), Seat: "other", Key: edge},
	})
	if err != nil {
		t.Fatal(err)
	}
}
