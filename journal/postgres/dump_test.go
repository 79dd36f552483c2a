package postgres_test

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"norn/journal"
)

// A dump made while people play is the journal of one moment. Restored into an empty database, it's read
// and continued, without the snapshots, which are a cache.
func TestRestoredDumpIsTheJournalOfOneMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs pg_dump and psql")
	}
	dumper, err := exec.LookPath("pg_dump")
	if err != nil {
		t.Skip(err)
	}
	restorer, err := exec.LookPath("psql")
	if err != nil {
		t.Skip(err)
	}
	from := database(t)
	j, err := at(from)()
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	body := func(table string, seq uint64) []byte {
		return fmt.Appendf(nil, `{"of":"%s %d","text":"\\x00 'quoted'"}`, table, seq)
	}
	next := func(ctx context.Context, j journal.Journal, table string, last uint64) error {
		_, err := j.Append(ctx, table, last, journal.Entry{
			Time: time.Unix(int64(last), 0).UTC(), Seat: "s1", Key: fmt.Sprint("k", last+1), Body: body(table, last+1),
		})
		return err
	}
	const before = 200
	tables := []string{"one", "two"}
	for _, table := range tables {
		for seq := range uint64(before) {
			if err := next(t.Context(), j, table, seq); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := j.KeepSnapshot(t.Context(), "one", []byte("cached")); err != nil {
		t.Fatal(err)
	}
	playing, stop := context.WithCancel(t.Context())
	played := make(chan error, 1)
	go func() {
		for seq := uint64(before); ; seq++ {
			for _, table := range tables {
				if err := next(context.WithoutCancel(playing), j, table, seq); err != nil || playing.Err() != nil {
					played <- err
					return
				}
			}
		}
	}()
	dump, err := exec.CommandContext(t.Context(), dumper, "--dbname", from).Output()
	stop()
	if wrong := <-played; err != nil || wrong != nil {
		t.Fatalf("%v, played: %v", err, wrong)
	}
	to := database(t)
	restore := exec.CommandContext(t.Context(), restorer, "--dbname", to, "--quiet", "--set", "ON_ERROR_STOP=1")
	restore.Stdin = bytes.NewReader(dump)
	if output, err := restore.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	restored, err := at(to)()
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	counts := map[string]int{}
	for _, table := range tables {
		entries, err := restored.Read(t.Context(), table, 0, 0)
		if err != nil || len(entries) < before {
			t.Fatalf("%s: %d entries, %v", table, len(entries), err)
		}
		for i, e := range entries {
			if seq := uint64(i + 1); e.Seq != seq || !bytes.Equal(e.Body, body(table, seq)) {
				t.Fatalf("%s: entry %d is %+v", table, seq, e)
			}
		}
		counts[table] = len(entries)
		if err := next(t.Context(), restored, table, uint64(len(entries))); err != nil {
			t.Errorf("%s can't be continued: %v", table, err)
		}
		if _, err := restored.Find(t.Context(), table, "s1", "k1"); err != nil {
			t.Errorf("%s: %v", table, err)
		}
	}
	if ahead := counts["one"] - counts["two"]; ahead < 0 || ahead > 1 { // they take turns
		t.Errorf("not of one moment: %v", counts)
	}
	if data, err := restored.Snapshot(t.Context(), "one"); err == nil && string(data) != "cached" {
		t.Errorf("a snapshot %q", data)
	}
	t.Logf("dumped while entries %d to %d were written", before, counts["one"])
}
