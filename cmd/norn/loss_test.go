package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// An existing folder keeps its permissions: they may be intentional. The operator is warned,
// with the names; and the files that norn creates are for its user only, whatever the folder.
func TestServeWarnsOfFilesThatOtherUsersCanRead(t *testing.T) {
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
	if said := start(dir); !strings.Contains(said, "norn: warning: others on this machine") ||
		!strings.Contains(said, "chmod go= "+dir+"\n") {
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

// A server whose database was removed acknowledges nothing more, and explains why. It continues
// once the database is back.
func TestWritesAnswer503WhileTheDatabaseIsGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file can't be moved there")
	}
	dir := t.TempDir()
	s := serve(t, "--data", dir)
	link := s.hear(t, `^norn is open at (http.+)$`)
	post := func(path, secret, body string) (int, map[string]any) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, link+"/api/v1"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+secret)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var told map[string]any
		if err := json.NewDecoder(answer.Body).Decode(&told); err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, told
	}
	_, table := post("/tables", "", `{"game":"spire","name":"Gone","lang":"en"}`)
	at, secret := "/tables/"+table["id"].(string), table["seat"].(map[string]any)["secret"].(string)
	path, away := filepath.Join(dir, "norn.db"), filepath.Join(dir, "away.db")
	for _, step := range []struct {
		move   func() error
		status int
	}{
		{func() error { return nil }, http.StatusOK},
		{func() error { return os.Rename(path, away) }, http.StatusServiceUnavailable},
		{func() error { return os.WriteFile(path, []byte("another"), 0o600) }, http.StatusServiceUnavailable},
		{func() error { return os.Rename(away, path) }, http.StatusOK},
	} {
		if err := step.move(); err != nil {
			t.Fatal(err)
		}
		status, told := post(at+"/talk", secret, `{"text":"Hello"}`)
		if status != step.status || status == http.StatusServiceUnavailable &&
			!strings.Contains(told["detail"].(string), "database was moved") {
			t.Errorf("%d, want %d: %v", status, step.status, told)
		}
	}
	s.end(t)
	if log := s.errs.String(); !strings.Contains(log, "was removed or replaced while norn has it open") {
		t.Errorf("the log says nothing: %s", log)
	}
}
