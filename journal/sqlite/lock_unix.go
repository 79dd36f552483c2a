//go:build !windows

package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes an exclusive lock on an open file, or returns errHeld.
func tryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		default:
			return err
		}
	}
}

// lockFolder takes an exclusive lock on a folder, or returns errHeld; nil if the file system can't
// lock folders.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		f.Close()
		if errors.Is(err, errHeld) {
			return nil, err
		}
		return nil, nil
	}
	return f, nil
}
