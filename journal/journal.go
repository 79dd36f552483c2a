// Package journal defines the append-only store of all tables: what an entry is, how entries are
// added and read, and which errors a driver returns. Drivers are in its folders (journal/sqlite,
// journal/postgres); journal/journaltest holds the test suite that each of them must pass.
//
// Every driver guarantees:
//
//   - Entries of a table are numbered 1, 2, 3 … without a gap. Only Delete removes them, all of
//     a table at once, and only Blank changes bodies.
//   - Append adds all of its entries or none. When it returns without an error
//     they survive a crash of the process and of the machine; until then nobody
//     can read them.
//   - A writer gives the entry that it expects to be the last. If several writers
//     expect the same one, one succeeds; the others get a *ConflictError, reload and
//     try again.
//   - A seat can use a key once at a table. Using it again returns a *DuplicateError
//     with the existing entry, so a repeated request leads to the same entry. This
//     error takes precedence over a conflict: a repeat must find its entry however
//     many entries have been added since.
//   - All methods may be called from any goroutine.
//
// Bodies are opaque to the journal. It reads no clock and knows no game. The package imports only
// the standard library.
package journal

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of an entry, in bytes.
const (
	MaxBody = 1 << 20 // of a body
	MaxText = 200     // of a table, seat, move or key
)

// Entry is one durable record of one table.
type Entry struct {
	Table string    // table id
	Seq   uint64    // 1, 2, 3 … in each table, without gaps
	Time  time.Time // set by the writer; stored in UTC with microseconds
	Seat  string    // the seat that caused it, "" for the server
	Move  string    // the move it belongs to, "" for none
	Key   string    // idempotency key, "" for none; unique within table and seat
	Body  []byte    // opaque to the journal
}

// Head is the last entry of a table.
type Head struct {
	Table string
	Seq   uint64
	Time  time.Time
}

// Deletion says that a table was deleted.
type Deletion struct {
	Table string
	Time  time.Time
}

// Journal is an append-only store of tables.
//
// In addition to the errors named below, every method can return ErrClosed after Close, an error
// that wraps the context's error, *CorruptError and *UnavailableError.
type Journal interface {
	// Append adds entries to the end of one table, numbered from expect+1, and returns them as
	// stored. expect is the seq of the last entry that the writer knows, 0 for a new table. Table
	// and Seq of the entries may be empty; otherwise they must equal the values that Append would
	// set. The returned entries share the given bodies, which the caller may not change before
	// Append returns.
	//
	// If it returns *InvalidError, *DuplicateError or *ConflictError (in this order of precedence),
	// nothing was written. After a context's error or *UnavailableError the entries may or may not
	// have been written: call Find with their key, or append again under the same key. A driver may
	// guarantee more.
	Append(ctx context.Context, table string, expect uint64, entries ...Entry) ([]Entry, error)

	// Read returns at most limit entries of a table with a seq above after, in ascending order;
	// limit 0 means all. A table that was never written to has none. A negative limit is an
	// *InvalidError. Since there are no gaps, the page before a seq can be computed as the page
	// after another seq.
	Read(ctx context.Context, table string, after uint64, limit int) ([]Entry, error)

	// ReadMove returns all entries of a move of a table, in ascending order. None belongs to the
	// empty move.
	ReadMove(ctx context.Context, table, move string) ([]Entry, error)

	// Find returns the entry that a seat wrote under a key, or ErrNotFound.
	// No entry is found under the empty key.
	Find(ctx context.Context, table, seat, key string) (Entry, error)

	// Tables returns the head of every table, ordered by table id, bytewise.
	Tables(ctx context.Context) ([]Head, error)

	// Delete removes all entries of a table and its snapshot, if its last entry is expect; otherwise
	// the error is a *ConflictError. at is the time to record. Nobody can read the entries any more
	// when it returns, and the driver overwrites their bytes as soon as its database can. The table's
	// id can be used again, by an import.
	Delete(ctx context.Context, table string, expect uint64, at time.Time) error

	// Deletions returns which tables were deleted, and aren't there again, ordered by table id,
	// bytewise.
	Deletions(ctx context.Context) ([]Deletion, error)

	// Blank replaces bodies of a table's entries and appends the entry that says so, all or nothing.
	// blanked has only seqs and bodies. The table's snapshot is removed. Otherwise it is like Append.
	Blank(ctx context.Context, table string, expect uint64, blanked []Entry, said Entry) ([]Entry, error)

	Snapshots

	// Close finishes the appends that have begun and releases the store. It may be called more than
	// once; later calls return the result of the first.
	Close() error
}

// Snapshots is a cache next to a journal, with at most one snapshot per table: data computed from
// the table's entries up to one of them. A driver may lose it at any time, so readers must check
// that a snapshot is complete and their own.
type Snapshots interface {
	// Snapshot returns the last snapshot of a table, or ErrNotFound.
	Snapshot(ctx context.Context, table string) ([]byte, error)

	// KeepSnapshot stores data instead of the earlier snapshot.
	KeepSnapshot(ctx context.Context, table string, data []byte) error
}

