package journaltest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"norn/journal"
)

// together runs n functions at the same time and waits for them.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-gate
			f(i)
		})
	}
	close(gate)
	all.Wait()
}

// push appends one entry to the end of the table: after a conflict it tries again from the new end.
func push(
	ctx context.Context,
	j journal.Journal,
	table string,
	expect uint64,
	e journal.Entry,
) ([]journal.Entry, error) {
	for {
		got, err := j.Append(ctx, table, expect, e)
		var conflict *journal.ConflictError
		if !errors.As(err, &conflict) {
			return got, err
		}
		expect = conflict.Have
	}
}

// unbroken checks that a table's entries are numbered without gaps, and counts its keys.
func unbroken(t *testing.T, j journal.Journal, table string) (keys map[string]int) {
	t.Helper()
	keys = make(map[string]int)
	for i, e := range mustRead(t, j, table, 0, 0) {
		if e.Seq != uint64(i+1) {
			t.Fatalf("table %s: entry %d stands at place %d", table, e.Seq, i+1)
		}
		keys[e.Key]++
	}
	return keys
}

func oneWriterWins(t *testing.T, open Open) {
	const writers, rounds = 16, 10
	j := openJournal(t, open)
	for round := range uint64(rounds) {
		errs := make([]error, writers)
		together(writers, func(i int) {
			_, errs[i] = j.Append(context.Background(), "t", round, entry(i))
		})
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			same(
				t,
				"loser",
				wantErr[*journal.ConflictError](t, err),
				&journal.ConflictError{Table: "t", Expected: round, Have: round + 1},
			)
		}
		if won != 1 {
			t.Fatalf("%d of %d writers won round %d", won, writers, round)
		}
	}
	unbroken(t, j, "t")

	// Writers who lose a race and try again must all succeed.
	together(writers, func(i int) {
		for n := range 5 {
			if _, err := push(context.Background(), j, "u", 0,
				entryWithKey(i, "gm", fmt.Sprint(i, "-", n))); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		}
	})
	if keys := unbroken(t, j, "u"); len(keys) != writers*5 {
		t.Errorf("%d entries came through, want %d", len(keys), writers*5)
	}
}

func oneKeyWins(t *testing.T, open Open) {
	const repeats = 16
	j := openJournal(t, open)
	mustAppend(t, j, "t", 0, entry(1))
	results := make([]journal.Entry, repeats)
	fresh := make([]bool, repeats)
	together(repeats, func(i int) {
		got, err := push(context.Background(), j, "t", uint64(i%3), entryWithKey(i, "gm", "same"))
		var twice *journal.DuplicateError
		switch {
		case err == nil:
			results[i], fresh[i] = got[0], true
		case errors.As(err, &twice):
			results[i] = twice.Entry
		default:
			t.Errorf("repeat %d: %v", i, err)
		}
	})
	stands, err := j.Find(context.Background(), "t", "gm", "same")
	if err != nil {
		t.Fatal(err)
	}
	won := 0
	for i := range repeats {
		same(t, "result of a repeat", results[i], stands)
		if fresh[i] {
			won++
		}
	}
	if keys := unbroken(t, j, "t"); won != 1 || keys["same"] != 1 {
		t.Errorf("%d writers won and %d entries stand, want 1 and 1", won, keys["same"])
	}
}

