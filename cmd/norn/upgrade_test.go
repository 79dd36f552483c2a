package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"norn/cmd/norn/internal/demos"
)

// older unpacks a folder of tables that an older norn wrote: with demo tables of Spire and Mage,
// and an open question.
func older(t *testing.T, name string) (dir string, tables map[string]demos.Table) {
	t.Helper()
	from, dir := filepath.Join("testdata", "folders", name), t.TempDir()
	packed, err := os.Open(filepath.Join(from, "norn.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	database, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	demo, err := os.ReadFile(filepath.Join(from, demos.File))
	if err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{"norn.db": database, demos.File: demo} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(demo, &tables); err != nil {
		t.Fatal(err)
	}
	return dir, tables
}

// Every folder of an earlier norn opens with all its content, open questions too, and a copy stays
// that the older norn can use. Each new version of the database adds a folder of the previous
// version.
func TestFoldersOfOlderNornsOpen(t *testing.T) {
	for _, c := range []struct {
		name     string
		version  uint32
		stranded bool // an edition of the rules with other questions asked its question
	}{
		{"version-1", 1, true},
		{"version-2", 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, tables := older(t, c.name)
			s := serve(t, "--data", dir, "--demo")
			link := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
			request, err := http.NewRequest(http.MethodGet, link+"/api/v1/tables/"+tables["spire/en"].Table, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+tables["spire/en"].GM)
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			var view struct {
				Seq                             int
				Characters, Questions, Stranded []any
			}
			if err := json.NewDecoder(answer.Body).Decode(&view); err != nil {
				t.Fatal(err)
			}
			if view.Seq != 9 || len(view.Characters) != 3 {
				t.Errorf("%d entries and %d characters, want 9 and 3", view.Seq, len(view.Characters))
			}
			if asks, stranded := len(view.Questions) > 0,
				len(view.Stranded) > 0; asks == c.stranded || stranded != c.stranded {
				t.Errorf("open questions %v, stranded moves %v", view.Questions, view.Stranded)
			}
			s.end(t)

			before, err := os.ReadFile(filepath.Join(dir, "before-version-4", "norn.db"))
			if err != nil {
				t.Fatal(err)
			}
			if version := binary.BigEndian.Uint32(before[60:]); version != c.version ||
				!bytes.HasPrefix(before, []byte("SQLite format 3")) {
				t.Errorf("the copy is of version %d, want %d", version, c.version)
			}
		})
	}
}
