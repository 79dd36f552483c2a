package playtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"norn/journal/sqlite"
)

// A page of the database is damaged while norn is stopped: norn names the file and what to do, changes nothing, and
// the tables that the damage doesn't touch can be taken out of it, whole.
func TestDamagedPage(t *testing.T) {
	t.Parallel()
	s := serve(t, "--limits", "off")
	ids := map[string]string{}
	for _, name := range []string{"Ziggurat", "Quarry"} {
		created := s.must("POST", "/tables", "", body{"game": "spire", "name": name, "lang": "en"})
		ids[name] = created["id"].(string)
		for range 40 {
			s.must("POST", "/tables/"+ids[name]+"/characters", created["seat"].(map[string]any)["secret"].(string),
				body{"name": name, "kind": "character", "sheet": body{}})
		}
	}
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
	// The page before the last that holds characters of the first table alone.
	at, damaged := -1, bytes.Clone(whole)
	for page := 4096; page < len(whole); page += 4096 {
		part := whole[page : page+4096]
		if part[0] == 13 && bytes.Count(part, []byte("Ziggurat")) > 2 && !bytes.Contains(part, []byte("Quarry")) { // a leaf of entries
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

	norn := func(args ...string) (string, error) {
		said, err := exec.Command(binary, append(args, "--data", s.dir, "--lang", "en")...).CombinedOutput()
		return string(said), err
	}
	said, err := norn("serve", "--listen", "127.0.0.1:0")
	t.Logf("%s", said)
	if err == nil || !strings.Contains(said, path) || !strings.Contains(said, "damaged") || !strings.Contains(said, "norn: hint: ") {
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
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, damaged) {
		t.Errorf("the damaged file was changed (%v)", err)
	}
}
