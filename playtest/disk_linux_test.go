//go:build e2e

package playtest

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const ownMounts = "TEST_OWN_MOUNTS"

// inOwnMounts runs the test again in a process with mounts of its own, as root there, and reports
// whether this is that process. Its mounts disappear with it.
func inOwnMounts(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownMounts) != "" {
		return true
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	again := exec.Command(self, "-test.run", "^"+t.Name()+"$", "-test.v", "-test.timeout", "2m")
	again.Env = append(os.Environ(), ownMounts+"=1", alreadyBuilt+"="+binary)
	again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		again.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		again.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		again.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	said, err := again.CombinedOutput()
	t.Logf("in mounts of its own:\n%s", said)
	if err != nil {
		t.Error(err)
	}
	return false
}

// disk mounts a small disk in memory.
func disk(t *testing.T, kib int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill uses up the space of a disk.
func fill(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 64<<10); len(block) > 0; {
		switch _, err := f.Write(block); {
		case errors.Is(err, syscall.ENOSPC):
			block = block[:len(block)/2]
		case err != nil:
			t.Fatal(err)
		}
	}
}

// starts runs norn until it listens or ends, and returns its output.
func starts(t *testing.T, dir string) (said string, runs bool) {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--data", dir, "--lang", "en")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	done := make(chan error, 1)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
		return errs.String(), false
	case <-time.After(5 * time.Second):
		_ = cmd.Process.Kill() // reported below as running
		<-done
		return errs.String(), true
	}
}

// TestFullDiskIsReportedAndLosesNothing fills a disk while people play: they read that it is full and
// what to do, and the log says so once. When there is space again everything continues, with every
// acknowledged entry and nothing half written.
func TestFullDiskIsReportedAndLosesNothing(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	dir := disk(t, 4096)
	s := serveIn(t, filepath.Join(dir, "data"), "--limits", "off")
	created := s.must("POST", "/tables", "", body{"game": "spire", "name": "Friday", "lang": "en"})
	id, secret := created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret, body{"name": "Hero", "kind": "character", "sheet": body{}})
	page := sit(t, "gm", 1440, 900)
	page.visit(s.url("/t/" + id + "/" + secret))
	page.sees("[data-live-state=open]", "")

	kept := map[string]float64{}
	n := 0
	move := func() (status int, answer map[string]any) {
		n++
		key := fmt.Sprint("k", n)
		status, answer = s.call("POST", "/tables/"+id+"/moves", secret,
			body{"character": "c1", "move": "check", "args": body{}, "dice": []int{9}, "key": key})
		if status == http.StatusOK {
			kept[key] = answer["seq"].(float64)
		}
		return status, answer
	}
	for range 20 {
		if status, answer := move(); status != http.StatusOK {
			t.Fatal(status, answer)
		}
	}
	for round := range 2 {
		filler := filepath.Join(dir, "filler")
		fill(t, filler)
		refused := 0
		for range 400 { // SQLite first uses the free space in its files
			status, answer := move()
			if status == http.StatusOK {
				continue
			}
			if detail, _ := answer["detail"].(string); status != http.StatusServiceUnavailable ||
				answer["code"] != "unavailable" || !strings.Contains(detail, "disk of this norn is full") {
				t.Fatalf("a move on a full disk: %d %v", status, answer)
			}
			if refused++; refused == 30 {
				break
			}
		}
		if refused < 30 {
			t.Fatalf("round %d: only %d moves were refused on a full disk", round, refused)
		}
		if status, view := s.call("GET", "/tables/"+id, secret, nil); status != http.StatusOK {
			t.Errorf("reading on a full disk: %d %v", status, view)
		}
		if round == 0 {
			page.click("#throw")
			page.sees("#queue .queued-state", "disk of this norn is full")
			page.sees("#queue .queued-state", "It will be sent once, when the connection is back.")
			page.picture("full")
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if status, answer := move(); status != http.StatusOK {
			t.Errorf("with room again: %d %v", status, answer)
		}
	}
	sendsWhatWaitedOnce(t, s, id, secret, page, kept)
	keepsWhatWasAcknowledged(t, s, id, kept, n)
}

