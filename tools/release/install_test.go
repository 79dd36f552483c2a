package main

import (
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// installed runs the install script as a user with nothing but a home, who trusts a key if there is one.
func installed(home, key string, args ...string) (said string, err error) {
	c := exec.Command("sh", append([]string{"../../deploy/install.sh"}, args...)...)
	c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "CURL_CA_BUNDLE=" + filepath.Join(home, "site.pem"), "NORN_KEY=" + key}
	out, err := c.CombinedOutput()
	return string(out), err
}

// The script installs the files in the release's sums, from the web or a folder, upgrades them, and
// changes nothing if a sum is wrong.
func TestInstallScriptChangesNothingIfASumIsWrong(t *testing.T) {
	system := target{os: runtime.GOOS, arch: runtime.GOARCH}.name()
	folder := t.TempDir()
	release := func(version string) (archive string) {
		t.Helper()
		name := "norn-" + version + "-" + system
		packed, err := packTar(name, []file{{"norn", 0o755, []byte("#!/bin/sh\necho norn " + version + "\n")}},
			time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		sums := fmt.Sprintf("%x  norn-%s-plan9-amd64.tar.gz\n%x  %s.tar.gz\n", sha256.Sum256(nil), version,
			sha256.Sum256(packed), name)
		for file, data := range map[string][]byte{name + ".tar.gz": packed, "SHA256SUMS": []byte(sums)} {
			if err := os.WriteFile(filepath.Join(folder, file), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return filepath.Join(folder, name+".tar.gz")
	}
	site := httptest.NewTLSServer(http.FileServer(http.Dir(folder)))
	defer site.Close()
	home := t.TempDir()
	trusted := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})
	if err := os.WriteFile(filepath.Join(home, "site.pem"), trusted, 0o600); err != nil {
		t.Fatal(err)
	}
	norn := filepath.Join(home, ".local", "bin", "norn")
	version := func() string {
		said, err := exec.Command(norn, "version").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(said))
	}

	for v, from := range map[string]string{"0.1.0": site.URL, "0.2.0": folder} {
		release(v)
		said, err := installed(home, "", "--from", from)
		if err != nil || !strings.Contains(said, "isn't in your PATH") {
			t.Fatalf("%v: %s", err, said)
		}
		if got := version(); got != "norn "+v {
			t.Errorf("installed is %s, want %s", got, v)
		}
	}
	// README has sha256sum -c SHA256SUMS, for a folder with all files
	check := exec.Command("sha256sum", "-c", "--ignore-missing", "SHA256SUMS")
	check.Dir = folder
	if said, err := check.CombinedOutput(); err != nil && runtime.GOOS == "linux" {
		t.Errorf("%v: %s", err, said)
	}
	before := version()
	if err := os.WriteFile(release("0.3.0"), []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := installed(home, "", "--from", site.URL); err == nil ||
		!strings.Contains(said, "Nothing was installed") {
		t.Errorf("with a wrong sum: %v, %s", err, said)
	}
	if got := version(); got != before {
		t.Errorf("with a wrong sum %s was installed", got)
	}
	for want, args := range map[string][]string{
		"--from ADDRESS":   nil,
		"can't be fetched": {"--from", site.URL + "/nowhere"},
		"name an https":    {"--from", strings.Replace(site.URL, "https:", "http:", 1)},
		"An https address": {"--from", "ftp://norn.example"},
		"what is --sudo":   {"--sudo"},
	} {
		if said, err := installed(home, "", args...); err == nil || !strings.Contains(said, want) {
			t.Errorf("%v: %v, %q lacks %q", args, err, said, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(home, ".local", "bin", "*")); len(left) != 1 {
		t.Errorf("it leaves %v", left)
	}
}

// With a key the script installs only what that key has signed.
func TestInstallScriptChecksTheSignature(t *testing.T) {
	name := "norn-0.1.0-" + target{os: runtime.GOOS, arch: runtime.GOARCH}.name()
	folder, home := t.TempDir(), t.TempDir()
	packed, err := packTar(name, []file{{"norn", 0o755, []byte("#!/bin/sh\necho norn 0.1.0\n")}}, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	write := func(file string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(name+".tar.gz", packed)
	sums := fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(packed), name)
	write("SHA256SUMS", []byte(sums))
	key := func(file string) (public string) {
		t.Helper()
		path := filepath.Join(home, file)
		if said, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		data, err := os.ReadFile(path + ".pub")
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(data))
	}
	ours, others := key("ours"), key("others")
	norn := filepath.Join(home, ".local", "bin", "norn")
	refused := func(why, trusted, want string) {
		t.Helper()
		said, err := installed(home, trusted, "--from", folder)
		if _, there := os.Stat(norn); err == nil || !strings.Contains(said, want) || there == nil {
			t.Errorf("%s: %v, %s", why, err, said)
		}
	}

	refused("without a signature", ours, "SHA256SUMS.sig can't be fetched")
	if err := sign(filepath.Join(folder, "SHA256SUMS"), filepath.Join(home, "ours")); err != nil {
		t.Fatal(err)
	}
	refused("signed by somebody else", others, "isn't signed by norn's key")
	write("SHA256SUMS", []byte(sums+"\n"))
	refused("changed after it was signed", ours, "isn't signed by norn's key")
	write("SHA256SUMS", []byte(sums))
	if said, err := installed(home, ours, "--from", folder); err != nil || !strings.Contains(said, "norn 0.1.0") {
		t.Errorf("signed: %v, %s", err, said)
	}
}
