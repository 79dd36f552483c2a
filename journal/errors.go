package journal

import (
	"errors"
	"fmt"
)

var (
	// ErrNotFound says that no entry stands under a key.
	ErrNotFound = errors.New("journal: no such entry")
	// ErrClosed says that the journal was closed before the call, or before its turn came.
	ErrClosed = errors.New("journal: closed")
)

// InvalidError refuses input that is out of bounds. Nothing was written.
type InvalidError struct {
	Field   string // such as "entries[0].body"
	Problem string // what is wrong and what is allowed, such as "is empty; 1 to 200 bytes are allowed"
}

func (e *InvalidError) Error() string { return "journal: " + e.Field + " " + e.Problem }

// ConflictError says that another writer was first: the table's last entry is
// not the expected one. Nothing was written.
type ConflictError struct {
	Table    string
	Expected uint64 // the seq the writer believed to be the last
	Have     uint64 // the seq of the last entry, 0 for a table without entries
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("journal: table %q is at entry %d, not at %d", e.Table, e.Have, e.Expected)
}

// DuplicateError says that the seat used the key before. Nothing was written.
type DuplicateError struct {
	Entry Entry // the entry that stands under the key
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

// UnavailableError says that the store could not be reached or written to for a
// reason outside the journal: a full disk, a read-only file, a lost connection. The journal goes
// on working once the reason is gone. Entries of a failed append can't be read
// now; a crash at that very moment may still bring them to light, so repeat them
// under the same key.
type UnavailableError struct {
	Err error
	// Unwritable says that the store can be reached but takes nothing: it's full, or may only be
	// read. Then somebody must see to it.
	Unwritable bool
}

func (e *UnavailableError) Error() string { return "journal: not available now: " + e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// NewerError refuses a database that a newer norn has written. It was not touched.
type NewerError struct {
	Path   string
	Have   int    // schema version of the database
	Know   int    // newest schema version this norn knows
	Before string // folder with a copy from before the update that this norn can open, "" for none
}

func (e *NewerError) Error() string {
	return fmt.Sprintf(
		"journal: %s is of a newer norn: its schema is version %d, this norn knows up to %d",
		e.Path,
		e.Have,
		e.Know,
	)
}

// CorruptError refuses a database that is damaged or isn't norn's.
type CorruptError struct {
	Path string
	Err  error // what was found
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("journal: %s can't be used: %v", e.Path, e.Err)
}
func (e *CorruptError) Unwrap() error { return e.Err }

// MissingError refuses a database that lacks entries which were acknowledged. It
// was not touched.
type MissingError struct {
	Path       string
	Have, Want uint64 // entries of all tables; both 0 where nobody knows how many are missing
	Table      string // where the newest of those that are missing stood
	Seq        uint64
	Log        string // its write-ahead log, where that is gone
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

// LockedError says that another process, or another journal of this one, has
// the database open.
type LockedError struct {
	Path    string // the database
	Process int    // id of the process that has it open, 0 if that isn't known
}

func (e *LockedError) Error() string {
	if e.Process == 0 {
		return fmt.Sprintf("journal: %s is open in another norn", e.Path)
	}
	return fmt.Sprintf("journal: %s is open in another norn (process %d)", e.Path, e.Process)
}
