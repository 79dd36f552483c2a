// Package archive writes and reads the entries of one table, or those that one seat sees, as a
// file: JSON lines that people can read, with checksums that any program can verify with SHA-256.
// docs/export-format.md is the specification.
//
// It knows entries but not the meaning of their bodies. Package table decides what may be exported
// and imported.
//
// Guarantees:
//
//   - Reader reads what Writer wrote, to the byte of every body.
//   - A hostile file can't harm Reader: it holds one line at a time, lines and files have
//     size limits, and it allocates nothing for sizes that a line merely claims. The first
//     mistake is reported as a *FaultError with its line; the entries before it must not be
//     used then. Only io.EOF means that the whole file is valid.
//   - Neither reads a clock, starts a goroutine or closes the stream it was given.
//
// The package imports only package journal.
package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"norn/journal"
)

// A file's first line contains a format and the Version.
const (
	Format     = "norn table"
	SeatFormat = "norn seat" // what one seat sees: seqs may have gaps
	Version    = 1
)

// Limits of a file. Writer enforces them too, so that what was written can be read.
const (
	MaxLine    = journal.MaxBody + 8<<10 // bytes of a line, including its end
	MaxBytes   = 256 << 20               // of a file
	MaxEntries = 1 << 20
	maxDepth   = 100 // levels of nested objects and lists
)

// Header describes a file: its table, game and number of entries.
type Header struct {
	Table    string    `json:"table"`
	Game     string    `json:"game"`
	Name     string    `json:"name"`           // of the table
	Exported time.Time `json:"exported"`       // in UTC, to the second
	Norn     string    `json:"norn"`           // the version of norn that wrote it
	Seat     string    `json:"seat,omitempty"` // the seat whose view it is; "" for the whole table
	Entries  int       `json:"entries"`        // number of entries
}

// first is a file's first line without its sum.
type first struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Header
}

// line is an entry's line without its sum.
type line struct {
	Seq  uint64    `json:"seq"`
	Time time.Time `json:"time"`
	Seat string    `json:"seat,omitempty"`
	Move string    `json:"move,omitempty"`
	Key  string    `json:"key,omitempty"`
	Body body      `json:"body"`
}

// last is a file's last line without its sum.
type last struct {
	End     bool `json:"end"`
	Entries int  `json:"entries"`
}

// body is JSON that is written unchanged.
type body []byte

func (b body) MarshalJSON() ([]byte, error) { return b, nil }
func (b *body) UnmarshalJSON(data []byte) error {
	*b = append((*b)[:0], data...)
	return nil
}

// chain is the checksum of the lines so far: each line's includes the one before.
type chain string

// format returns the format of a file with this header.
func (h Header) format() string {
	if h.Seat != "" {
		return SeatFormat
	}
	return Format
}

// next returns the chain extended by a line, which is given without its own sum.
func (c chain) next(text []byte) chain {
	h := sha256.New()
	h.Write([]byte(c))
	h.Write(text)
	return chain(hex.EncodeToString(h.Sum(nil)))
}

// Codes of faults. They are stable; each has a text in every language.
const (
	Foreign   = "foreign"   // the first line isn't that of an export
	Newer     = "newer"     // Detail: the version
	Truncated = "truncated" // the file ends too soon
	LongLine  = "long-line" // Detail: the maximum in bytes
	TooLarge  = "too-large" // Detail: the maximum in bytes
	TooMany   = "too-many"  // Detail: the maximum number of entries
	UTF8      = "utf8"
	Syntax    = "syntax" // not a JSON object
	Depth     = "depth"  // Detail: the maximum number of levels
	Twice     = "twice"  // a repeated member; Detail: its name
	Unknown   = "unknown"
	Sum       = "sum"      // the sum doesn't match the lines
	Gap       = "gap"      // a wrong seq; Detail: the expected one, or the smallest allowed
	KeyTwice  = "key"      // a seat uses a key twice; Detail: the key
	Value     = "value"    // Detail: the member and its problem
	Count     = "count"    // the first line gives another number of entries; Detail: that number
	Trailing  = "trailing" // data after the last line
	OfSeat    = "seat"     // an export for one seat, where one of a whole table is needed
)

// FaultError reports what is wrong with a file.
type FaultError struct {
	Line   int    // from 1
	Code   string // one of the codes
	Detail string
}

func (e *FaultError) Error() string {
	text := "archive: line " + strconv.Itoa(e.Line) + ": " + e.Code
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}
