package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A folder that was there before keeps its permissions: somebody may have meant them. Whoever runs norn is told, by
// name; and what norn makes is for its user alone, whatever the folder.
func TestServeTellsWhatOthersGetAt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("modes say nothing there")
		return
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	start := func(dir string) (said string) {
		s := serve(t, "--data", dir, "--demo")
		s.hear(t, `^norn is open at (.+)$`)
		s.end(t)
		return s.errs.String()
	}
	if said := start(dir); !strings.Contains(said, "norn: warning: others on this machine") || !strings.Contains(said, "chmod go= "+dir+"\n") {
		t.Errorf("of a folder that others may read: %q", said)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder's permissions were changed: %v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v (%v)", f.Name(), info.Mode(), err)
		}
	}

	database := filepath.Join(dir, "norn.db")
	for path, mode := range map[string]os.FileMode{dir: 0o700, database: 0o644} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if said := start(dir); !strings.Contains(said, "chmod go= "+database) {
		t.Errorf("of a database that others may read: %q", said)
	}
	made := filepath.Join(dir, "made")
	if said := start(made); strings.Contains(said, "warning") {
		t.Errorf("of a new folder: %q", said)
	}
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("a new folder has mode %v (%v)", info.Mode(), err)
	}
}