func manyTables(t *testing.T, open Open) {
	const tables, entries = 40, 15
	j := openJournal(t, open)
	name := func(i int) string { return fmt.Sprintf("table-%02d", i) }
	together(tables, func(i int) {
		for n := range uint64(entries) {
			e := entryWithKey(int(n), "gm", fmt.Sprint(n))
			if i%5 == 0 { // some cause a conflict within the shared transaction
				_, err := j.Append(context.Background(), name(i), n+1, e)
				var conflict *journal.ConflictError
				if !errors.As(err, &conflict) {
					t.Errorf("%s: got error %v, want *ConflictError", name(i), err)
				}
			}
			got, err := j.Append(context.Background(), name(i), n, e)
			if err != nil {
				t.Errorf("%s: %v", name(i), err)
				return
			}
			// An acknowledged entry must be readable at once.
			read, err := j.Read(context.Background(), name(i), n, 1)
			if err != nil || len(read) != 1 || read[0].Seq != got[0].Seq {
				t.Errorf("%s: entry %d isn't there after its append: %v, %v", name(i), n+1, read, err)
			}
		}
	})
	heads, err := j.Tables(context.Background())
	if err != nil || len(heads) != tables {
		t.Fatalf("got %d tables, %v, want %d", len(heads), err, tables)
	}
	for i, h := range heads {
		same(t, "head", h, journal.Head{Table: name(i), Seq: entries, Time: entry(entries - 1).Time})
		unbroken(t, j, h.Table)
	}
}

func wholeAppends(t *testing.T, open Open) {
	const batch = 5
	j := openJournal(t, open)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for last := uint64(0); ; {
				select {
				case <-done:
					return
				default:
				}
				heads, err := j.Tables(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				for _, h := range heads {
					if h.Seq%batch != 0 || h.Seq < last {
						t.Errorf("a reader saw the table at %d after %d", h.Seq, last)
					}
					last = h.Seq
				}
			}
		})
	}
	for n := range uint64(40) {
		mustAppend(t, j, "t", n*batch, entry(1), entry(2), entry(3), entry(4), entry(5))
	}
	close(done)
	readers.Wait()
}

// contextWhileWaiting checks that a caller who gives up can find out by the key whether the entry
// was written, and that repeating it leads to one entry.
func contextWhileWaiting(t *testing.T, open Open) {
	const callers, each = 16, 12
	j := openJournal(t, open)
	var mu sync.Mutex
	outcome := make(map[string]error)
	together(callers, func(i int) {
		table := fmt.Sprint("t", i%4)
		for n := range each {
			key := fmt.Sprint(table, "-", i, "-", n)
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(n*n)*20*time.Microsecond)
			_, err := push(ctx, j, table, 0, entryWithKey(n, "gm", key))
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", key, err)
			}
			mu.Lock()
			outcome[key] = err
			mu.Unlock()
		}
	})
	for i := range 4 {
		table := fmt.Sprint("t", i)
		for key, n := range unbroken(t, j, table) {
			if n != 1 {
				t.Errorf("key %s stands %d times", key, n)
			}
		}
	}
	for key, err := range outcome {
		table := key[:2]
		_, found := j.Find(context.Background(), table, "gm", key)
		if err == nil && found != nil {
			t.Errorf("%s was acknowledged but not found: %v", key, found)
		}
		_, again := push(context.Background(), j, table, 0, entryWithKey(0, "gm", key))
		var twice *journal.DuplicateError
		if standing := errors.As(again, &twice); standing != (found == nil) || !standing && again != nil {
			t.Errorf("%s: found %v, repeated %v", key, found, again)
		}
	}
}

func closeDrains(t *testing.T, open Open) {
	const callers = 16
	j := openJournal(t, open)
	acked := make([]uint64, callers)
	begun := make(chan struct{}, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for n := uint64(0); ; n++ {
				_, err := j.Append(context.Background(), fmt.Sprint("t", i), n, entry(int(n)))
				if errors.Is(err, journal.ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				acked[i] = n + 1
				if n == 0 {
					begun <- struct{}{}
				}
			}
		})
	}
	for range callers {
		<-begun
	}
	together(3, func(int) {
		if err := j.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	all.Wait()

	again := openJournal(t, open)
	for i := range callers {
		if got := len(mustRead(t, again, fmt.Sprint("t", i), 0, 0)); got != int(acked[i]) {
			t.Errorf("table t%d has %d entries, %d were acknowledged", i, got, acked[i])
		}
	}
}