// sendsWhatWaitedOnce checks that the page sends its queue once, without another load.
func sendsWhatWaitedOnce(t *testing.T, s *server, id, secret string, page *seat, kept map[string]float64) {
	page.gone("#queue li")
	log := wholeLog(s, id, secret)
	sent := 0
	for _, entry := range log {
		if throws, _ := entry.(map[string]any)["throws"].([]any); len(throws) > 0 &&
			throws[0].(map[string]any)["hand"] != true {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("what waited in the page was sent %d times", sent)
	}
	for key, seq := range kept {
		if int(seq) > len(log) {
			t.Errorf("%s was acknowledged as entry %v of %d", key, seq, len(log))
		}
	}
}

// keepsWhatWasAcknowledged checks that every acknowledged entry is in its place, and that the log
// of two times without space is short.
func keepsWhatWasAcknowledged(t *testing.T, s *server, id string, kept map[string]float64, n int) {
	s.kill()
	if begins, ends := strings.Count(s.log.String(), "can't be used"),
		strings.Count(s.log.String(), "can be used again"); begins != 2 || ends != 2 ||
		strings.Count(s.log.String(), "\n") > 6 {
		t.Errorf("the log of two times without room tells of %d that begin and %d that end:\n%s", begins, ends, s.log)
	}
	h := &crashing{server: s, ctx: t.Context()}
	entries := h.entries(s.dir)[id]
	at := map[string]float64{}
	for _, e := range entries {
		if e.Key != "" {
			at[e.Key] = float64(e.Seq)
		}
	}
	for key, seq := range kept {
		if at[key] != seq {
			t.Errorf("%s was acknowledged as entry %v and stands at %v", key, seq, at[key])
		}
	}
	t.Logf("%d moves, %d acknowledged, %d entries", n, len(kept), len(entries))
}

// TestNornRefusesToStartWhereItCantWrite starts norn where it can't write: it names the reason, the file and the
// remedy, and changes nothing.
func TestNornRefusesToStartWhereItCantWrite(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	dir := disk(t, 1024)
	data := filepath.Join(dir, "data")
	made := serveIn(t, data)
	created := made.must("POST", "/tables", "", body{"game": "spire", "name": "Friday", "lang": "en"})
	id := created["id"].(string)
	stop(t, made)

	refuses := func(dir string, words ...string) {
		t.Helper()
		said, runs := starts(t, dir)
		t.Logf("%s", said)
		if runs {
			t.Errorf("norn serves %s", dir)
		}
		for _, word := range append(words, dir, "norn: hint: ") {
			if !strings.Contains(said, word) {
				t.Errorf("norn says %q, which lacks %q", said, word)
			}
		}
		if strings.Count(said, "\n") > 2 {
			t.Errorf("norn says more than an error and a hint:\n%s", said)
		}
	}
	filler := filepath.Join(dir, "filler")
	fill(t, filler)
	refuses(data)
	refuses(filepath.Join(dir, "other"))
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	refuses(data, "read-only")
	refuses(filepath.Join(dir, "third"), "read-only")
	// The existing data can be read and exported all the same.
	away := filepath.Join(t.TempDir(), "table.jsonl")
	h := &crashing{server: made}
	h.run("export", "--data", data, "--table", id, "--out", away)
	h.run("verify", away)
	h.run("backup", filepath.Join(t.TempDir(), "backup"), "--data", data)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	made.start()
	made.must("GET", "/tables/"+id, created["seat"].(map[string]any)["secret"].(string), nil)
}

// stop sends norn an interrupt and waits.
func stop(t *testing.T, s *server) {
	t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		t.Fatal(err)
	}
}

// Backing up, exporting, importing and moving tables to a disk without space names the full disk,
// leaves the source unchanged, and succeeds once there is space.
func TestCommandsOnAFullDiskLeaveTheirSourceUnchanged(t *testing.T) {
	if !inOwnMounts(t) {
		return
	}
	data := filepath.Join(t.TempDir(), "data")
	made := serveIn(t, data)
	created := made.must("POST", "/tables", "", body{"game": "spire", "name": "Friday", "lang": "en"})
	secret := created["seat"].(map[string]any)["secret"].(string)
	for range 120 {
		made.must("POST", "/tables/"+created["id"].(string)+"/talk", secret,
			body{"text": strings.Repeat("many words ", 150)})
	}
	stop(t, made)
	h := &crashing{server: made}
	file := filepath.Join(t.TempDir(), "friday.jsonl")
	h.run("export", "--data", data, "--out", file)
	before, err := os.ReadFile(filepath.Join(data, "norn.db"))
	if err != nil {
		t.Fatal(err)
	}

	dir := disk(t, 1024)
	filler, at := filepath.Join(dir, "filler"), func(name string) string { return filepath.Join(dir, name) }
	for _, command := range [][]string{
		{"backup", at("backup"), "--data", data},
		{"export", "--data", data, "--out", at("table.jsonl")},
		{"import", file, "--data", at("imported")},
		{"move", "--from", "sqlite:" + data, "--to", "sqlite:" + at("moved"), "--all"},
	} {
		for _, room := range []int64{0, 64 << 10, 160 << 10} { // none, and less than needed
			fill(t, filler)
			if err := os.Truncate(filler, 1<<20-room); err != nil {
				t.Fatal(err)
			}
			said, err := exec.Command(binary, append(command, "--lang", "en")...).CombinedOutput()
			t.Logf("%s with %d bytes of room: %s", command[0], room, said)
			if err == nil || !strings.Contains(string(said), dir) || strings.Contains(string(said), data) {
				t.Errorf("%s says %q, %v: that isn't which disk is full", command[0], said, err)
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			for _, left := range []string{at("backup"), at("table.jsonl")} {
				if _, err := os.Stat(left); err == nil {
					t.Errorf("%s leaves %s", command[0], left)
				}
			}
		}
		h.run(command...)
		after, err := os.ReadFile(filepath.Join(data, "norn.db"))
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s changed what it only reads: %v", command[0], err)
		}
		if err := os.RemoveAll(at("backup")); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(at("table.jsonl")); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(at("imported")); err != nil {
			t.Fatal(err)
		}
	}
}
