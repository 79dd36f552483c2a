package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"norn/journal"
)

var errHeld = errors.New("held by another")

// acquire takes the lock of a database for as long as the returned file is open.
// The file holds the holder's process id, for the message to others. It is
// never removed: two processes could then hold locks on two files of one name.
func acquire(path, lock string) (*os.File, error) {
	f, err := os.OpenFile(lock, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	err = tryLock(f)
	if errors.Is(err, errHeld) {
		text, _ := io.ReadAll(io.LimitReader(f, 32)) // without it the message is only shorter
		f.Close()
		id, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return nil, &journal.LockedError{Path: path, Process: id}
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("journal: lock %s: %w", lock, err)
	}
	return f, nil
}
