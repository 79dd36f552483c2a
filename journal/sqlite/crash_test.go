package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"norn/journal"
	"norn/journal/sqlite"
)

const crashDir = "NORN_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := appendForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const crashTables, crashBatch = 12, 2

// appendForever runs in the child process that gets killed. It prints each append before it begins
// and after it is acknowledged.
func appendForever(dir string) error {
	ctx := context.Background()
	j, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	heads, err := j.Tables(ctx)
	if err != nil {
		return err
	}
	at := make(map[string]uint64)
	for _, h := range heads {
		at[h.Table] = h.Seq
	}
	failed := make(chan error)
	for i := range crashTables {
		go func() {
			table := fmt.Sprint("t", i)
			for seq := at[table]; ; seq += crashBatch {
				var entries []journal.Entry
				for n := range uint64(crashBatch) {
					entries = append(entries, journal.Entry{
						Time: time.Unix(
							int64(seq),
							0,
						), Key: fmt.Sprint("k", seq+n+1), Body: make([]byte, 1+(seq*37)%9000),
					})
				}
				fmt.Printf("begun %s %d\n", table, seq+crashBatch)
				if _, err := j.Append(ctx, table, seq, entries...); err != nil {
					failed <- err
				}
				fmt.Printf("acknowledged %s %d\n", table, seq+crashBatch)
			}
		}()
	}
	return <-failed
}

// TestAcknowledgedEntriesSurviveAKilledWriter kills a writing process several times on the same
// file. It shows that acknowledged entries survive the process. That they survive the machine
// relies on synchronous=FULL, which another test checks.
func TestAcknowledgedEntriesSurviveAKilledWriter(t *testing.T) {
	dir := t.TempDir()
	had := make(map[string]uint64)
	for round := range 4 {
		begun, acknowledged := crash(t, dir, 100+round*150)

		j, err := sqlite.Open(context.Background(), dir)
		if err != nil {
			t.Fatalf("round %d: open after the crash: %v", round, err)
		}
		grown := false
		for i := range crashTables {
			table := fmt.Sprint("t", i)
			entries, err := j.Read(context.Background(), table, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			have := uint64(len(entries))
			if have < acknowledged[table] {
				t.Errorf("round %d: %s has %d entries, %d were acknowledged", round, table, have, acknowledged[table])
			}
			if have > max(begun[table], had[table]) {
				t.Errorf("round %d: %s has %d entries, %d were begun", round, table, have, begun[table])
			}
			grown = grown || have > had[table]
			had[table] = have
			if have%crashBatch != 0 {
				t.Errorf("round %d: %s has half an append: %d entries", round, table, have)
			}
			for i, e := range entries {
				if e.Seq != uint64(i+1) || e.Key != fmt.Sprint("k", i+1) {
					t.Fatalf("round %d: %s: entry %d with key %s stands at place %d", round, table, e.Seq, e.Key, i+1)
				}
			}
		}
		if !grown {
			t.Errorf("round %d: the child wrote nothing", round)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// crash runs the child until it has acknowledged n appends, and then kills it.
func crash(t *testing.T, dir string, n int) (begun, acknowledged map[string]uint64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), crashDir+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() { child.Process.Kill() })
	defer kill()
	defer time.AfterFunc(10*time.Second, kill).Stop()

	begun, acknowledged = make(map[string]uint64), make(map[string]uint64)
	lines, acks := bufio.NewReader(out), 0
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // the last line may be cut short: then nothing was acknowledged
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		var word, table string
		var seq uint64
		if _, err := fmt.Sscan(line, &word, &table, &seq); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if word == "begun" {
			begun[table] = seq
			continue
		}
		acknowledged[table] = seq
		if acks++; acks == n {
			kill()
		}
	}
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.Exited() || acks < n {
		t.Fatalf("the child ended with %v after %d appends, before it was killed", err, acks)
	}
	return begun, acknowledged
}

// TestLockIsReleasedWhenItsProcessEnds tries to lock what another process holds, before and after
// the process ends.
func TestLockIsReleasedWhenItsProcessEnds(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)

	_, err = sqlite.Open(context.Background(), dir)
	var locked *journal.LockedError
	if !errors.As(err, &locked) || locked.Process != child.Process.Pid {
		t.Errorf("got error %v, want *LockedError with process %d", err, child.Process.Pid)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	j, err := sqlite.Open(context.Background(), dir)
	if err != nil {
		t.Fatal("after the holder was killed:", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if files, _ := os.ReadDir(dir); !slices.ContainsFunc(
		files,
		func(f os.DirEntry) bool { return f.Name() == "norn.lock" },
	) {
		t.Error("the lock file was removed: two processes could then hold two locks of one name")
	}
}
