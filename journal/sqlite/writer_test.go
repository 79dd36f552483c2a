package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/internal/rescue"
	"norn/internal/wait"
	"norn/journal"
	"norn/journal/queue"
)

// ask runs SQL on the writer's connection while the writer is idle.
func ask(t *testing.T, j *Journal, query string) (got string) {
	t.Helper()
	if err := j.writer.s.conn.QueryRowContext(context.Background(), query).Scan(&got); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return got
}

func TestWriterUsesDurableSettings(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	for pragma, want := range map[string]string{
		"journal_mode":         "wal",
		"synchronous":          "2", // FULL
		"foreign_keys":         "1",
		"busy_timeout":         "5000",
		"fullfsync":            "1",
		"checkpoint_fullfsync": "1",
	} {
		if got := ask(t, j, "PRAGMA "+pragma); got != want {
			t.Errorf("%s is %s, want %s", pragma, got, want)
		}
	}
}

func TestEntriesCannotBeUpdatedOrDeleted(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	mustAppend(t, j, "t", 0, journal.Entry{Time: noon})
	for _, query := range []string{"UPDATE entries SET body = x'00'", "DELETE FROM entries", "DELETE FROM tables"} {
		if _, err := j.writer.s.conn.ExecContext(context.Background(), query); err == nil {
			t.Errorf("%s passed", query)
		}
	}
}

func TestQueriesUseIndexes(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	for query, indexes := range map[string][]string{
		findEntry:   {"entries_key (table_id=? AND seat=? AND key=?)"},
		readEntries: {"entries_seq (table_id=? AND seq>?)"},
		listHeads:   {"entries_seq (table_id=? AND seq=?)"},
	} {
		rows, err := j.reader.db.Query("EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(detail + "\n")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		for _, index := range indexes {
			if !strings.Contains(plan.String(), index) {
				t.Errorf("%s\ndoesn't use %s:\n%s", query, index, &plan)
			}
		}
		if strings.Contains(plan.String(), "SCAN entries") ||
			query != listHeads && strings.Contains(plan.String(), "SORT") {
			t.Errorf("%s\nlooks at more than it needs:\n%s", query, &plan)
		}
	}
}

func TestReaderConnectionsCannotWrite(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	if _, err := j.reader.db.Exec("INSERT INTO tables (name) VALUES ('x')"); err == nil {
		t.Error("a reader wrote")
	}
}

// TestAppendWorksAgainOnceTheDatabaseIsWritable removes what writing needs, and restores it.
func TestAppendWorksAgainOnceTheDatabaseIsWritable(t *testing.T) {
	for _, c := range []struct{ name, param string }{
		{"full", "&_pragma=max_page_count(1)"}, // SQLite then can't grow the file
		{"read-only", "&_query_only=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			j := mustOpen(t, dir)
			mustAppend(t, j, "t", 0, journal.Entry{Time: noon, Key: "before"})

			good := j.writer.db
			bad, err := connect(j.path, writerParams+c.param)
			if err != nil {
				t.Fatal(err)
			}
			defer bad.Close()
			j.writer.s.discard()
			j.writer.s, j.writer.db = nil, bad
			big := make([]byte, 200_000)
			var all sync.WaitGroup
			for i := range 20 {
				all.Go(func() {
					_, err := j.Append(
						context.Background(),
						fmt.Sprint("u", i),
						0,
						journal.Entry{Time: noon, Key: "k", Body: big},
					)
					var unavailable *journal.UnavailableError
					if !errors.As(err, &unavailable) {
						t.Errorf("got error %v, want *UnavailableError", err)
					}
				})
			}
			all.Wait()
			if got := count(t, j, "t"); got != 1 {
				t.Errorf("reading: got %d entries, want 1", got)
			}
			if j.writer.s != nil {
				t.Error("the failed connection is still in use")
			}

			j.writer.db = good
			for i := range 20 { // repeats must find nothing of the failed attempt
				mustAppend(t, j, fmt.Sprint("u", i), 0, journal.Entry{Time: noon, Key: "k", Body: big})
			}
			mustAppend(t, j, "t", 1, journal.Entry{Time: noon})
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if got := count(t, mustOpen(t, dir), "u7"); got != 1 {
				t.Errorf("after reopening: got %d entries, want 1", got)
			}
		})
	}
}

