package server

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
)

// at returns a program whose environment has a home of its own, and its output.
func at(t *testing.T, home string) (*cli.Program, *strings.Builder) {
	t.Helper()
	p, said := program(t), &strings.Builder{}
	p.Getenv = func(name string) string { return map[string]string{"HOME": home}[name] }
	p.Out = cli.NewScreen(said, nil)
	return p, said
}

// A service is written where systemd and launchd look for it, starts this norn with the given
// settings, and can be removed. A file that norn didn't write stays.
func TestAServiceIsWrittenAndRemoved(t *testing.T) {
	for system, file := range map[string]string{
		"linux":  ".config/systemd/user/norn.service",
		"darwin": "Library/LaunchAgents/norn.plist",
	} {
		t.Run(system, func(t *testing.T) {
			home := t.TempDir()
			p, said := at(t, home)
			s, err := serviceOf(p, system, "serve", "--config", `/home/o'n & "100%"/norn.toml`)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(home, file)
			if err := s.remove(p); err == nil || !strings.Contains(p.Explain(err).Texts[0], "there is no service") {
				t.Errorf("removed before it's there: %v", err)
			}
			for range 2 { // a second time does the same
				if err := s.install(p); err != nil {
					t.Fatal(err)
				}
			}
			written, err := os.ReadFile(path)
			if err != nil || string(written) != s.text {
				t.Fatalf("%s: %v", path, err)
			}
			for _, want := range append([]string{path}, s.start...) {
				if !strings.Contains(said.String(), want) {
					t.Errorf("it isn't said: %s", want)
				}
			}
			if err := s.remove(p); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("it stays: %v", err)
			}
			if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			if s.install(p) == nil || s.remove(p) == nil {
				t.Error("a file that norn didn't write isn't safe")
			}
		})
	}
	p, _ := at(t, t.TempDir())
	if _, err := serviceOf(p, "windows"); err == nil {
		t.Error("there is a service for Windows")
	}
}

func TestSystemdUnitIsQuotedAndValid(t *testing.T) {
	unit := systemdUnit([]string{"/bin/sh", "serve", "--config", `/home/o "100%" $x\y/norn.toml`})
	if want := `ExecStart="/bin/sh" "serve" "--config" "/home/o \"100%%\" $$x\\y/norn.toml"`; !strings.Contains(unit,
		want+"\n") {
		t.Errorf("%s lacks %s", unit, want)
	}
	analyse, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze: the unit isn't shown to it")
	}
	path := filepath.Join(t.TempDir(), "norn.service")
	if err := os.WriteFile(path, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	verify := exec.CommandContext(t.Context(), analyse, "--user", "verify", path)
	verify.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
	said, err := verify.CombinedOutput()
	if err != nil || strings.Contains(string(said), "norn.service:") {
		t.Errorf("%v: %s", err, said)
	}
}

func TestLaunchdAgentIsAValidPropertyList(t *testing.T) {
	args := []string{"/Users/o & o/norn", "serve"}
	d := xml.NewDecoder(strings.NewReader(launchdAgent(args, "/Users/o/norn.log")))
	var texts []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			texts = append(texts, string(text))
		}
	}
	if got := strings.Join(texts, "|"); !strings.Contains(got, "ProgramArguments|/Users/o & o/norn|serve|RunAtLoad") {
		t.Errorf("it runs %s", got)
	}
}
