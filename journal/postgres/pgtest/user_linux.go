package pgtest

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// somebody returns the user that runs the server, and a function that gives that user a folder.
func somebody() (*syscall.SysProcAttr, func(path string) error, error) {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT, Setpgid: true}
	if os.Getuid() != 0 {
		return attr, func(string) error { return nil }, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(account.Uid, 10, 32)
		if err != nil {
			return nil, nil, err
		}
		gid, err := strconv.ParseUint(account.Gid, 10, 32)
		if err != nil {
			return nil, nil, err
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return attr, func(path string) error { return os.Chown(path, int(uid), int(gid)) }, nil
	}
	return nil, nil, errors.New("PostgreSQL doesn't run as root, and there is neither a user postgres nor nobody")
}