// TestConcurrentlyCancelledAppendsWriteNothing checks a guarantee that this driver gives beyond the
// contract.
func TestConcurrentlyCancelledAppendsWriteNothing(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	const callers, each = 32, 20
	var all sync.WaitGroup
	var cancelled, written sync.Map
	for i := range callers {
		all.Go(func() {
			table := fmt.Sprint("t", i)
			for n, head := 0, uint64(0); n < each; n++ {
				key := fmt.Sprint(n)
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(n)*100*time.Microsecond)
				_, err := j.Append(ctx, table, head, journal.Entry{Time: noon, Key: key})
				cancel()
				switch {
				case err == nil:
					head++
					written.Store([2]string{table, key}, true)
				case errors.Is(err, context.DeadlineExceeded):
					cancelled.Store([2]string{table, key}, true)
				default: // a conflict would mean that a cancelled append was written
					t.Errorf("%s %s: %v", table, key, err)
				}
			}
		})
	}
	all.Wait()
	cancelled.Range(func(k, _ any) bool {
		id := k.([2]string)
		if e, err := j.Find(context.Background(), id[0], "", id[1]); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("%v was cancelled, yet it is entry %d (%v)", id, e.Seq, err)
		}
		return true
	})
	written.Range(func(k, _ any) bool {
		id := k.([2]string)
		if _, err := j.Find(context.Background(), id[0], "", id[1]); err != nil {
			t.Errorf("%v was acknowledged: %v", id, err)
		}
		return true
	})
}

// TestRequestsOfOneBatchSucceedOrFailAlone writes one batch in one transaction.
func TestRequestsOfOneBatchSucceedOrFailAlone(t *testing.T) {
	_, path := made(t, 3) // table t, keys 0 to 2
	db, err := connect(path, writerParams)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w := &writer{path: path, db: db}
	var batch []*queue.Request
	ask := func(table string, expect uint64, keys ...string) *queue.Request {
		var entries []journal.Entry
		for _, key := range keys {
			entries = append(entries, journal.Entry{Time: noon, Key: key})
		}
		numbered, err := journal.Number(table, expect, entries)
		if err != nil {
			t.Fatal(err)
		}
		r := &queue.Request{Table: table, Expect: expect, Entries: numbered}
		batch = append(batch, r)
		return r
	}
	var (
		fine     = ask("t", 3, "a", "b")
		late     = ask("t", 3, "c")
		follows  = ask("t", 5, "d")
		repeated = ask("t", 3, "a")
		half     = ask("u", 0, "e", "f")
		ahead    = ask("v", 1, "g")
		old      = ask("t", 0, "2")
		after    = ask("u", 2, "g")
	)
	if err := w.commit(batch); err != nil {
		t.Fatal(err)
	}
	for i, r := range []*queue.Request{fine, follows, half, after} {
		if r.Err != nil {
			t.Errorf("request %d: %v", i, r.Err)
		}
	}
	for _, c := range []struct {
		r    *queue.Request
		want journal.ConflictError
	}{
		{late, journal.ConflictError{Table: "t", Expected: 3, Have: 5}},
		{ahead, journal.ConflictError{Table: "v", Expected: 1}},
	} {
		var e *journal.ConflictError
		if !errors.As(c.r.Err, &e) || *e != c.want {
			t.Errorf("got error %v, want %v", c.r.Err, &c.want)
		}
	}
	for _, c := range []struct {
		r   *queue.Request
		seq uint64
	}{{repeated, 4}, {old, 3}} {
		var e *journal.DuplicateError
		if !errors.As(c.r.Err, &e) || e.Entry.Seq != c.seq {
			t.Errorf("got error %v, want a duplicate of entry %d", c.r.Err, c.seq)
		}
	}
	if err := w.s.conn.Close(); err != nil {
		t.Fatal(err)
	}
	db.Close()
	j := mustOpen(t, filepath.Dir(path))
	for table, want := range map[string]int{"t": 6, "u": 3, "v": 0} {
		if got := count(t, j, table); got != want {
			t.Errorf("table %s has %d entries, want %d", table, got, want)
		}
	}
}

