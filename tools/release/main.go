// Command release builds the downloads: an archive for each system, a Debian package, a container
// image, and their checksums. In a clean checkout, `release -version 0.1.0` writes to release/. Two
// checkouts of one commit produce the same bytes: the output doesn't depend on the time, the path
// or the order in which folders are read.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// target is a system for which norn is built.
type target struct {
	os, arch, arm string
	debian        string // its architecture in Debian, "" for no package
	image         bool   // whether there is a container image
}

var targets = []target{
	{os: "linux", arch: "amd64", debian: "amd64", image: true},
	{os: "linux", arch: "arm64", debian: "arm64", image: true},
	{os: "linux", arch: "arm", arm: "7", debian: "armhf"},
	{os: "darwin", arch: "amd64"},
	{os: "darwin", arch: "arm64"},
	{os: "windows", arch: "amd64"},
}

func (t target) name() string {
	system := map[string]string{"darwin": "macos"}[t.os]
	if system == "" {
		system = t.os
	}
	if t.arm != "" {
		return system + "-armv" + t.arm
	}
	return system + "-" + t.arch
}

// Limits on the size of a download, for people with slow connections. They are the size of
// linux/amd64 on 2026-11-26, 48.3 and 16.9 MB, and almost two more; both were raised by 2.5 MB for
// the engine that browsers run for rules of their own (ADR 76), which is compressed already. The
// binary's was raised by another 1 MB for lists, recovery codes and heroes made step by step (52.9
// MB on 2026-11-27). Spreadsheets and packs of other programs took both to 54.5 and 21.0 MB on
// 2026-11-29, the shelf of pictures and Spire's and Eclipse Phase's fifth editions to 54.75 and 21.08,
// edits of lent sheets, typed faults of own games and one owner of the move form to 54.81 and 21.12 on
// 2026-11-30, and the reference of own games, in three languages, to 55.08 and 21.20 on that day;
// without NATS they are 54.65 and 21.02.
//
// Nearly all of it is code and its line tables, 23 and 15 MB: method lookup by name in huma and
// text/template (goose) prevents the linker from dropping unused methods.
const (
	maxBinary  = 54_800_000
	maxArchive = 21_150_000
)

// checkSize returns an error if a binary or its archive exceeds the limits.
func checkSize(program, packed []byte) error {
	if len(program) > maxBinary || len(packed) > maxArchive {
		return fmt.Errorf("the binary has %d bytes, of %d, and the archive %d, of %d", len(program), maxBinary,
			len(packed), maxArchive)
	}
	return nil
}

