//go:build !windows

package sqlite

import (
	"os"
	"path/filepath"
	"syscall"
)

// adopt gives a file or folder that root has just created the owner of the folder it is in, so that
// a command run as root leaves nothing that the service, which runs as another user, can't open.
// SQLite does the same for its logs. For other users it does nothing.
func adopt(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid == 0 {
		return nil
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}