// TestConcurrentAppendGivesUpWhileTheWriterIsStuck removes appends from the queue while another
// program locks the database.
func TestConcurrentAppendGivesUpWhileTheWriterIsStuck(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	other, err := connect(j.path, "mode=rw&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	first, queued := make(chan error), make(chan struct{})
	go func() {
		_, err := j.Append(&awaited{Context: context.Background(), begun: queued}, "t", 0, journal.Entry{Time: noon})
		first <- err
	}()
	<-queued
	wait.Until(t, "the writer has the first", func() bool { return j.writer.queue.Len() == 0 })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			if _, err := j.Append(ctx, fmt.Sprint("u", i), 0, journal.Entry{Time: noon}); !errors.Is(
				err,
				context.DeadlineExceeded,
			) {
				t.Errorf("got error %v, want DeadlineExceeded", err)
			}
		})
	}
	all.Wait()
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-first; err != nil {
		t.Error("the one the writer had:", err)
	}
	if got, err := j.Tables(context.Background()); err != nil || len(got) != 1 {
		t.Errorf("got tables %v, %v, want t alone", got, err)
	}
}

// awaited is a context that closes begun when something first waits for its end, which an append
// does once it is queued.
type awaited struct {
	context.Context
	once  sync.Once
	begun chan struct{}
}

func (a *awaited) Done() <-chan struct{} {
	a.once.Do(func() { close(a.begun) })
	return a.Context.Done()
}

// TestFailedBatchEndsItsTransaction makes an insert fail in the middle of a transaction that SQLite
// itself would leave open.
func TestFailedBatchEndsItsTransaction(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	_, err := j.writer.s.conn.ExecContext(
		context.Background(),
		`CREATE TEMP TRIGGER fail BEFORE INSERT ON entries WHEN new.key = 'bad' BEGIN SELECT RAISE(FAIL, 'as told'); END`,
	)
	if err != nil {
		t.Fatal(err)
	}
	batch := []journal.Entry{{Time: noon, Key: "good"}, {Time: noon, Key: "bad"}}
	if _, err := j.Append(context.Background(), "t", 0, batch...); err == nil ||
		!strings.Contains(err.Error(), "as told") {
		t.Errorf("got error %v, want the insert's", err)
	}
	if got := count(t, j, "t"); got != 0 {
		t.Errorf("got %d entries of a failed append", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second) // less than the wait for a lock
	defer cancel()
	if _, err := j.Append(ctx, "t", 0, batch...); err != nil { // on a new connection, without the trigger
		t.Error(err)
	}
}

// A panic in the writer refuses its batch, whose transaction is rolled back, and the next is written.
func TestPanicInTheWriterRefusesItsBatchAndEndsNothing(t *testing.T) {
	j := mustOpen(t, t.TempDir())
	mustAppend(t, j, "t", 0, journal.Entry{Time: noon})
	before := rescue.Counts()["journal"]
	j.writer.s.newEntry = nil // panics within the transaction
	if _, err := j.Append(t.Context(), "t", 1, journal.Entry{Time: noon}); err == nil {
		t.Error("was acknowledged")
	}
	if n := rescue.Counts()["journal"] - before; n != 1 {
		t.Errorf("%d panics counted", n)
	}
	mustAppend(t, j, "t", 1, journal.Entry{Time: noon})
}