// measure builds norn for linux/amd64 as for a release, from the current tree, and checks its size.
func measure() error {
	dir, err := os.MkdirTemp("", "norn")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := &release{version: "0.0.0", unstamped: true}
	binary := filepath.Join(dir, "norn")
	if err := r.compile(target{os: "linux", arch: "amd64"}, binary); err != nil {
		return err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	files := []file{{"norn", 0o755, program}}
	for _, name := range []string{"LICENSE", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files = append(files, file{name, 0o644, data})
	}
	licences, err := notices()
	if err != nil {
		return err
	}
	packed, err := packTar("norn", append(files, file{"NOTICES.txt", 0o644, licences}), time.Unix(0, 0))
	if err != nil {
		return err
	}
	fmt.Printf("linux-amd64: the binary has %d bytes, of %d, and the archive %d, of %d\n", len(program), maxBinary,
		len(packed), maxArchive)
	return checkSize(program, packed)
}

// file is a file in an archive or a package.
type file struct {
	path string
	mode fs.FileMode
	data []byte
}

// release is one version, built from one commit.
type release struct {
	version string
	commit  string
	at      time.Time // the time of the commit, used for all files
	out     string
	shared  []file // files that every archive has in addition to the binary
	host    string // path of a norn for this machine

	unstamped bool // the binary lacks its commit
}

func main() {
	version := flag.String("version", "", "version to build, such as 0.1.0")
	out := flag.String("out", "release", "folder to write to; it's made anew")
	only := flag.String("only", "", "one system alone, such as linux-amd64")
	key := flag.String("key", "", "file of the private key, made by ssh-keygen, that signs the checksums")
	size := flag.Bool("size", false, "only build linux-amd64 and hold it to its limits")
	flag.Parse()
	run := func() error { return build(*version, *out, *only, *key) }
	if *size {
		run = measure
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// semver matches a version by Semantic Versioning, without build metadata.
var semver = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

func build(version, out, only, key string) error {
	if !semver.MatchString(version) {
		return fmt.Errorf("-version %q is none: make release VERSION=0.1.0", version)
	}
	r := &release{version: version, out: out}
	if err := r.checkout(); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := r.common(); err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(r.host))
	for _, t := range targets {
		if only != "" && only != t.name() {
			continue
		}
		if err := r.target(t); err != nil {
			return fmt.Errorf("%s: %w", t.name(), err)
		}
	}
	script, err := os.ReadFile("deploy/install.sh")
	if err != nil {
		return err
	}
	if err := r.write("install.sh", script); err != nil {
		return err
	}
	if err := r.sums(); err != nil || key == "" {
		return err
	}
	return sign(filepath.Join(out, "SHA256SUMS"), key)
}

// checkout checks that the tree equals a commit, which is released.
func (r *release) checkout() error {
	changed, err := output("git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return errors.New("the checkout has changes that are in no commit: commit or stash them first\n" + changed)
	}
	head, err := output("git", "log", "-1", "--format=%H %cI")
	if err != nil {
		return err
	}
	commit, date, _ := strings.Cut(head, " ")
	at, err := time.Parse(time.RFC3339, date)
	r.commit, r.at = commit, at.UTC()
	return err
}

// common builds a norn for this machine and collects the files that all archives have.
func (r *release) common() error {
	dir, err := os.MkdirTemp("", "norn")
	if err != nil {
		return err
	}
	r.host = filepath.Join(dir, "norn")
	if err := r.compile(target{os: goenv("GOHOSTOS"), arch: goenv("GOHOSTARCH")}, r.host); err != nil {
		return err
	}
	var is struct {
		Version, Commit string
		Changed         bool
	}
	text, err := output(r.host, "version", "--json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), &is); err != nil {
		return err
	}
	if is.Version != r.version || is.Commit != r.commit || is.Changed {
		return fmt.Errorf("what was built says %s, which isn't commit %s: build in a clone, not in a worktree", text,
			r.commit)
	}
	for _, name := range []string{"LICENSE", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{name, 0o644, data})
	}
	made := []struct {
		path string
		args []string
	}{
		{"completions/norn.bash", []string{"completion", "bash"}},
		{"completions/_norn", []string{"completion", "zsh"}},
		{"completions/norn.fish", []string{"completion", "fish"}},
		{"completions/norn.ps1", []string{"completion", "powershell"}},
		{"man/norn.1", []string{"man"}},
	}
	for _, m := range made {
		text, err := output(r.host, m.args...)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{m.path, 0o644, []byte(text + "\n")})
	}
	return nil
}

// target builds everything for one system.
func (r *release) target(t target) error {
	dir, err := os.MkdirTemp("", "norn")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "norn")
	if err := r.compile(t, binary); err != nil {
		return err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	notices, err := notices()
	if err != nil {
		return err
	}
	bill, err := r.billOfMaterials(t, binary)
	if err != nil {
		return err
	}
	if err := r.write(fmt.Sprintf("norn-%s-%s.spdx.json", r.version, t.name()), bill); err != nil {
		return err
	}
	files := append(slices.Clone(r.shared), file{"NOTICES.txt", 0o644, notices}, file{"norn.spdx.json", 0o644, bill})
	name := "norn"
	if t.os == "windows" {
		name = "norn.exe"
	}
	files = append(files, file{name, 0o755, program})
	own, err := r.own(t)
	if err != nil {
		return err
	}
	files = append(files, own...)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	archive := fmt.Sprintf("norn-%s-%s", r.version, t.name())
	var packed []byte
	if t.os == "windows" {
		packed, err = packZip(archive, files, r.at)
		archive += ".zip"
	} else {
		packed, err = packTar(archive, files, r.at)
		archive += ".tar.gz"
	}
	if err != nil {
		return err
	}
	if err := r.write(archive, packed); err != nil {
		return err
	}
	if err := checkSize(program, packed); err != nil {
		return err
	}
	if t.image {
		image, err := r.image(t.arch, program, notices, bill)
		if err != nil {
			return err
		}
		if err := r.write(fmt.Sprintf("norn-%s-image-%s.tar", r.version, t.arch), image); err != nil {
			return err
		}
	}
	if t.debian == "" {
		return nil
	}
	deb, err := r.deb(t, files)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("norn_%s_%s.deb", r.version, t.debian), deb)
}

