//go:build e2e

package playtest

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Arguments from `make packages`: a Debian root without norn, and two packages, the second one
// newer.
var (
	debianRoot = flag.String("debian", "", "root of a fresh Debian to install packages in")
	packages   = flag.String("packages", "", "two packages, with a comma between, the older one first")
)

// within runs a command in the Debian root.
func within(t *testing.T, args ...string) string {
	t.Helper()
	said, err := exec.Command("chroot", append([]string{*debianRoot}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return string(said)
}

// installs installs a package as README says.
func installs(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*debianRoot, "tmp", "norn.deb"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	within(t, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "-o",
		"Dpkg::Options::=--force-confdef", "/tmp/norn.deb")
}

// A package is installed in a fresh Debian and used. An upgrade keeps the answers and the
// operator's changes, and a removal keeps the tables.
func TestAPackageIsInstalledUpgradedAndRemoved(t *testing.T) {
	if *debianRoot == "" {
		t.Skip("`make packages` builds packages and a Debian to install them in")
	}
	older, newer, _ := strings.Cut(*packages, ",")
	exists := func(path string) bool {
		_, err := os.Stat(filepath.Join(*debianRoot, path))
		return err == nil
	}

	installs(t, older)
	was := within(t, "norn", "version")
	for _, path := range []string{
		"usr/share/man/man1/norn.1.gz", "usr/share/bash-completion/completions/norn", "usr/share/doc/norn/copyright",
		"usr/lib/systemd/system/norn.service", "etc/norn/norn.toml", "usr/share/applications/norn.desktop",
	} {
		if !exists(path) {
			t.Errorf("%s is missing", path)
		}
	}
	if got, want := within(t, "stat", "-c", "%U:%G %a", "/var/lib/norn"), "norn:norn 700\n"; got != want {
		t.Errorf("the folder of the tables is %q, want %q", got, want)
	}
	if got, want := within(t, "stat", "-c", "%U:%G %a", "/etc/norn/norn.toml"), "root:norn 640\n"; got != want {
		t.Errorf("the settings are %q, want %q", got, want)
	}
	within(t, "norn", "check-config", "/etc/norn/norn.toml")
	settings := filepath.Join(*debianRoot, "etc/norn/norn.toml")
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	written := strings.Replace(string(text), "demo = false", "demo = true", 1)
	if err := os.WriteFile(settings, []byte(written), 0o644); err != nil {
		t.Fatal(err)
	}

	// The package's user serves as the unit would, with the operator's settings.
	s := &server{
		t: t, dir: "/var/lib/norn", more: []string{"--config", "/etc/norn/norn.toml"},
		norn: []string{"chroot", "--userspec=norn:norn", *debianRoot, "norn"},
	}
	s.begin()
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.click("[data-demo=spire]")
	gm.sees("[data-live-state=open]", "")
	gm.sees("[data-question-kind]", "")
	question := gm.ask("document.querySelector('[data-question-kind]').id")
	gm.picture("installed")
	s.stop()

	installs(t, newer)
	if is := within(t, "norn", "version"); is == was {
		t.Errorf("both packages have %s", is)
	}
	if kept, err := os.ReadFile(settings); err != nil || string(kept) != written {
		t.Errorf("what the operator wrote is gone: %v\n%s", err, kept)
	}
	s.start()
	gm.sees("[data-live-state=open]", "")
	gm.visit(s.url("/demo/spire"))
	gm.click("#" + question + " .actions button[type=submit]")
	gm.gone("#" + question)
	gm.picture("upgraded")
	s.stop()

	within(t, "dpkg", "--remove", "norn")
	if exists("usr/bin/norn") || !exists("etc/norn/norn.toml") {
		t.Error("a removed package leaves its settings, and nothing else")
	}
	said := within(t, "dpkg", "--purge", "norn")
	if exists("etc/norn/norn.toml") || !exists("var/lib/norn/norn.db") {
		t.Error("a purged package takes its settings away, but nobody's tables")
	}
	if !strings.Contains(said, "the tables stay in /var/lib/norn") {
		t.Errorf("it says\n%s", said)
	}
}
