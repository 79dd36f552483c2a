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
