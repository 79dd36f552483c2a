package playtest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/journal/sqlite"
)

// A page of the database is damaged while norn is stopped. norn names the file and the remedy and
// changes nothing, and the tables without damage can be exported completely, even one with an open
// question.
func TestDamagedDatabaseIsReportedAndOtherTablesExported(t *testing.T) {
	t.Parallel()
	s := serve(t, "--limits", "off")
	ids, secret := map[string]string{}, ""
	for _, name := range []string{"Ziggurat", "Quarry"} {
		created := s.must("POST", "/tables", "", body{"game": "spire", "name": name, "lang": "en"})
		ids[name], secret = created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
		for range 40 {
			s.must("POST", "/tables/"+ids[name]+"/characters", secret,
				body{"name": name, "kind": "character", "sheet": body{}})
		}
	}
	s.must("POST", "/tables/"+ids["Quarry"]+"/moves", secret, body{"move": "check", "character": "c2", "byHand": true})
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, sqlite.File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := damagePage(t, path, whole)

	norn := func(args ...string) (string, error) {
		said, err := exec.Command(binary, append(args, "--data", s.dir, "--lang", "en")...).CombinedOutput()
		return string(said), err
	}
	said, err := norn("serve", "--listen", "127.0.0.1:0")
	t.Logf("%s", said)
	if err == nil || !strings.Contains(said, path) || !strings.Contains(said, "damaged") ||
		!strings.Contains(said, "norn: hint: ") {
		t.Errorf("norn serve says %q (%v)", said, err)
	}
	if said, err = norn("export", "--table", ids["Ziggurat"]); err == nil || !strings.Contains(said, "damaged") {
		t.Errorf("the damaged table is exported: %q (%v)", said, err)
	}
	t.Logf("%s", said)
	file := filepath.Join(t.TempDir(), "quarry.jsonl")
	if said, err = norn("export", "--table", ids["Quarry"], "--out", file); err != nil {
		t.Fatalf("the other table isn't exported: %s", said)
	}
	if said, err := exec.Command(binary, "verify", file).CombinedOutput(); err != nil {
		t.Errorf("the other table isn't whole: %s", said)
	}
	if said, err = norn("export", "--list"); err != nil || !strings.Contains(said, ids["Quarry"]) {
		t.Errorf("the list of what is left: %q (%v)", said, err)
	}
	t.Logf("%s", said)
	copied, moved := filepath.Join(t.TempDir(), "copy"), filepath.Join(t.TempDir(), "moved")
	if said, err = norn("backup", copied); err == nil || !strings.Contains(said, ids["Ziggurat"]) {
		t.Errorf("the backup doesn't say what it lacks: %q (%v)", said, err)
	}
	if out, err := exec.Command(binary, "move", "--from", "sqlite:"+s.dir, "--to", "sqlite:"+moved, "--table",
		ids["Quarry"]).CombinedOutput(); err != nil {
		t.Errorf("norn move: %s", out)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, damaged) {
		t.Errorf("the damaged file was changed (%v)", err)
	}
	if said, err = norn("accept-loss"); err != nil || !strings.Contains(said, ids["Ziggurat"]) {
		t.Errorf("norn accept-loss says %q (%v)", said, err)
	}
	imported := t.TempDir()
	if out, err := exec.Command(binary, "import", file, "--data", imported).CombinedOutput(); err != nil {
		t.Errorf("norn import: %s", out)
	}
	for _, dir := range []string{copied, moved, s.dir, imported} {
		left := serveIn(t, dir)
		left.must("POST", "/tables/"+ids["Quarry"]+"/answers", secret,
			body{"question": "m42::0", "answer": body{"faces": []int{9}}})
		left.kill()
	}
}