// own returns the files of one system's archive that others don't have.
func (r *release) own(t target) ([]file, error) {
	from := map[string][]string{
		"linux": {
			"START.txt", "deploy/norn.toml", "deploy/norn.service", "deploy/norn-node.service",
			"deploy/norn-backup.service", "deploy/norn-backup.timer", "deploy/norn.sysusers",
			"deploy/norn.desktop", "deploy/Caddyfile", "deploy/proxy/Caddyfile", "deploy/proxy/nginx.conf",
			"deploy/watch/alerts.yml", "deploy/watch/dashboard.json", "docs/operate.md", "docs/security.md",
		},
		"darwin":  {"START.txt", "norn.command"},
		"windows": {"START.txt"},
	}
	var files []file
	for _, path := range from[t.os] {
		from := path
		if !strings.Contains(path, "/") {
			from = filepath.Join("deploy", path)
		}
		data, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		mode := fs.FileMode(0o644)
		if strings.HasSuffix(path, ".command") {
			mode = 0o755
		}
		if t.os == "windows" {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		files = append(files, file{path, mode, data})
	}
	return files, nil
}

// compile builds norn for a system, with the notices of the modules in it.
func (r *release) compile(t target, to string) error {
	env := append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "GOARM="+t.arm, "CGO_ENABLED=0",
		"GOFLAGS=-mod=readonly")
	for _, args := range [][]string{
		{"tools/notices.sh"},
		{
			// -l: a component's markup is copied to each place into which its function is inlined, 2.7 MB in all.
			"go", "build", "-trimpath", fmt.Sprintf("-buildvcs=%t", !r.unstamped), "-gcflags=norn/web/...=-l",
			"-gcflags=norn/internal/widget=-l", "-ldflags", "-s -w -X norn/cmd/norn/internal/version.released=" + r.version, "-o", to, "./cmd/norn",
		},
	} {
		c := exec.Command(args[0], args[1:]...)
		c.Env, c.Stdout, c.Stderr = env, os.Stderr, os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}

// notices returns the licences of all modules in the binary built last.
func notices() ([]byte, error) {
	modules, err := os.ReadFile("cmd/norn/notices/modules.txt")
	if err != nil {
		return nil, err
	}
	scripts, err := os.ReadFile("web/dist/licences.txt")
	return append(modules, scripts...), err
}

func (r *release) write(name string, data []byte) error {
	fmt.Printf("%9d  %s\n", len(data), name)
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// sums writes the file that sha256sum -c reads.
func (r *release) sums() error {
	entries, err := os.ReadDir(r.out) // sorted by name
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return r.write("SHA256SUMS", list.Bytes())
}

// sign writes the signature of a file next to it, as ssh-keygen -Y verify and the install script check it.
func sign(path, key string) error {
	c := exec.Command("ssh-keygen", "-Y", "sign", "-q", "-f", key, "-n", "norn", path)
	c.Stdin, c.Stderr = os.Stdin, os.Stderr // it may ask for the key's passphrase
	if err := c.Run(); err != nil {
		return fmt.Errorf("signing %s: %w", path, err)
	}
	return nil
}

func goenv(name string) string {
	text, _ := output("go", "env", name) // a Go that can't answer won't build either
	return text
}

// output returns what a command prints, without surrounding space.
func output(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	c.Env = append(os.Environ(), "LC_ALL=C", "NO_COLOR=1")
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
