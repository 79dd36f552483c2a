package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"norn/journal"
)

var errHeld = errors.New("held by another")

const (
	lockFile = "norn.lock"
	// logged is a mark in the lock file: the newest entries are in a write-ahead log next to the
	// database. It survives a crash.
	logged = "write-ahead log"
)

// lock prevents others from opening a journal until it is released. It locks the folder, which
// nobody removes while norn runs, and a file in it that names the holder and has the mark. If the
// system can't lock folders, there is only the file.
type lock struct {
	file   *os.File
	folder *os.File // nil if folders can't be locked
	marked bool     // the last holder left the mark
}

// acquire locks a database. It doesn't change the mark. The file is never removed: otherwise two
// processes could hold locks on two files with the same name.
func acquire(path string) (*lock, error) {
	dir := filepath.Dir(path)
	name := filepath.Join(dir, lockFile)
	folder, err := lockFolder(dir)
	if errors.Is(err, errHeld) {
		text, _ := os.ReadFile(name) // without it only the message is shorter
		return nil, &journal.LockedError{Path: path, Process: holder(text)}
	}
	if err != nil {
		return nil, fmt.Errorf("journal: lock %s: %w", dir, err)
	}
	l := &lock{folder: folder}
	l.file, err = openFile(name, os.O_RDWR)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("journal: %w", err), l.release())
	}
	err = tryLock(l.file)
	text, _ := io.ReadAll(io.LimitReader(l.file, 64))
	if errors.Is(err, errHeld) {
		return nil, errors.Join(&journal.LockedError{Path: path, Process: holder(text)}, l.release())
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	l.marked = strings.TrimSpace(rest) == logged
	if err == nil {
		err = l.mark(l.marked)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("journal: lock %s: %w", name, err), l.release())
	}
	return l, nil
}

// holder returns the process id in a lock file, 0 for none.
func holder(text []byte) int {
	first, _, _ := strings.Cut(string(text), "\n")
	id, _ := strconv.Atoi(first)
	return id
}

// mark writes the holder of the lock, with or without the mark. A crash during this leaves no mark,
// never a wrong one.
func (l *lock) mark(there bool) error {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if there {
		text += logged + "\n"
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(text), 0)
	return err
}

// release lets others in.
func (l *lock) release() error {
	var err error
	for _, f := range []*os.File{l.file, l.folder} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}
