//go:build unix

package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user that owns no files; only root can run something as another user, so elsewhere
// the test checks that one's own files aren't foreign.
const nobody = 65534

func TestFindForeignNamesAFileOfAnotherUser(t *testing.T) {
	if dir := os.Getenv("NORN_TEST_FOREIGN"); dir != "" {
		path, owner, self := FindForeign(filepath.Join(dir, "missing"), filepath.Join(dir, "open"), filepath.Join(dir, "closed"))
		os.Stdout.WriteString("found " + filepath.Base(path) + " of " + owner + " as " + self + "\n")
		return
	}
	dir, err := os.MkdirTemp("", "foreign")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for name, mode := range map[string]os.FileMode{"open": 0o666, "closed": 0o600} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
	}
	if path, _, _ := FindForeign(dir, filepath.Join(dir, "closed")); path != "" {
		t.Errorf("%s is this user's own", path)
	}
	if os.Geteuid() != 0 {
		return
	}
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "test")
	if err := os.WriteFile(copied, program, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(copied, "-test.run", "^"+t.Name()+"$")
	c.Dir, c.Env = "/", []string{"NORN_TEST_FOREIGN=" + dir}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	said, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "found closed of root as "+userName(nobody)) {
		t.Errorf("%v: %s", err, said)
	}
}
