package journal

import (
	"errors"
	"fmt"
)

var (
	// ErrNotFound means that there is no entry under a key.
	ErrNotFound = errors.New("journal: no such entry")
	// ErrClosed means that the journal was closed before the call, or before its turn in the queue.
	ErrClosed = errors.New("journal: closed")
)

// InvalidError reports input outside the limits. Nothing was written.
type InvalidError struct {
	Field   string // such as "entries[0].body"
	Problem string // what is wrong and what is allowed, such as "is empty; 1 to 200 bytes are allowed"
}

func (e *InvalidError) Error() string { return "journal: " + e.Field + " " + e.Problem }

// ConflictError reports that another writer was first: the table's last entry isn't the expected
// one. Nothing was written.
type ConflictError struct {
	Table    string
	Expected uint64 // the seq that the writer expected to be the last
	Have     uint64 // the seq of the last entry, 0 for a table without entries
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("journal: table %q is at entry %d, not at %d", e.Table, e.Have, e.Expected)
}

// DuplicateError reports that the seat has used the key before. Nothing was written.
type DuplicateError struct {
	Entry Entry // the existing entry with the key
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf(
		"journal: table %q: key %q of seat %q stands at entry %d",
		e.Entry.Table,
		e.Entry.Key,
		e.Entry.Seat,
		e.Entry.Seq,
	)
}

// UnavailableError reports that the store can't be reached or written to for an external reason: a
// full disk, a read-only file, a lost connection. The journal works again once the reason no longer
// exists. Entries of a failed append can't be read now, but after a crash at that moment they may
// appear; so repeat them under the same key.
type UnavailableError struct {
	Err error
	// Unwritable means that the store can be reached but not written to: it's full or read-only.
	// Somebody must fix that.
	Unwritable bool
}

func (e *UnavailableError) Error() string { return "journal: not available now: " + e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// NewerError refuses a database that a newer version of norn wrote. It was not changed.
type NewerError struct {
	Path   string
	Have   int    // schema version of the database
	Know   int    // newest schema version that this norn knows
	Before string // folder of a copy, made before the update, that this norn can open; "" for none
}

func (e *NewerError) Error() string {
	return fmt.Sprintf(
		"journal: %s is of a newer norn: its schema is version %d, this norn knows up to %d",
		e.Path,
		e.Have,
		e.Know,
	)
}

// CorruptError refuses a database that is damaged or doesn't belong to norn.
type CorruptError struct {
	Path string
	Err  error // what was found
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("journal: %s can't be used: %v", e.Path, e.Err)
}
func (e *CorruptError) Unwrap() error { return e.Err }

// MissingError refuses a database that lacks acknowledged entries. It was not changed.
type MissingError struct {
	Path       string
	Have, Want uint64 // number of entries in all tables; both 0 if the number missing is unknown
	Table      string // the table of the newest missing entry
	Seq        uint64
	Log        string // path of the write-ahead log, if that is missing
}

func (e *MissingError) Error() string {
	text := fmt.Sprintf("journal: %s lacks entries that were acknowledged", e.Path)
	if e.Want > 0 {
		text = fmt.Sprintf(
			"%s: it has %d of %d; the newest was entry %d of table %q",
			text,
			e.Have,
			e.Want,
			e.Seq,
			e.Table,
		)
	}
	if e.Log != "" {
		text += "; its write-ahead log " + e.Log + " is missing"
	}
	return text
}

// LockedError reports that another process, or another journal of this process, has the database
// open.
type LockedError struct {
	Path    string // path of the database
	Process int    // id of the process that has it open, 0 if unknown
}

func (e *LockedError) Error() string {
	if e.Process == 0 {
		return fmt.Sprintf("journal: %s is open in another norn", e.Path)
	}
	return fmt.Sprintf("journal: %s is open in another norn (process %d)", e.Path, e.Process)
}
