package journaltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"norn/journal"
)

func empty(t *testing.T, open Open) {
	j := openJournal(t, open)
	if got := mustRead(t, j, "t", 0, 0); len(got) != 0 {
		t.Errorf("read %v from an empty journal", got)
	}
	if _, err := j.Find(context.Background(), "t", "gm", "k"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("find: got error %v, want ErrNotFound", err)
	}
	got, err := j.Tables(context.Background())
	if err != nil || len(got) != 0 {
		t.Errorf("tables: got %v, %v", got, err)
	}
}

func roundTrip(t *testing.T, open Open) {
	j := openJournal(t, open)
	kyiv := time.FixedZone("", 2*3600)
	given := []journal.Entry{
		{
			Time: time.Date(2026, 3, 1, 20, 30, 0, 987_654_321, kyiv),
			Seat: "мавка",
			Move: "spire.check",
			Key:  "ключ '\"; --",
			Body: []byte(`{"text":"✓"}`),
		},
		{Time: time.Date(1969, 7, 20, 20, 17, 40, 1_999, time.UTC)},
	}
	want := []journal.Entry{
		{
			Table: "стол/1",
			Seq:   1,
			Time:  time.Date(2026, 3, 1, 18, 30, 0, 987_654_000, time.UTC),
			Seat:  "мавка",
			Move:  "spire.check",
			Key:   "ключ '\"; --",
			Body:  []byte(`{"text":"✓"}`),
		},
		{Table: "стол/1", Seq: 2, Time: time.Date(1969, 7, 20, 20, 17, 40, 1_000, time.UTC), Body: []byte{}},
	}
	same(t, "append", mustAppend(t, j, "стол/1", 0, given...), want)
	got := mustRead(t, j, "стол/1", 0, 0)
	same(t, "read", got, want)
	if got[0].Time.Location() != time.UTC {
		t.Errorf("time is in %v, want UTC", got[0].Time.Location())
	}
	found, err := j.Find(context.Background(), "стол/1", "мавка", "ключ '\"; --")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "find", found, want[0])
	if given[0].Table != "" || given[0].Seq != 0 {
		t.Error("append changed the given entries")
	}
}

func numbering(t *testing.T, open Open) {
	j := openJournal(t, open)
	var want []journal.Entry
	for _, n := range []int{1, 3, 1, 2, 5} {
		var batch []journal.Entry
		for range n {
			batch = append(batch, entry(len(want)+len(batch)+1))
		}
		got := mustAppend(t, j, "t", uint64(len(want)), batch...)
		for i, e := range batch {
			want = append(want, entryAt("t", uint64(len(want)+1), e))
			same(t, "appended", got[i], want[len(want)-1])
		}
	}
	same(t, "read", mustRead(t, j, "t", 0, 0), want)
	// Another table starts at 1 again.
	if got := mustAppend(t, j, "u", 0, entry(1)); got[0].Seq != 1 {
		t.Errorf("first entry of another table is %d", got[0].Seq)
	}
	// Exported entries can be appended unchanged.
	same(
		t,
		"entries with table and seq",
		mustAppend(t, j, "t", 12, entryAt("t", 13, entry(13))),
		[]journal.Entry{entryAt("t", 13, entry(13))},
	)
}

