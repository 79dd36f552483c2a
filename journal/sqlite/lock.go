package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"norn/journal"
)

var errHeld = errors.New("held by another")

// logged is the mark in a lock file that the newest entries stand in a
// write-ahead log beside the database. It outlives a crash.
const logged = "write-ahead log"

// acquire takes the lock of a database for as long as the returned file is open.
// The file holds the holder's process id, for the message to others, and the mark.
// It is never removed: two processes could then hold locks on two files of one
// name. It tells whether the last holder left the mark, and leaves it.
func acquire(path, lock string) (f *os.File, marked bool, err error) {
	f, err = os.OpenFile(lock, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, fmt.Errorf("journal: %w", err)
	}
	err = tryLock(f)
	text, _ := io.ReadAll(io.LimitReader(f, 64)) // without it the message is only shorter
	holder, rest, _ := strings.Cut(string(text), "\n")
	if errors.Is(err, errHeld) {
		f.Close()
		id, _ := strconv.Atoi(holder)
		return nil, false, &journal.LockedError{Path: path, Process: id}
	}
	marked = strings.TrimSpace(rest) == logged
	if err == nil {
		err = hold(f, marked)
	}
	if err != nil {
		f.Close()
		return nil, false, fmt.Errorf("journal: lock %s: %w", lock, err)
	}
	return f, marked, nil
}

// hold writes who holds the lock, and the mark or none. A crash in between
// leaves no mark, never a wrong one.
func hold(f *os.File, mark bool) error {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if mark {
		text += logged + "\n"
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

// missing refuses a database whose write-ahead log has been taken away since a
// crash: the entries in it would be lost without a word.
func missing(path, lock string) error {
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return nil // there, or it will be found out
	}
	return &journal.CorruptError{Path: path, Err: fmt.Errorf("its write-ahead log %s-wal is missing, in which norn kept the newest entries when it broke off; "+
		"put it back, or, if they're to be given up or another program has taken them into the database, remove %s", path, lock)}
}