// CheckDelete checks the arguments of Delete. The error is an *InvalidError.
func CheckDelete(table string, expect uint64, at time.Time) error {
	if expect == 0 {
		return &InvalidError{"expect", "is 0; the seq of the last entry is needed"}
	}
	_, err := Number(table, expect, []Entry{{Time: at}})
	return err
}

// CheckBlank checks the entries that Blank replaces. The error is an *InvalidError.
func CheckBlank(expect uint64, blanked []Entry) error {
	for i, e := range blanked {
		field := "blanked[" + strconv.Itoa(i) + "]"
		switch {
		case e.Seq < 1 || e.Seq > expect:
			return &InvalidError{
				field + ".seq",
				"is " + strconv.FormatUint(e.Seq, 10) + "; 1 to " + strconv.FormatUint(expect, 10) + " are allowed",
			}
		case len(e.Body) > MaxBody:
			return &InvalidError{
				field + ".body",
				"is " + strconv.Itoa(len(e.Body)) + " bytes long; at most " + strconv.Itoa(MaxBody) + " are allowed",
			}
		}
	}
	return nil
}

// CheckLimit checks the limit given to Read. The error is an *InvalidError.
func CheckLimit(limit int) error {
	if limit < 0 {
		return &InvalidError{Field: "limit", Problem: "is " + strconv.Itoa(limit) + "; 0 or more is allowed"}
	}
	return nil
}

// Number checks the arguments of Append against the limits and returns the entries as they will be
// stored: with table and seq, and the time in UTC with microseconds. It doesn't change the given
// entries, whose bodies are shared. All drivers call it first, so that they refuse alike. The error
// is an *InvalidError.
func Number(table string, expect uint64, entries []Entry) ([]Entry, error) {
	if table == "" {
		return nil, &InvalidError{"table", "is empty; 1 to 200 bytes are allowed"}
	}
	if err := checkText("table", table); err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, &InvalidError{"entries", "are none; at least one is needed"}
	}
	if expect > math.MaxInt64-uint64(len(entries)) {
		return nil, &InvalidError{
			"expect",
			"is " + strconv.FormatUint(
				expect,
				10,
			) + "; 0 to 9223372036854775807, less the number of entries, is allowed",
		}
	}
	type use struct{ seat, key string }
	used := make(map[use]bool)
	numbered := make([]Entry, len(entries))
	for i, e := range entries {
		field := func(name string) string { return "entries[" + strconv.Itoa(i) + "]." + name }
		seq := expect + 1 + uint64(i)
		if e.Table != "" && e.Table != table {
			return nil, &InvalidError{
				field("table"),
				"is " + strconv.Quote(e.Table) + "; only " + strconv.Quote(table) + " or nothing is allowed",
			}
		}
		if e.Seq != 0 && e.Seq != seq {
			return nil, &InvalidError{
				field("seq"),
				"is " + strconv.FormatUint(e.Seq, 10) + "; only " + strconv.FormatUint(seq, 10) + " or 0 is allowed",
			}
		}
		if e.Time.IsZero() {
			return nil, &InvalidError{field("time"), "is not set"}
		}
		at := time.UnixMicro(e.Time.UnixMicro()).UTC()
		if y := at.Year(); y < 1 || y > 9999 || e.Time.UTC().Year() != y {
			return nil, &InvalidError{field("time"), "is out of range; years 1 to 9999 are allowed"}
		}
		for _, text := range []struct{ name, value string }{{"seat", e.Seat}, {"move", e.Move}, {"key", e.Key}} {
			if why := unfit(text.value); why != "" {
				return nil, &InvalidError{field(text.name), why}
			}
		}
		if len(e.Body) > MaxBody {
			return nil, &InvalidError{
				field("body"),
				"is " + strconv.Itoa(len(e.Body)) + " bytes long; at most " + strconv.Itoa(MaxBody) + " are allowed",
			}
		}
		if e.Key != "" {
			if used[use{e.Seat, e.Key}] {
				return nil, &InvalidError{field("key"), "is used twice in one append by the same seat"}
			}
			used[use{e.Seat, e.Key}] = true
		}
		if e.Body == nil {
			e.Body = []byte{}
		}
		e.Table, e.Seq, e.Time = table, seq, at
		numbered[i] = e
	}
	return numbered, nil
}

// checkText checks that every database can store a text and return it unchanged.
func checkText(field, s string) error {
	if why := unfit(s); why != "" {
		return &InvalidError{field, why}
	}
	return nil
}

// unfit says why a database can't store a text and return it unchanged, "" if each can.
func unfit(s string) string {
	switch {
	case len(s) > MaxText:
		return "is " + strconv.Itoa(len(s)) + " bytes long; at most " + strconv.Itoa(MaxText) + " are allowed"
	case !utf8.ValidString(s):
		return "is not UTF-8"
	case strings.ContainsRune(s, 0):
		return "holds a zero byte, which is not allowed"
	}
	return ""
}