func paging(t *testing.T, open Open) {
	j := openJournal(t, open)
	for n := range 10 {
		mustAppend(t, j, "t", uint64(n), entry(n+1))
		mustAppend(t, j, "other", uint64(n), entry(n+1))
	}
	for _, c := range []struct {
		after uint64
		limit int
		want  []uint64
	}{
		{0, 0, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{0, 3, []uint64{1, 2, 3}},
		{3, 3, []uint64{4, 5, 6}},
		{8, 3, []uint64{9, 10}},
		{9, 1, []uint64{10}},
		{7, 0, []uint64{8, 9, 10}},
		{10, 0, nil},
		{11, 5, nil},
		{math.MaxInt64, 0, nil},
		{math.MaxUint64, 0, nil},
		{0, math.MaxInt, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		var got []uint64
		for _, e := range mustRead(t, j, "t", c.after, c.limit) {
			got = append(got, e.Seq)
			same(t, "entry", e, entryAt("t", e.Seq, entry(int(e.Seq))))
		}
		same(t, fmt.Sprintf("after %d, limit %d", c.after, c.limit), got, c.want)
	}
	_, err := j.Read(context.Background(), "t", 0, -1)
	if e := wantErr[*journal.InvalidError](t, err); e.Field != "limit" {
		t.Errorf("refused %q, want limit", e.Field)
	}
}

func byMove(t *testing.T, open Open) {
	j := openJournal(t, open)
	want := map[string][]journal.Entry{}
	for n, move := range []string{"m1", "", "m3", "m1", "M1", "m3", "", "m1"} {
		e := entry(n)
		e.Move = move
		want[move] = append(want[move], mustAppend(t, j, "t", uint64(n), e)...)
		mustAppend(t, j, "other", uint64(n), e)
	}
	look := func(move string, want []journal.Entry) {
		got, err := j.ReadMove(context.Background(), "t", move)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "move "+move, got, want)
	}
	for _, move := range []string{"m1", "m3", "M1"} {
		look(move, want[move])
	}
	for _, move := range []string{"", "m2", "\x00", "\xff"} {
		look(move, nil)
	}
}

func snapshots(t *testing.T, open Open) {
	j := openJournal(t, open)
	look := func(table, want string) {
		t.Helper()
		got, err := j.Snapshot(context.Background(), table)
		if want == "" && !errors.Is(err, journal.ErrNotFound) || want != "" && (err != nil || string(got) != want) {
			t.Errorf("of %s there is %q, %v, want %q", table, got, err, want)
		}
	}
	keep := func(table, data string) {
		t.Helper()
		if err := j.KeepSnapshot(context.Background(), table, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	look("t", "")
	keep("t", "one\x00")
	keep("u", "other")
	keep("t", "two")
	look("t", "two")
	look("u", "other")
	look("v", "")
	if got := mustRead(t, j, "t", 0, 0); len(got) > 0 {
		t.Errorf("a snapshot made entries: %v", got)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Snapshot(context.Background(), "t"); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("after close: %v", err)
	}
	if err := j.KeepSnapshot(context.Background(), "t", nil); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("after close: %v", err)
	}
	j = openJournal(t, open)
	look("t", "two")
}

func heads(t *testing.T, open Open) {
	j := openJournal(t, open)
	for _, table := range []string{"b", "ї", "a", "a1", "B"} {
		mustAppend(t, j, table, 0, entry(1))
	}
	mustAppend(t, j, "a", 1, entry(2), entry(3))
	got, err := j.Tables(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "tables", got, []journal.Head{
		{Table: "B", Seq: 1, Time: entry(1).Time},
		{Table: "a", Seq: 3, Time: entry(3).Time},
		{Table: "a1", Seq: 1, Time: entry(1).Time},
		{Table: "b", Seq: 1, Time: entry(1).Time},
		{Table: "ї", Seq: 1, Time: entry(1).Time},
	})
}

// invalid tests one case for each method; the tests of journal.Number, which drivers call, have the
// rest.
func invalid(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entry(1))
	big := entry(2)
	big.Body = make([]byte, journal.MaxBody+1)
	for _, c := range []struct {
		table   string
		expect  uint64
		entries []journal.Entry
		field   string
	}{
		{"", 0, []journal.Entry{entry(1)}, "table"},
		{"t", 1, nil, "entries"},
		{"t", math.MaxUint64, []journal.Entry{entry(2)}, "expect"},
		{"t", 1, []journal.Entry{entry(2), big}, "entries[1].body"},
		{"t", 1, []journal.Entry{entryWithKey(2, "gm", strings.Repeat("k", journal.MaxText+1))}, "entries[0].key"},
		{"t", 1, []journal.Entry{entryWithKey(2, "gm", "k"), entryWithKey(3, "gm", "k")}, "entries[1].key"},
		{"t", 1, []journal.Entry{entryWithKey(2, "\xff", "k")}, "entries[0].seat"},
		{"t", 1, []journal.Entry{{Seat: "gm"}}, "entries[0].time"},
	} {
		_, err := j.Append(context.Background(), c.table, c.expect, c.entries...)
		if e := wantErr[*journal.InvalidError](t, err); e.Field != c.field {
			t.Errorf("refused %q, want %q", e.Field, c.field)
		}
	}
	same(t, "after refusals", mustRead(t, j, "t", 0, 0), []journal.Entry{entryAt("t", 1, entry(1))})
}

func conflict(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entry(1), entry(2))
	for _, c := range []struct {
		table        string
		expect, have uint64
	}{
		{"t", 0, 2},
		{"t", 1, 2},
		{"t", 3, 2},
		{"t", math.MaxInt64 - 1, 2},
		{"new", 1, 0},
	} {
		_, err := j.Append(context.Background(), c.table, c.expect, entry(9))
		same(
			t,
			"conflict",
			wantErr[*journal.ConflictError](t, err),
			&journal.ConflictError{Table: c.table, Expected: c.expect, Have: c.have},
		)
	}
	if got := mustRead(t, j, "t", 2, 0); len(got) != 0 {
		t.Errorf("a refused append wrote %v", got)
	}
	if got, _ := j.Tables(context.Background()); len(got) != 1 {
		t.Errorf("a refused append made a table: %v", got)
	}
	mustAppend(t, j, "t", 2, entry(3))
}

