//go:build e2e

package playtest

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A client that oapi-codegen generates from the API's document opens a table, makes a check and
// answers its question, with types alone.
func TestGeneratedGoClientPlays(t *testing.T) {
	generate, err := filepath.Abs("../bin/oapi-codegen")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(generate); err != nil {
		t.Skip("no bin/oapi-codegen, which generates clients: make needs builds it")
	}
	s := serve(t)
	at := "http://" + s.address
	answer, err := http.Get(at + "/api/openapi.json?version=3.0")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	document, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/client")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "norn"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "document.json"), document, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{
		{generate, "-generate", "types,client", "-package", "norn", "-o", "norn/norn.go", "document.json"},
		{"go", "build", "-o", "played", "."},
		{"./played", at},
	} {
		run := exec.Command(line[0], line[1:]...)
		run.Dir = dir
		if said, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", line, err, said)
		}
	}
}
