// Package archive is the entries of one table as a file, or those of them that
// one seat sees: JSON lines that people can read, that prove to be whole, and that
// any program can check with SHA-256. docs/export-format.md is its specification.
//
// It knows entries and nothing of what their bodies mean; package table decides
// what may leave a table and what may come back.
//
// Promised:
//
//   - What Writer has written Reader reads, to the byte of every body.
//   - Reader takes a hostile file without harm: it holds one line at a time, a
//     line and a file have bounds, and nothing is allocated for what a line only
//     claims. The first thing that is wrong is a *FaultError with its line; what
//     came before it must not be used then. Only io.EOF says that the file is
//     good as a whole.
//   - Neither reads a clock, starts a goroutine or closes what it was given.
//
// The package imports the journal's contract alone.
package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"norn/journal"
)

// A format and the Version stand in a file's first line.
const (
	Format     = "norn table"
	SeatFormat = "norn seat" // what one seat sees: with gaps
	Version    = 1
)

// Bounds of a file. A writer keeps to them as a reader does, so what was
// written can be read.
const (
	MaxLine    = journal.MaxBody + 8<<10 // bytes of a line, with its end
	MaxBytes   = 256 << 20               // of a file
	MaxEntries = 1 << 20
	maxDepth   = 100 // of objects and lists in each other
)

// Header describes a file: its table, game and number of entries.
type Header struct {
	Table    string    `json:"table"`
	Game     string    `json:"game"`
	Name     string    `json:"name"`           // of the table
	Exported time.Time `json:"exported"`       // in UTC, to the second
	Norn     string    `json:"norn"`           // the version that wrote it
	Seat     string    `json:"seat,omitempty"` // whose view it is; "" for the whole table
	Entries  int       `json:"entries"`        // how many follow
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

// body is JSON as it is written, with no letter of it changed.
type body []byte

func (b body) MarshalJSON() ([]byte, error) { return b, nil }
func (b *body) UnmarshalJSON(data []byte) error {
	*b = append((*b)[:0], data...)
	return nil
}

// chain is the sum of the lines so far: each line's covers the one before.
type chain string

// format returns the format of a file with this header.
func (h Header) format() string {
	if h.Seat != "" {
		return SeatFormat
	}
	return Format
}

// next is the chain with a line, which is given without its own sum.
func (c chain) next(text []byte) chain {
	h := sha256.New()
	h.Write([]byte(c))
	h.Write(text)
	return chain(hex.EncodeToString(h.Sum(nil)))
}

// Codes of faults, stable; a face of norn has a word for each.
const (
	Foreign   = "foreign"   // the first line isn't that of an export
	Newer     = "newer"     // Detail: the version
	Truncated = "truncated" // the file ends too soon
	LongLine  = "long-line" // Detail: the most bytes
	TooLarge  = "too-large" // Detail: the most bytes
	TooMany   = "too-many"  // Detail: the most entries
	UTF8      = "utf8"
	Syntax    = "syntax" // no JSON object
	Depth     = "depth"  // Detail: the most levels
	Twice     = "twice"  // a member stands twice; Detail: its name
	Unknown   = "unknown"
	Sum       = "sum"      // the sum isn't that of the lines
	Gap       = "gap"      // another seq was due; Detail: the one that was, or the least that was
	KeyTwice  = "key"      // a seat uses a key twice; Detail: the key
	Value     = "value"    // Detail: the member and what is wrong with it
	Count     = "count"    // not as many entries as the first line says; Detail: how many it says
	Trailing  = "trailing" // something follows the last line
	OfSeat    = "seat"     // it's what one seat saw, where a whole table is wanted
)

// FaultError says what is wrong with a file.
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