func duplicate(t *testing.T, open Open) {
	j := openJournal(t, open)
	first := entryWithKey(1, "gm", "k1")
	mustAppend(t, j, "t", 0, first, entryWithKey(2, "gm", "k2"), entry(3))
	for _, c := range []struct {
		name    string
		expect  uint64
		entries []journal.Entry
		seq     uint64
	}{
		{"repeated as it was", 0, []journal.Entry{first}, 1},
		{"at the head", 3, []journal.Entry{entryWithKey(9, "gm", "k1")}, 1},
		{"before a conflict", 17, []journal.Entry{entryWithKey(9, "gm", "k2")}, 2},
		{"behind new keys", 3, []journal.Entry{entry(9), entryWithKey(9, "gm", "new"), entryWithKey(9, "gm", "k2")}, 2},
		{"the first of two", 3, []journal.Entry{entryWithKey(9, "gm", "k2"), entryWithKey(9, "gm", "k1")}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := j.Append(context.Background(), "t", c.expect, c.entries...)
			e := wantErr[*journal.DuplicateError](t, err)
			same(t, "the entry that stands", e.Entry, mustRead(t, j, "t", c.seq-1, 1)[0])
		})
	}
	if got := mustRead(t, j, "t", 3, 0); len(got) != 0 {
		t.Errorf("a refused append wrote %v", got)
	}
}

func keysApart(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(
		t,
		j,
		"t",
		0,
		entryWithKey(1, "gm", "k"),
		entryWithKey(2, "player", "k"),
		entryWithKey(3, "", "k"),
		entryWithKey(4, "gm", "K"),
	)
	mustAppend(t, j, "u", 0, entryWithKey(1, "gm", "k"))
	mustAppend(t, j, "t", 4, entry(5), entry(6)) // no keys at all
	mustAppend(t, j, "t", 6, entry(7))
	for seat, seq := range map[string]uint64{"gm": 1, "player": 2, "": 3} {
		e, err := j.Find(context.Background(), "t", seat, "k")
		if err != nil || e.Seq != seq {
			t.Errorf("find %q: got entry %d, %v, want %d", seat, e.Seq, err, seq)
		}
	}
	for _, c := range [][3]string{
		{"t", "gm", ""},
		{"t", "", ""},
		{"t", "gm", "other"},
		{"t", "nobody", "k"},
		{"v", "gm", "k"},
	} {
		if e, err := j.Find(context.Background(), c[0], c[1], c[2]); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("find %q: got entry %d, error %v, want ErrNotFound", c, e.Seq, err)
		}
	}
}

