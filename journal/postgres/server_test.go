package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"norn/internal/wait"
	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
)

// The server crashes while many write, with fsync: acknowledged entries must be there when it's
// back, and the same journal must work again by itself.
func TestAcknowledgedEntriesSurviveAServerCrash(t *testing.T) {
	own := pgtest.Run(t)
	address, err := own.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j := mustOpen(t, address)
	const tables = 8
	ctx, stop := context.WithCancel(t.Context())
	acknowledged := make([]atomic.Uint64, tables)
	more := func() { // wait until every table has more
		t.Helper()
		for i := range acknowledged {
			before := acknowledged[i].Load()
			wait.Until(t, "a table is written to", func() bool { return acknowledged[i].Load() > before+20 })
		}
	}
	var all sync.WaitGroup
	for i := range tables {
		all.Go(func() {
			table, at := fmt.Sprint("t", i), uint64(0)
			for ctx.Err() == nil {
				_, err := j.Append(ctx, table, at, keyed(fmt.Sprint(at+1)))
				var gone *journal.UnavailableError
				var twice *journal.DuplicateError
				switch {
				case err == nil, errors.As(err, &twice):
					at++
					acknowledged[i].Store(at)
				case errors.As(err, &gone): // the server is down: try again
				case ctx.Err() == nil:
					t.Errorf("%s: %v", table, err)
					return
				}
			}
		})
	}
	for _, end := range []func() error{own.Crash, own.Halt} {
		more()
		if err := end(); err != nil {
			t.Error(err)
		}
		if err := own.Run(); err != nil {
			t.Fatal(err)
		}
	}
	more()
	stop()
	all.Wait()
	for i := range acknowledged {
		want := acknowledged[i].Load()
		entries, err := read(j, fmt.Sprint("t", i))
		if err != nil {
			t.Fatal(err)
		}
		// The last one may have been written without an acknowledgement.
		if got := uint64(len(entries)); want == 0 || got < want || got > want+1 {
			t.Errorf("table t%d has %d entries, %d were acknowledged", i, got, want)
		}
		for at, e := range entries {
			if e.Seq != uint64(at+1) || e.Key != fmt.Sprint(e.Seq) {
				t.Errorf("table t%d: entry %d with key %s stands at place %d", i, e.Seq, e.Key, at+1)
			}
		}
	}
}

// After a restart the first read and the first append must work.
func TestTheFirstReadAndAppendAfterARestartSucceed(t *testing.T) {
	own := pgtest.Run(t, "fsync=off")
	address, err := own.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j := mustOpen(t, address)
	for round := range uint64(3) {
		if _, err := j.Append(t.Context(), "t", round, keyed(fmt.Sprint(round))); err != nil {
			t.Errorf("round %d: append: %v", round, err)
		}
		var all sync.WaitGroup
		for range 6 { // so that the pool has several
			all.Go(func() {
				if entries, err := j.Read(t.Context(), "t", 0, 0); err != nil || uint64(len(entries)) != round+1 {
					t.Errorf("round %d: read %d entries, %v", round, len(entries), err)
				}
			})
		}
		all.Wait()
		if err := own.Halt(); err != nil {
			t.Fatal(err)
		}
		if err := own.Run(); err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := j.Read(t.Context(), "t", 0, 0); err != nil || len(entries) != 3 {
		t.Errorf("read %d entries, %v", len(entries), err)
	}
}

// ask runs SQL on a separate connection.
func ask(t *testing.T, address, query string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), query)
	return err
}

