package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// unpacked returns an archive's files by name, and writes them to a folder unless that is "".
func unpacked(t *testing.T, archive io.Reader, into string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = data
		if into == "" {
			continue
		}
		at := filepath.Join(into, h.Name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(at, 0o755)
		} else {
			err = os.WriteFile(at, data, 0o600)
		}
		if err := errors.Join(err, os.Chown(at, h.Uid, h.Gid),
			os.Chmod(at, os.FileMode(h.Mode)&os.ModePerm)); err != nil {
			t.Fatal(err)
		}
	}
}

// settings are the settings of an image, as Docker reads them.
type settings struct {
	Architecture string
	Config       struct {
		User, WorkingDir     string
		Env, Entrypoint, Cmd []string
		Volumes              map[string]any
		ExposedPorts         map[string]any
		Healthcheck          struct{ Test []string }
	}
	RootFS struct {
		DiffIDs []string `json:"diff_ids"`
	}
}

// checkBlobs checks that the blobs match their names, and that both lists, OCI's and Docker's,
// agree. It returns the image's settings and layer.
func checkBlobs(t *testing.T, files map[string][]byte) (settings, []byte) {
	t.Helper()
	decode := func(name string, into any) {
		t.Helper()
		if err := json.Unmarshal(files[name], into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for name, data := range files {
		if digest, ok := strings.CutPrefix(name, "blobs/sha256/"); ok &&
			digest != fmt.Sprintf("%x", sha256.Sum256(data)) {
			t.Errorf("%s isn't what it's called", name)
		}
	}
	blob := func(digest string) string { return "blobs/sha256/" + strings.TrimPrefix(digest, "sha256:") }
	var index struct{ Manifests []descriptor }
	decode("index.json", &index)
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	decode(blob(index.Manifests[0].Digest), &manifest)
	var docker []struct {
		Config           string
		RepoTags, Layers []string
	}
	decode("manifest.json", &docker)
	if docker[0].Config != blob(manifest.Config.Digest) || docker[0].Layers[0] != blob(manifest.Layers[0].Digest) ||
		docker[0].RepoTags[0] != "norn:0.0.0" {
		t.Errorf("Docker's list has %v, OCI's %v", docker, manifest)
	}
	var is settings
	decode(docker[0].Config, &is)
	z, err := gzip.NewReader(bytes.NewReader(files[docker[0].Layers[0]]))
	if err != nil {
		t.Fatal(err)
	}
	layer, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("sha256:%x", sha256.Sum256(layer)); is.RootFS.DiffIDs[0] != got {
		t.Errorf("the layer is %s, by the settings %s", got, is.RootFS.DiffIDs[0])
	}
	return is, layer
}

// checkReadme compares docker load and docker run in README with the image, and returns the
// arguments for norn.
func checkReadme(t *testing.T, is settings) (args []string) {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("`docker load -i norn-…-image-amd64.tar`, then `docker run -p 8080:(\\d+) -v norn:(\\S+) norn ([^`]+)`").FindSubmatch(readme)
	if shown == nil {
		t.Fatal("README shows neither docker load nor docker run")
	}
	if is.Config.ExposedPorts[string(shown[1])+"/tcp"] == nil || is.Config.Volumes[string(shown[2])] == nil {
		t.Errorf("README has port %s and volume %s, the image %v and %v", shown[1], shown[2], is.Config.ExposedPorts,
			is.Config.Volumes)
	}
	if want := is.Config.Cmd[0]; !strings.HasPrefix(string(shown[3]), want) {
		t.Errorf("README runs %s, the image %s", shown[3], want)
	}
	return strings.Fields(string(shown[3]))
}

// buildProgram builds norn as releases do, and returns the program.
func buildProgram(t *testing.T) []byte {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "norn")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./cmd/norn")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// The image must be a valid OCI layout and loadable by docker. norn must run in it as README says:
// as its own user, with tables that stay in the volume, and healthy.
func TestImageRunsNornAsItsOwnUser(t *testing.T) {
	program := buildProgram(t)
	r := &release{version: "0.0.0", commit: "c0ffee", at: time.Unix(1_700_000_000, 0).UTC()}
	packed, err := r.image(runtime.GOARCH, program, []byte("licences"), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.image(runtime.GOARCH, program, []byte("licences"), []byte("{}")); err != nil || !bytes.Equal(packed, again) {
		t.Errorf("packed again it's another one (%v)", err)
	}
	is, layer := checkBlobs(t, unpacked(t, bytes.NewReader(packed), ""))
	if is.Architecture != runtime.GOARCH || is.Config.User != "65532:65532" || is.Config.Volumes["/data"] == nil ||
		is.Config.ExposedPorts["8080/tcp"] == nil {
		t.Errorf("its settings are %+v", is)
	}
	serve := checkReadme(t, is)
	if os.Getuid() != 0 {
		t.Skip("not root: the image isn't run")
	}
	root := t.TempDir()
	if err := os.Chmod(filepath.Dir(root), 0o755); err != nil {
		t.Fatal(err)
	}
	roots := unpacked(t, bytes.NewReader(layer), root)["etc/ssl/certs/ca-certificates.crt"]
	if n := bytes.Count(roots, []byte("BEGIN CERTIFICATE")); n < 100 {
		t.Errorf("it trusts %d roots", n)
	}
	inside := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), args[0], args[1:]...)
		c.Dir, c.Env = is.Config.WorkingDir, append(is.Config.Env, "NORN_LISTEN=127.0.0.1:18080")
		c.SysProcAttr = &syscall.SysProcAttr{
			Chroot:     root,
			Credential: &syscall.Credential{Uid: imageUser, Gid: imageUser},
		}
		return c
	}
	healthy := func() error { return inside(is.Config.Healthcheck.Test[1:]...).Run() }
	if healthy() == nil {
		t.Error("it's healthy before it runs")
	}
	var said bytes.Buffer
	norn := inside(append(is.Config.Entrypoint, serve...)...)
	norn.Stderr = &said
	if err := norn.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = norn.Process.Kill() // it may have ended already
		_ = norn.Wait()
	})
	for end := time.Now().Add(time.Minute); healthy() != nil; {
		if time.Now().After(end) {
			t.Fatalf("it isn't healthy: %s", &said)
		}
	}
	answer, err := http.Get("http://127.0.0.1:18080/")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("its start page: %s", answer.Status)
	}
	if info, err := os.Stat(filepath.Join(root, "data", "norn.db")); err != nil ||
		info.Sys().(*syscall.Stat_t).Uid != imageUser {
		t.Errorf("the tables in /data: %v, %v", info, err)
	}
	if err := norn.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := norn.Wait(); err != nil {
		t.Errorf("stopped, it says %v: %s", err, &said)
	}
}
