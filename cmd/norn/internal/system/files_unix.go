//go:build unix

package system

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// FindForeign returns the first of the paths that belongs to another user and that this process may
// not both read and write, with the name of its owner; "" for none. self is the user of this
// process.
func FindForeign(paths ...string) (path, owner, self string) {
	for _, path := range paths {
		if !errors.Is(unix.Access(path, unix.R_OK|unix.W_OK), fs.ErrPermission) {
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if by, ok := info.Sys().(*syscall.Stat_t); ok && int(by.Uid) != os.Geteuid() {
			return path, userName(int(by.Uid)), userName(os.Geteuid())
		}
	}
	return "", "", ""
}

// userName returns the name of a user, or the number if the system has no name for it.
func userName(id int) string {
	number := strconv.Itoa(id)
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return number
}

// MostFiles returns the number of files and connections that this process may have open.
func MostFiles() int {
	var most syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most) != nil {
		return math.MaxInt
	}
	return int(min(uint64(most.Cur), math.MaxInt))
}

// BoundMemory limits the memory of this process. Nothing else limits what a stranger's text
// allocates in one step.
func BoundMemory() {
	const most = 8 << 30 // of address space, of which Go itself uses some
	var now syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &now) == nil {
		now.Cur = min(now.Cur, most)
		_ = syscall.Setrlimit(syscall.RLIMIT_AS, &now)
	}
}