func TestEntriesCannotBeChangedOrDeleted(t *testing.T) {
	address := database(t)
	j := mustOpen(t, address)
	if _, err := j.Append(t.Context(), "t", 0, keyed("k")); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"UPDATE norn.entries SET body = ''", "DELETE FROM norn.entries",
		"TRUNCATE norn.entries CASCADE",
	} {
		if err := ask(t, address, query); err == nil || !strings.Contains(err.Error(), "never changed or removed") {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	address := database(t)
	if err := mustOpen(t, address).Close(); err != nil {
		t.Fatal(err)
	}
	if err := ask(t, address, "INSERT INTO norn.goose_db_version (version_id, is_applied) VALUES (99, true)"); err != nil {
		t.Fatal(err)
	}
	_, err := postgres.Open(t.Context(), address)
	var newer *journal.NewerError
	if !errors.As(err, &newer) || newer.Have != 99 || strings.Contains(newer.Path, "norn@") {
		t.Errorf("got error %v, want *NewerError", err)
	}
}

// The database lacks something that norn needs.
func TestOpenRefusesADatabaseThatLacksWhatNornNeeds(t *testing.T) {
	if err := ask(t, server.URL("postgres"), "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0"); err != nil {
		t.Fatal(err)
	}
	_, err := postgres.Open(t.Context(), server.URL("latin"))
	var corrupt *journal.CorruptError
	if !errors.As(err, &corrupt) {
		t.Errorf("another encoding: got error %v, want *CorruptError", err)
	}
	var gone *journal.UnavailableError
	if _, err := postgres.Open(t.Context(), server.URL("nowhere")); !errors.As(err, &gone) {
		t.Errorf("a missing database: got error %v, want *UnavailableError", err)
	}
	if _, err := postgres.Open(t.Context(), "postgres://norn:hush@127.0.0.1:99999/norn"); err == nil ||
		errors.As(err, &gone) ||
		strings.Contains(err.Error(), "hush") {
		t.Errorf("a wrong address: got error %v", err)
	}
	if err := postgres.Check("postgres://norn@127.0.0.1/norn?sslmode=perhaps"); err == nil {
		t.Error("a wrong address passes")
	}
}

// The database's default is to lose commits in a crash.
func TestCommitsAreDurableDespiteTheDatabaseDefault(t *testing.T) {
	address := database(t)
	name := address[strings.LastIndex(address, "/")+1 : strings.Index(address, "?")]
	if err := ask(t, address, "ALTER DATABASE "+name+" SET synchronous_commit = off"); err != nil {
		t.Fatal(err)
	}
	// A trigger checks the setting with which the writer's session commits.
	mustOpen(t, address).Close()
	if err := ask(t, address, `CREATE FUNCTION norn.tells() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN IF current_setting('synchronous_commit') = 'off' THEN RAISE EXCEPTION 'not durable'; END IF; RETURN NULL; END $$;
		CREATE TRIGGER tells AFTER INSERT ON norn.entries FOR EACH STATEMENT EXECUTE FUNCTION norn.tells()`); err != nil {
		t.Fatal(err)
	}
	if _, err := mustOpen(t, address).Append(t.Context(), "t", 0, keyed("k")); err != nil {
		t.Error(err)
	}
}

// A read-only database, such as a standby: reads work, an append is refused, and both work when
// it's writable again.
func TestReadOnlyDatabaseIsReadableAndRefusesAppends(t *testing.T) {
	address := database(t)
	j := mustOpen(t, address)
	if _, err := j.Append(t.Context(), "t", 0, keyed("k")); err != nil {
		t.Fatal(err)
	}
	j.Close()
	j = mustOpen(t, address+"&default_transaction_read_only=on")
	_, err := j.Append(t.Context(), "t", 1, keyed("l"))
	var gone *journal.UnavailableError
	if !errors.As(err, &gone) {
		t.Errorf("got error %v, want *UnavailableError", err)
	}
	if entries, err := j.Read(t.Context(), "t", 0, 0); err != nil || len(entries) != 1 {
		t.Errorf("read %v, %v", entries, err)
	}
}

// The server must disconnect a node that stops responding in the middle of a transaction, so that
// the others can continue.
func TestSilentNodeDoesNotBlockOthers(t *testing.T) {
	address := database(t)
	j := mustOpen(t, address)
	if _, err := j.Append(t.Context(), "t", 0, keyed("k")); err != nil {
		t.Fatal(err)
	}
	silent, err := pgx.Connect(t.Context(), address+"&idle_in_transaction_session_timeout=300") // norn sets 3 s
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close(context.Background())
	if _, err := silent.Exec(t.Context(), "BEGIN; SELECT * FROM norn.tables WHERE id = 't' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append(t.Context(), "t", 1, keyed("l")); err != nil {
		t.Error(err)
	}
}
