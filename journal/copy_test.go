package journal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"norn/journal"
	"norn/journal/sqlite"
)

func place(t *testing.T) journal.Journal {
	t.Helper()
	j, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func fill(t *testing.T, j journal.Journal, table string, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		e := journal.Entry{
			Time: time.Unix(int64(n), 0),
			Seat: "gm",
			Key:  fmt.Sprint(n),
			Body: []byte(fmt.Sprint("body ", n)),
		}
		if _, err := j.Append(t.Context(), table, uint64(n), e); err != nil {
			t.Fatal(err)
		}
	}
}

func all(t *testing.T, j journal.Journal, table string) []journal.Entry {
	t.Helper()
	entries, err := j.Read(t.Context(), table, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func sums(t *testing.T, j journal.Journal, table string) [32]byte {
	t.Helper()
	return journal.Sum(all(t, j, table))
}

// A copy writes what is missing, and a second copy writes nothing.
func TestCopyWritesOnlyMissingEntries(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 200} {
		from, to := place(t), place(t)
		fill(t, from, "t", 0, n)
		fill(t, to, "t", 0, n/2)
		written, err := journal.Copy(t.Context(), to, "t", all(t, from, "t"))
		if err != nil || written != n-n/2 {
			t.Errorf("%d entries: wrote %d, %v", n, written, err)
		}
		if sums(t, from, "t") != sums(t, to, "t") {
			t.Errorf("%d entries: the copy differs", n)
		}
		if written, err := journal.Copy(t.Context(), to, "t", all(t, from, "t")); err != nil || written != 0 {
			t.Errorf("%d entries, again: wrote %d, %v", n, written, err)
		}
	}
}

// failing is a journal that accepts no entries.
type failing struct {
	journal.Journal
	asked int
}

func (f *failing) Append(context.Context, string, uint64, ...journal.Entry) ([]journal.Entry, error) {
	f.asked++
	return nil, &journal.UnavailableError{Err: errors.New("the line broke")}
}

// A table is copied completely or not at all, even a long one.
func TestATableIsCopiedWholeOrNotAtAll(t *testing.T) {
	from, to := place(t), place(t)
	fill(t, from, "t", 0, 150)
	broken := &failing{Journal: to}
	written, err := journal.Copy(t.Context(), broken, "t", all(t, from, "t"))
	var gone *journal.UnavailableError
	if !errors.As(err, &gone) || written != 0 || broken.asked != 1 || len(all(t, to, "t")) != 0 {
		t.Fatalf("wrote %d in %d appends, %v", written, broken.asked, err)
	}
	if written, err := journal.Copy(t.Context(), to, "t", all(t, from, "t")); err != nil || written != 150 {
		t.Errorf("wrote %d, %v", written, err)
	}
}

// A target that has another table with the same id must not be changed.
func TestCopyRefusesADifferentTable(t *testing.T) {
	for _, c := range []struct {
		name       string
		from, want int
		more       bool
		change     func(e *journal.Entry)
	}{
		{"another body", 100, 71, false, func(e *journal.Entry) { e.Body = []byte("other") }},
		{"another time", 100, 71, false, func(e *journal.Entry) { e.Time = e.Time.Add(time.Microsecond) }},
		{"another key", 100, 71, false, func(e *journal.Entry) { e.Key = "other" }},
		{"more entries", 70, 71, true, func(*journal.Entry) {}},
	} {
		from, to := place(t), place(t)
		fill(t, from, "t", 0, c.from)
		fill(t, to, "t", 0, 70)
		e := journal.Entry{Time: time.Unix(70, 0), Seat: "gm", Key: "70", Body: []byte("body 70")}
		c.change(&e)
		if _, err := to.Append(t.Context(), "t", 70, e); err != nil {
			t.Fatal(err)
		}
		before := sums(t, to, "t")
		_, err := journal.Copy(t.Context(), to, "t", all(t, from, "t"))
		var different *journal.DifferentError
		if !errors.As(err, &different) || different.Seq != uint64(c.want) || different.More != c.more {
			t.Errorf("%s: got %v", c.name, err)
		}
		if sums(t, to, "t") != before {
			t.Errorf("%s: the target changed", c.name)
		}
	}
}
