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

// document returns the document of a server's API in version 3.0, which generators read.
func document(t *testing.T, at string) []byte {
	t.Helper()
	answer, err := http.Get(at + "/api/openapi.json?version=3.0")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// generated copies a client's source and the document of an API to a folder, and runs commands there.
func generated(t *testing.T, source string, document []byte, more func(dir string) error, lines ...[]string) {
	t.Helper()
	dir := t.TempDir()
	err := os.CopyFS(dir, os.DirFS(source))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "document.json"), document, 0o644)
	}
	if err == nil {
		err = more(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		run := exec.Command(line[0], line[1:]...)
		run.Dir = dir
		if said, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", line, err, said)
		}
	}
}

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
	generated(t, "testdata/client", document(t, at),
		func(dir string) error { return os.Mkdir(filepath.Join(dir, "norn"), 0o755) },
		[]string{generate, "-generate", "types,client", "-package", "norn", "-o", "norn/norn.go", "document.json"},
		[]string{"go", "build", "-o", "played", "."}, []string{"./played", at})
}

// So does one in TypeScript, of openapi-typescript and openapi-fetch, without a flag.
func TestGeneratedTypeScriptClientPlays(t *testing.T) {
	modules, err := filepath.Abs("../bin/typescript/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(modules); err != nil {
		t.Skip("no bin/typescript, which generates clients: make needs installs it")
	}
	s := serve(t)
	at := "http://" + s.address
	generated(t, "testdata/typescript", document(t, at),
		func(dir string) error { return os.Symlink(modules, filepath.Join(dir, "node_modules")) },
		[]string{"node", "node_modules/openapi-typescript/bin/cli.js", "document.json", "-o", "norn.ts"},
		[]string{"node", "node_modules/typescript/bin/tsc", "-p", "."}, []string{"node", "out/main.js", at})
}