func allOrNothing(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entryWithKey(1, "gm", "k"))
	batch := []journal.Entry{entryWithKey(2, "gm", "a"), entryWithKey(3, "gm", "b"), entryWithKey(4, "gm", "k")}
	_, err := j.Append(context.Background(), "t", 1, batch...)
	wantErr[*journal.DuplicateError](t, err)
	_, err = j.Append(context.Background(), "t", 0, batch[:2]...)
	wantErr[*journal.ConflictError](t, err)
	// The keys of refused entries are still free.
	mustAppend(t, j, "t", 1, batch[:2]...)
	if got := mustRead(t, j, "t", 0, 0); len(got) != 3 {
		t.Errorf("got %d entries, want 3", len(got))
	}
}

func bodies(t *testing.T, open Open) {
	j := openJournal(t, open)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	var entries []journal.Entry
	for i, body := range [][]byte{{0}, all, bytes.Repeat(all, journal.MaxBody/256), bytes.Repeat([]byte("ж"), 50_000)} {
		e := entry(i)
		e.Body = body
		entries = append(entries, e)
	}
	mustAppend(t, j, "t", 0, entries...)
	for i, e := range mustRead(t, j, "t", 0, 0) {
		if !bytes.Equal(e.Body, entries[i].Body) {
			t.Errorf("body %d of %d bytes came back changed, with %d bytes", i, len(entries[i].Body), len(e.Body))
		}
	}
	// Readers may change the bodies they get.
	clear(mustRead(t, j, "t", 1, 1)[0].Body)
	if got := mustRead(t, j, "t", 1, 1)[0].Body; !bytes.Equal(got, all) {
		t.Error("changing a read body changed the journal")
	}
}

func reopen(t *testing.T, open Open) {
	var want []journal.Entry
	for round := range 3 {
		j := openJournal(t, open)
		same(t, fmt.Sprintf("round %d", round), mustRead(t, j, "t", 0, 0), want)
		n := len(want)
		want = append(want, mustAppend(t, j, "t", uint64(n), entryWithKey(n, "gm", fmt.Sprint("k", n)), entry(n+1))...)
		if round > 0 {
			_, err := j.Append(context.Background(), "t", uint64(len(want)), entryWithKey(9, "gm", "k0"))
			same(t, "duplicate of an earlier round", wantErr[*journal.DuplicateError](t, err).Entry, want[0])
		}
		if err := j.Close(); err != nil {
			t.Fatal("close:", err)
		}
	}
}

func refusesAfterClose(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entryWithKey(1, "gm", "k"))
	for range 2 {
		if err := j.Close(); err != nil {
			t.Fatal("close:", err)
		}
	}
	ctx := context.Background()
	_, err := j.Append(ctx, "t", 1, entry(2))
	_, err2 := j.Read(ctx, "t", 0, 0)
	_, err3 := j.Find(ctx, "t", "gm", "k")
	_, err4 := j.Tables(ctx)
	for i, err := range []error{err, err2, err3, err4} {
		if !errors.Is(err, journal.ErrClosed) {
			t.Errorf("%s: got error %v, want ErrClosed", []string{"append", "read", "find", "tables"}[i], err)
		}
	}
}

func contexts(t *testing.T, open Open) {
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entryWithKey(1, "gm", "k"))
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithDeadline(context.Background(), start.AddDate(-20, 0, 0))
	defer cancel()
	for _, c := range []struct {
		ctx  context.Context
		want error
	}{{gone, context.Canceled}, {late, context.DeadlineExceeded}} {
		_, err := j.Append(c.ctx, "t", 1, entry(2))
		_, err2 := j.Read(c.ctx, "t", 0, 0)
		_, err3 := j.Find(c.ctx, "t", "gm", "k")
		_, err4 := j.Tables(c.ctx)
		for i, err := range []error{err, err2, err3, err4} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: got error %v, want %v", []string{"append", "read", "find", "tables"}[i], err, c.want)
			}
		}
	}
	// A context that ended before the call writes nothing in any driver.
	if got := mustRead(t, j, "t", 1, 0); len(got) != 0 {
		t.Errorf("a cancelled append wrote %v", got)
	}
	mustAppend(t, j, "t", 1, entry(2))
}
