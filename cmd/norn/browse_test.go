package main

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
)

// pressed replaces the desktop's browser. opened returns the pages that it was asked to open.
func pressed(t *testing.T) (opened func() string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere the system opens pages, and no command that could be stood in for")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "opened")
	script := "#!/bin/sh\necho \"$1\" >> " + file + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return func() string {
		said, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(said)
	}
}

// serve --open opens the page, which explains how to stop norn. Started a second time, it opens the
// page of the norn that already runs.
func TestServeOpensABrowser(t *testing.T) {
	opened := pressed(t)
	dir := t.TempDir()
	s := serve(t, "--data", dir, "--open")
	link := s.hear(t, `norn is open at (http://127\.0\.0\.1:\d+)`)
	s.hear(t, `(closing this window)`)
	status, out, errs := norn(t, "serve", "--data", dir, "--open")
	if status != cli.Done || !strings.Contains(out, "running already: "+link) {
		t.Errorf("a second one: %d, %q, %q", status, out, errs)
	}
	s.end(t)
	if got, want := opened(), link+"\n"+link+"\n"; got != want {
		t.Errorf("opened %q, want %q", got, want)
	}
}

// Without a browser serve --open prints the page's link.
func TestServeOpenPrintsTheLinkWithoutABrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system opens pages")
	}
	t.Setenv("PATH", t.TempDir())
	s := serve(t, "--data", t.TempDir(), "--open")
	s.hear(t, `(No browser could be opened)`)
	s.end(t)
}

// serve --open uses no other port than the one that was asked for.
func TestServeOpenUsesNoPortButTheOneAskedFor(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if status, _, errs := norn(t, "serve", "--open", "--listen", taken.Addr().String(), "--data",
		t.TempDir()); status != cli.Failed || !strings.Contains(errs, "another program listens") {
		t.Errorf("%d, %q", status, errs)
	}
}