// damagePage overwrites a page of the database that contains only entries of the first table, and
// returns the damaged file.
func damagePage(t *testing.T, path string, whole []byte) []byte {
	t.Helper()
	at, damaged := -1, bytes.Clone(whole)
	for page := 4096; page < len(whole); page += 4096 {
		part := whole[page : page+4096]
		// a leaf page with entries
		if part[0] == 13 && bytes.Count(part, []byte("Ziggurat")) > 2 && !bytes.Contains(part, []byte("Quarry")) {
			at = page
		}
	}
	if at < 0 {
		t.Fatal("no page holds the table's entries alone")
	}
	copy(damaged[at:at+4096], bytes.Repeat([]byte{0xa5}, 4096))
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	return damaged
}

// says runs norn on a folder until it ends or serves.
func says(t *testing.T, dir string, args ...string) (said string, err error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	out, err := exec.CommandContext(ctx, binary, append(args, "--data", dir, "--lang", "en")...).CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("norn %s goes on: %s", args, out)
	}
	return string(out), err
}

// After each of six kinds of damage to the files, after a crash or a clean stop, norn notices the
// missing entries. Its refusal says how many are missing and what to do, and changes nothing; what
// is left is served after somebody has accepted the loss.
func TestMissingEntriesAreNoticedAfterDamage(t *testing.T) {
	t.Parallel()
	s := serve(t, "--limits", "off")
	created := s.must("POST", "/tables", "", body{"game": "spire", "name": "Ziggurat", "lang": "en"})
	table, secret := created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
	write := func(n int) {
		for range n {
			s.must("POST", "/tables/"+table+"/characters", secret,
				body{"name": "Nox", "kind": "character", "sheet": body{}})
		}
	}
	folder := func() string { // a copy of the current folder
		dir := filepath.Join(t.TempDir(), "tables")
		// it can't be copied
		if err := os.Remove(filepath.Join(s.dir, "norn.sock")); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir, os.DirFS(s.dir)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	write(30)
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		t.Fatal(err)
	}
	stopped := folder()
	s.start()
	write(10)
	s.kill()
	killed := folder()

	for _, c := range damages(t, stopped, killed) {
		t.Run(c.name, func(t *testing.T) { c.missed(t, table, secret) })
	}

	// Without damage nothing is missing.
	dir := filepath.Join(t.TempDir(), "tables")
	if err := os.CopyFS(dir, os.DirFS(killed)); err != nil {
		t.Fatal(err)
	}
	if at := serveIn(t, dir).must("GET", "/tables/"+table, secret, nil)["seq"].(float64); at != allEntries {
		t.Errorf("%v entries after a crash, want %d", at, allEntries)
	}
}

// A second norn doesn't start even if somebody removes the lock of the first.
func TestSecondNornIsRefusedEvenWithoutTheLock(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if err := os.Remove(filepath.Join(s.dir, "norn.lock")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"accept-loss"}} {
		if said, err := says(t, s.dir, args...); err == nil || !strings.Contains(said, "is open in another norn") {
			t.Errorf("norn %s says %q (%v)", args, said, err)
		}
	}
	s.must("POST", "/tables", "", body{"game": "spire", "name": "Ziggurat", "lang": "en"})
}

// norn reports that its folder was replaced with a backup.
func TestRestoredBackupIsReported(t *testing.T) {
	t.Parallel()
	s := serve(t)
	created := s.must("POST", "/tables", "", body{"game": "spire", "name": "Ziggurat", "lang": "en"})
	table, secret := created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
	backup := filepath.Join(t.TempDir(), "backup")
	if said, err := says(t, s.dir, "backup", backup); err != nil {
		t.Fatal(said)
	}
	s.must("POST", "/tables/"+table+"/characters", secret, body{"name": "Nox", "kind": "character", "sheet": body{}})
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(filepath.Join(backup, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, sqlite.File), saved, 0o600); err != nil {
		t.Fatal(err)
	}
	s.start()
	if at := s.must("GET", "/tables/"+table, secret, nil)["seq"].(float64); at != 1 {
		t.Errorf("%v entries, want the backup's", at)
	}
	s.kill()
	if said := s.log.String(); !strings.Contains(said, "norn: warning: ") ||
		!strings.Contains(said, "a backup with 1 entry was put in its place") {
		t.Errorf("norn says %q", said)
	}
	if at := serveIn(t, backup).must("GET", "/tables/"+table, secret, nil)["seq"].(float64); at != 1 {
		t.Errorf("%v entries in the backup", at)
	}
}

