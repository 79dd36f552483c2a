package pack_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/syndtr/goleveldb/leveldb"

	"norn/cmd/norn/internal/pack"
)

// write makes a database with documents, as Foundry lays them out.
func write(t *testing.T, documents map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	db, err := leveldb.OpenFile(folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	for key, document := range documents {
		if err := db.Put([]byte(key), []byte(document), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// files returns what is in a folder.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	all, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range all {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name()] = string(data)
	}
	return found
}

func documentsOf(t *testing.T, folder string) (all []map[string]any) {
	t.Helper()
	data, err := pack.Read(folder)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A database is read with what is inside of its actors, and left as it was.
func TestDatabaseIsReadWholeAndLeftAsItWas(t *testing.T) {
	folder := write(t, map[string]string{
		"!items!b": `{"name":"Salt"}`, "!folders!f": `{"name":"Words"}`,
		"!actors!a": `{"name":"Shoal","items":["y","x","gone"]}`, "!actors.items!a.x": `{"name":"Bite"}`,
		"!actors.items!a.y": `{"name":"Song"}`, "!actors.items!other.x": `{"name":"Other"}`,
		"!actors.items.effects!a.x.e": `{"name":"Cold"}`, "odd": "x", "!items!broken": "{",
	})
	before := files(t, folder)
	want := []map[string]any{
		{"_key": "!actors!a", "name": "Shoal", "items": []any{map[string]any{"name": "Song"}, map[string]any{"name": "Bite"}}},
		{"_key": "!folders!f", "name": "Words"},
		{"_key": "!items!b", "name": "Salt"},
	}
	for range 2 {
		if diff := cmp.Diff(want, documentsOf(t, folder)); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff(before, files(t, folder)); diff != "" {
		t.Error(diff)
	}
}

func TestFolderOfFilesIsRead(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"a.json": `{"name":"Salt"}` + "\n", "b.json": "{", "c.txt": `{"name":"no"}`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]map[string]any{{"name": "Salt"}}, documentsOf(t, folder)); diff != "" {
		t.Error(diff)
	}
}

func TestOtherFoldersAreErrors(t *testing.T) {
	damaged := write(t, map[string]string{"!items!a": `{"name":"Salt"}`})
	if err := os.WriteFile(filepath.Join(damaged, "CURRENT"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]error{t.TempDir(): pack.ErrNone, damaged: pack.ErrDamaged} {
		if _, err := pack.Read(folder); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if _, err := pack.Read(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
