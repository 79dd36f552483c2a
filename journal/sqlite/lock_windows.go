package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes an exclusive lock on an open file, or returns errHeld. The locked byte is far
// beyond the text, so that others can read the text.
func tryLock(f *os.File) error {
	far := &windows.Overlapped{OffsetHigh: 1}
	err := windows.LockFileEx(
		windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0,
		1,
		0,
		far,
	)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}

// lockFolder does nothing: Windows doesn't remove open files.
func lockFolder(string) (*os.File, error) { return nil, nil }