// Entries of the damaged table at the end, and before the crash; including its opening.
const allEntries, earlyEntries = 41, 31

// damage is a kind of damage to the files of a folder.
type damage struct {
	name, from string
	does       func(path string) error
	least      int // entries that are left
}

// damages lists the kinds of damage to a folder after a clean stop or a crash.
func damages(t *testing.T, stopped, killed string) []damage {
	return []damage{
		{"a byte of the log is flipped", killed, func(path string) error {
			log := readFile(t, path+"-wal")
			log[len(log)/2] ^= 1
			return os.WriteFile(path+"-wal", log, 0o600)
		}, earlyEntries},
		{"the log's tail is cut", killed, func(path string) error {
			return os.Truncate(path+"-wal", int64(len(readFile(t, path+"-wal"))/2))
		}, earlyEntries},
		{"the log is removed", killed, func(path string) error { return os.Remove(path + "-wal") }, earlyEntries},
		{"the database is cut to nothing", stopped, func(path string) error { return os.Truncate(path, 0) }, 0},
		{"a page of the database is flipped", stopped, func(path string) error {
			b := readFile(t, path)
			at := slices.Index(b[4096:], 13)/4096*4096 + 4096
			for i := range 4096 {
				b[at+i] ^= 0xff
			}
			return os.WriteFile(path, b, 0o600)
		}, -1},
		{"an older database is put in its place", killed, func(path string) error {
			if err := os.Remove(path + "-wal"); err != nil {
				return err
			}
			return os.WriteFile(path, readFile(t, filepath.Join(stopped, sqlite.File)), 0o600)
		}, earlyEntries},
	}
}

// missed does the damage and checks that norn reports the missing entries, changes nothing, and
// serves what is left after somebody has accepted the loss.
func (c damage) missed(t *testing.T, table, secret string) {
	dir := filepath.Join(t.TempDir(), "tables")
	if err := os.CopyFS(dir, os.DirFS(c.from)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, sqlite.File)
	if err := c.does(path); err != nil {
		t.Fatal(err)
	}
	before := readFile(t, path)
	said, err := says(t, dir, "serve", "--listen", "127.0.0.1:0")
	t.Logf("%s", said)
	if err == nil || !strings.Contains(said, path) ||
		!strings.Contains(said, "norn: hint: nothing in it was changed") || !bytes.Equal(readFile(t, path), before) {
		t.Errorf("norn serve says %q (%v)", said, err)
	}
	if c.least < 0 { // it needs a backup or an export
		return
	}
	if !strings.Contains(said, "acknowledged") || !strings.Contains(said, "norn accept-loss --data "+dir) {
		t.Errorf("norn serve says %q", said)
	}
	if c.least > 0 {
		if said, err := says(t, dir, "export", "--list"); err != nil || !strings.Contains(said, "norn: warning: ") {
			t.Errorf("norn export says %q (%v)", said, err)
		}
	}
	if said, err := says(t, dir, "accept-loss"); err != nil || !strings.HasPrefix(said, "Given up: ") {
		t.Errorf("norn accept-loss says %q (%v)", said, err)
	}
	left := serveIn(t, dir)
	if c.least > 0 {
		if at := left.must("GET", "/tables/"+table, secret, nil)["seq"].(float64); at < float64(c.least) ||
			at >= allEntries {
			t.Errorf("%v entries are left", at)
		}
	}
	left.kill()
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
